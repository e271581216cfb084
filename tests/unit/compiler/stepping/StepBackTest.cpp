// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// To have gone back is to have gone less far.
#include <catch2/catch.hpp>
#include <random>

#include "SteppedFixture.h"

using namespace tilescope::compiler;
using Kernel = SteppedFixture::Kernel;

namespace {

/// A kernel that loads, computes, loops, calls and stores at random.
Kernel randomKernel(unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
  };
  static constexpr const char *kOperations[] = {"a = a * 1.5 + b",
                                                "b = tl.where(a > b, a, b)",
                                                "a = tl.exp(-tl.abs(a))",
                                                "b = helper(a, b)",
                                                "c = tl.sum(a, axis=0)",
                                                "a = a + c",
                                                "tl.store(out_ptr + offs, a)",
                                                "b = tl.load(out_ptr + offs, mask=a > c, other=c)",
                                                "tl.atomic_add(out_ptr + offs, b)",
                                                "c = tl.max(b, axis=0)"};
  std::string text = "@triton.jit\ndef helper(x, y):\n    z = x - y\n    return z * 0.5\n\n"
                     "@triton.jit\ndef k(x_ptr, out_ptr, n):\n"
                     "    offs = tl.program_id(0) * 64 + tl.arange(0, 64)\n"
                     "    a = tl.load(x_ptr + offs)\n    b = a\n    c = 1.0\n";
  const auto add = [&](const std::string &indent, int count) {
    for (int i = 0; i < count; ++i)
      text += indent + kOperations[pick(std::size(kOperations))] + "\n";
  };
  add("    ", 3 + pick(4));
  text += "    for i in range(n):\n";
  add("        ", 2 + pick(5));
  if (pick(2)) {
    text += "        if i > 2:\n";
    add("            ", 1 + pick(3));
  }
  add("    ", 2);
  text += "    tl.store(out_ptr + offs, a + b)\n";
  return {text,
          {{"x_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"n", "i32"}},
          {},
          {{"n", 6}},
          {4, 1, 1},
          pick(2) ? StageId::Ttir : StageId::Ttgir,
          size_t{64} << 20,
          "k"};
}

/// Executes to a time, taking turns between two programs.
void executeTo(stepping::Stepper &stepper, uint64_t time, bool takesTurns) {
  while (stepper.time() < time) {
    if (takesTurns && stepper.time() % 7 == 0)
      stepper.choose({static_cast<int32_t>(stepper.time() / 7 % 2), 0, 0});
    if (!stepper.execute())
      break;
  }
}

} // namespace

TEST_CASE("going back equals having executed less", "[compiler][stepping]") {
  for (unsigned seed = 0; seed < 24; ++seed) {
    DYNAMIC_SECTION("seed " << seed) {
      const Kernel kernel = randomKernel(seed);
      INFO(kernel.text);
      const bool takesTurns = seed % 2 == 1;
      SteppedFixture fixture(kernel);
      fixture.restart();
      stepping::Stepper &stepper = fixture.stepped->session().stepper();
      stepper.goTo(0);
      executeTo(stepper, 100000, takesTurns);
      const uint64_t end = stepper.time();
      REQUIRE(end > 20);
      std::mt19937 random(seed);
      uint64_t time = end;
      for (int i = 0; i < 4 && time > 1; ++i) {
        time = random() % time;
        stepper.choose({0, 0, 0});
        stepper.goTo(time);
        const std::string back = fixture.digest();
        SteppedFixture fresh(kernel);
        fresh.restart();
        stepping::Stepper &other = fresh.stepped->session().stepper();
        other.goTo(0);
        executeTo(other, time, takesTurns);
        other.choose({0, 0, 0});
        // Not compared as text, which Catch would print.
        const bool isSame = fresh.digest() == back;
        CHECK(isSame);
      }
    }
  }
}

TEST_CASE("checkpoints take no more than they may", "[compiler][stepping]") {
  Kernel kernel{"@triton.jit\n"
                "def k(x_ptr, out_ptr, n):\n"
                "    offs = tl.arange(0, 1024)\n"
                "    a = tl.load(x_ptr + offs)\n"
                "    for i in range(n):\n"
                "        a = tl.sin(a) + a * 0.5\n"
                "        tl.store(out_ptr + offs, a)\n",
                {{"x_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"n", "i32"}},
                {},
                {{"n", 20000}},
                {1, 1, 1},
                StageId::Ttir,
                size_t{256} << 10};
  SteppedFixture fixture(kernel);
  fixture.restart();
  stepping::Stepper &stepper = fixture.stepped->session().stepper();
  while (stepper.execute())
    if (stepper.time() % 1024 == 0)
      REQUIRE(stepper.keptBytes() < (size_t{256} << 10) + (size_t{64} << 10));
  CHECK(stepper.numCheckpoints() > 2);
  const uint64_t end = stepper.time();
  fixture.perform(StepAction::BackOver);
  CHECK(stepper.time() < end);
  CHECK(stepper.time() > end - 20);
}

TEST_CASE("a function that is not inlined knows its callers", "[compiler][stepping]") {
  // A helper that stays a function.
  Kernel kernel{"@triton.jit(noinline=True)\n"
                "def helper(x, k):\n"
                "    y = x * k\n"
                "    return y\n"
                "\n"
                "@triton.jit\n"
                "def k(x_ptr, out_ptr):\n"
                "    pid = tl.program_id(0)\n"
                "    x = tl.load(x_ptr + pid)\n"
                "    a = helper(x, 2.0)\n"
                "    b = helper(a, 3.0)\n"
                "    tl.store(out_ptr + pid, b)\n",
                {{"x_ptr", "*fp32"}, {"out_ptr", "*fp32"}},
                {},
                {},
                {1, 1, 1},
                StageId::Ttir,
                size_t{64} << 20,
                "k"};
  SteppedFixture fixture(kernel);
  fixture.restart();
  fixture.command.breakpoints = {breakAt(3)};
  for (const int caller : {10, 11}) {
    const StepState state = fixture.perform(StepAction::Continue);
    REQUIRE(state.frames.size() == 2);
    CHECK(fixture.line(state) == 3);
    CHECK(fixture.line(state, 1) == caller);
  }
  CHECK(fixture.perform(StepAction::Continue).isAtEnd);
}

TEST_CASE("the way back ends at the line that the program begins with", "[compiler][stepping]") {
  // Constants of later lines are the first operations.
  SteppedFixture fixture({"@triton.jit\n"
                          "def k(x_ptr):\n"
                          "    i = tl.arange(0, 8)\n"
                          "    x = tl.load(x_ptr + i, mask=i < 5, other=2.5)\n"
                          "    tl.store(x_ptr + i, x * 3.0)\n",
                          {{"x_ptr", "*fp32"}}});
  const StepState begun = fixture.restart();
  CHECK(fixture.line(begun) == 3);
  for (const StepAction back :
       {StepAction::ReverseContinue, StepAction::BackOut, StepAction::BackOver}) {
    CHECK(fixture.line(fixture.perform(StepAction::Over)) == 4);
    const StepState again = fixture.perform(back);
    CHECK(fixture.line(again) == 3);
    CHECK(again.time == begun.time);
  }
  CHECK(fixture.perform(StepAction::BackOver).reason == "the program begins here");
  CHECK(fixture.line(fixture.perform(StepAction::Over)) == 4);
}
