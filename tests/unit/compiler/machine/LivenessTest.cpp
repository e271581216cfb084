// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/machine/Liveness.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler::machine;
using Values = std::vector<ValueIndex>;

/// Each step goes on to the next one.
static std::vector<LivenessStep> straight(std::vector<LivenessStep> steps) {
  for (uint32_t i = 0; i + 1 < steps.size(); ++i)
    steps[i].next.push_back(i + 1);
  return steps;
}

TEST_CASE("a value is alive from its write to its last read", "[compiler]") {
  const auto steps = straight({{{0}, {}, {}}, {{1}, {0}, {}}, {{2}, {0, 1}, {}}, {{}, {2}, {}}});
  const LiveSets live = aliveDuring(steps, 3);
  CHECK(live.valuesOf(0) == Values{0});
  CHECK(live.valuesOf(1) == Values{0, 1});
  CHECK(live.valuesOf(2) == Values{0, 1, 2});
  CHECK(live.valuesOf(3) == Values{2});
  CHECK(live.count(2, 1, 3) == 2);
  CHECK(writersOf(steps, predecessorsOf(steps), 2, 0) == Values{0});
}

TEST_CASE("a value that a loop carries is alive throughout the loop", "[compiler]") {
  // 0: a =    1: b =    2: a = f(a)    3: if … goto 1    4: store a
  auto steps =
      straight({{{0}, {}, {}}, {{1}, {}, {}}, {{0}, {0}, {}}, {{}, {1}, {}}, {{}, {0}, {}}});
  steps[3].next.push_back(1);
  const LiveSets live = aliveDuring(steps, 2);
  CHECK(live.valuesOf(1) == Values{0, 1});
  CHECK(live.valuesOf(3) == Values{0, 1});
  CHECK(live.valuesOf(4) == Values{0});
  CHECK(writersOf(steps, predecessorsOf(steps), 2, 0) == Values{0, 2});
}

TEST_CASE("what is written under a condition may be needed before", "[compiler]") {
  auto steps = straight({{{0}, {}, {}}, {{1}, {}, {}}, {{0}, {}, {}}, {{}, {0}, {}}});
  CHECK(aliveDuring(steps, 2).valuesOf(1) == Values{1});
  steps[2].isGuarded = true;
  CHECK(aliveDuring(steps, 2).valuesOf(1) == Values{0, 1});
  CHECK(writersOf(steps, predecessorsOf(steps), 3, 0) == Values{0, 2});
}

TEST_CASE("many values are counted over the borders of words", "[compiler]") {
  std::vector<LivenessStep> steps(2);
  for (ValueIndex value = 0; value < 200; value += 2)
    steps[0].writes.push_back(value);
  steps[0].next = {1};
  const LiveSets live = aliveDuring(steps, 200);
  CHECK(live.count(0, 0, 200) == 100);
  CHECK(live.count(0, 60, 70) == 5);
  CHECK(live.count(0, 64, 128) == 32);
  CHECK(live.count(0, 199, 200) == 0);
}
