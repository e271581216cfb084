// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Checked native code notes doubts about races and undefined values in any program of the grid, and the
// interpreter says what they are; where there are none, native code has executed all of it.
#include "compiler/artifacts/CpuTarget.h"
#include "tests/unit/compiler/pipeline/BothTargets.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::tests;

/// What a run in native code says beside what both ways find.
static Found doubted(const std::string &body) {
  INFO(body);
  // In the order of the programs, a race always ends in the same way.
  const Launch launch{.numThreads = 1};
  Compiler compiler{CudaToolkit{}};
  const Found expected = runOn(compiler, body, "cuda:90", launch);
  Found found = runOn(compiler, body, std::string(kNativeTarget), launch);
  CHECK(found.doubts == expected.doubts);
  CHECK(found.findings == expected.findings);
  CHECK(found.memory == expected.memory);
  return found;
}

TEST_CASE("native code notes elements that two programs in the middle of the grid write",
          "[compiler][native]") {
  // Programs 1 and 2; the first and the last one are on their own.
  const std::string place = "    at = tl.where((pid == 1) | (pid == 2), 40, pid * 30)\n";
  const Found raced = doubted(place + "    tl.store(y_ptr + at, pid * 1.0)\n");
  CHECK(raced.doubts.size() == 1);
  CHECK_FALSE(raced.isNative);
  CHECK(raced.notes.size() == 1);
  CHECK(doubted(place + "    tl.store(y_ptr + at + tl.arange(0, 4), pid * 1.0)\n").doubts.size() ==
        1);
  // Equal values.
  const Found same = doubted(place + "    tl.store(y_ptr + at + tl.arange(0, 4), 7.0)\n");
  CHECK(same.doubts.empty());
  CHECK(same.isNative);
  CHECK(same.notes.empty());
}

TEST_CASE("native code notes elements that one store writes twice in the middle of the grid",
          "[compiler][native]") {
  const std::string step = "    step = tl.where(pid == 1, 0, 1)\n";
  const Found found = doubted(step + "    tl.store(y_ptr + pid * 32 + tl.arange(0, 32) * step, "
                                     "tl.arange(0, 32) * 1.0, mask=o < n)\n");
  CHECK(found.doubts.size() == 1);
  CHECK_FALSE(found.isNative);
  // Rows that lie above each other.
  CHECK(doubted("    r = tl.arange(0, 4)[:, None]\n    c = tl.arange(0, 8)[None, :]\n" + step +
                "    tl.store(y_ptr + pid * 32 + r * 8 * step + c, r * 1.0 + c, mask=pid < 3)\n")
            .doubts.size() == 1);
  // Two stores of one program, one behind the other, and rounds of a loop.
  const Found twice = doubted("    tl.store(y_ptr + o, 1.0, mask=o < n)\n"
                              "    tl.store(y_ptr + o, o * 2.0, mask=o < n)\n"
                              "    for i in range(0, 3):\n"
                              "        tl.store(i_ptr + pid, i + pid)\n");
  CHECK(twice.doubts.empty());
  CHECK(twice.isNative);
}

TEST_CASE("native code notes undefined values that reach a store in the middle of the grid",
          "[compiler][native]") {
  const std::string mask = "    m = (pid != 1) | (o != 40)\n";
  const Found stored = doubted(mask + "    tl.store(y_ptr + o, tl.load(x_ptr + o % 100, mask=m) + "
                                      "1, mask=o < n)\n");
  CHECK(stored.doubts.size() == 1);
  CHECK_FALSE(stored.isNative);
  CHECK(doubted(mask + "    s = tl.sum(tl.load(x_ptr + o % 100, mask=m), 0)\n"
                       "    tl.store(y_ptr + pid, s)\n")
            .doubts.size() == 1);
  CHECK(doubted(mask +
                "    i = tl.load(i_ptr + o % 100, mask=m)\n"
                "    tl.store(y_ptr + o, tl.load(x_ptr + i % 100, mask=o < n), mask=o < n)\n")
            .doubts.size() >= 1);
  // Picked where it is defined, and left out by the store.
  const Found picked = doubted(mask + "    x = tl.where(m, tl.load(x_ptr + o % 100, mask=m), 0.0)\n"
                                      "    tl.store(y_ptr + o, x + tl.sum(x, 0), mask=o < n)\n");
  CHECK(picked.doubts.empty());
  CHECK(picked.isNative);
  CHECK(picked.notes.empty());
}

TEST_CASE("native code says which checks it cannot make", "[compiler][native]") {
  const Found found = doubted("    tl.store(y_ptr + pid, tl.load(y_ptr + pid) + 1)\n"
                              "    tl.atomic_add(y_ptr + 50 + pid, 1.0)\n");
  CHECK(found.isNative);
  CHECK(found.notes ==
        Messages{"races and undefined values are looked for in the first and the last program "
                 "alone: `y_ptr` is both read and updated"});
}
