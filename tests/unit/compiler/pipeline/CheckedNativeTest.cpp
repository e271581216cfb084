// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Native code with checked bounds finds what the interpreter finds, in its words, and leaves the same in
// memory.
#include "compiler/artifacts/CpuTarget.h"
#include "tests/unit/compiler/pipeline/BothTargets.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::tests;

/// Runs the kernel in both ways; returns what native code has found.
static std::vector<std::string> runBoth(const std::string &body, const Launch &launch = {}) {
  INFO(body);
  Compiler compiler{CudaToolkit{}};
  const Found expected = runOn(compiler, body, "cuda:90", launch);
  const Found found = runOn(compiler, body, std::string(kNativeTarget), launch);
  CHECK(found.completed == expected.completed);
  CHECK(found.findings == expected.findings);
  CHECK(found.messages == expected.messages);
  CHECK(found.memory == expected.memory);
  std::vector<std::string> messages;
  for (const InterpreterFinding &finding : found.findings)
    messages.push_back(finding.message);
  return messages;
}

TEST_CASE("native code finds accesses past the last element and before the first",
          "[compiler][native]") {
  CHECK(runBoth("    tl.store(y_ptr + o, tl.load(x_ptr + o, mask=o <= n), mask=o < n)\n") ==
        Messages{"program 3 reads `x_ptr[100]`, past its last element 99"});
  CHECK(runBoth("    tl.store(y_ptr + o, o * 1.0, mask=o <= n)\n") ==
        Messages{"program 3 writes `y_ptr[100]`, past its last element 99"});
  CHECK(runBoth("    tl.store(y_ptr + o, tl.load(x_ptr + o - 1, mask=o < n), mask=o < n)\n") ==
        Messages{"program 0 reads `x_ptr[-1]`, before its first element"});
  CHECK(runBoth("    tl.store(y_ptr + o - 1, o * 1.0, mask=o < n)\n") ==
        Messages{"program 0 writes `y_ptr[-1]`, before its first element"});
  // Without any mask, and with the value that masked-off elements have.
  CHECK(runBoth("    tl.store(y_ptr + o, tl.load(x_ptr + o))\n").size() == 2);
  CHECK(runBoth("    x = tl.load(x_ptr + o, mask=o < n + 3, other=7.0)\n"
                "    tl.store(y_ptr + 99 - o, x, mask=o < n)\n")
            .size() == 1);
}

TEST_CASE("native code does not accuse elements that are masked off", "[compiler][native]") {
  CHECK(runBoth("    tl.store(y_ptr + o, tl.load(x_ptr + o, mask=o < n), mask=o < n)\n").empty());
  // Nowhere near anything.
  CHECK(runBoth("    far = tl.where(o < n, o, 1000000000)\n"
                "    tl.store(y_ptr + far, tl.load(x_ptr + far, mask=o < n), mask=o < n)\n")
            .empty());
  CHECK(runBoth("    tl.store(y_ptr + o, tl.load(x_ptr + o + 5000000, mask=o < 0, other=2.0), "
                "mask=o < n)\n")
            .empty());
  CHECK(runBoth("    x = tl.load(x_ptr + 1000000 * pid, mask=pid == 0, other=1.0)\n"
                "    tl.store(y_ptr + pid, x)\n")
            .empty());
  CHECK(runBoth("    tl.atomic_add(y_ptr + o + 1000, 1.0, mask=o < 0)\n").empty());
}

TEST_CASE("native code checks elements that are not neighbors", "[compiler][native]") {
  CHECK(
      runBoth("    i = tl.load(i_ptr + o, mask=o < n)\n"
              "    tl.store(y_ptr + o, tl.load(x_ptr + (i * 37) % 130, mask=o < n), mask=o < n)\n")
          .size() == 1);
  CHECK(runBoth("    tl.store(y_ptr + o * 3, tl.load(x_ptr + 99 - 2 * o))\n").size() == 2);
  // A matrix of 10 rows and 10 columns, seen as one of 16.
  CHECK(runBoth("    r = tl.arange(0, 16)[:, None]\n    c = tl.arange(0, 16)[None, :]\n"
                "    x = tl.load(x_ptr + r * 10 + c, mask=(r < 10) & (c < 11))\n"
                "    tl.store(y_ptr + c * 10 + r, x, mask=(r < 10) & (c < 11))\n",
                {{1, 1, 1}, 100})
            .size() == 2);
  // A column that each row of a block repeats.
  CHECK(runBoth("    r = tl.load(x_ptr + 90 + tl.arange(0, 16))\n"
                "    c = tl.arange(0, 4)\n"
                "    tl.store(y_ptr + tl.arange(0, 16)[:, None] * 4 + c[None, :], "
                "r[:, None] + c[None, :])\n",
                {{1, 1, 1}, 100})
            .size() == 1);
}

TEST_CASE("native code checks single elements and atomic operations", "[compiler][native]") {
  CHECK(runBoth("    tl.store(y_ptr + pid, tl.load(x_ptr + pid * 40))\n") ==
        Messages{"program 3 reads `x_ptr[120]`, past its last element 99"});
  CHECK(runBoth("    tl.store(y_ptr + pid - 2, 1.0)\n").size() == 1);
  CHECK(runBoth("    tl.atomic_add(y_ptr + o, 1.0, mask=o <= n)\n") ==
        Messages{"program 3 updates `y_ptr[100]`, past its last element 99"});
  CHECK(runBoth("    tl.atomic_max(i_ptr + pid * 50, 3)\n").size() == 1);
  CHECK(runBoth("    tl.atomic_cas(i_ptr + o * 4, o * 0, o)\n", {{1, 1, 1}, 100}).size() == 1);
  // One element for the whole block.
  CHECK(runBoth("    tl.store(y_ptr + o, tl.load(x_ptr + 100 + tl.zeros([32], tl.int32)), "
                "mask=o < n)\n")
            .size() == 1);
  CHECK(runBoth("    tl.store(y_ptr + 103 + tl.zeros([32], tl.int32), 1.0)\n").size() == 1);
}

TEST_CASE("native code joins what the rounds of a loop access", "[compiler][native]") {
  CHECK(runBoth("    for i in range(0, 4):\n"
                "        tl.store(y_ptr + o + i * 7, tl.load(x_ptr + o + i * 32))\n",
                {{1, 1, 1}, 100})
            .size() == 1);
  CHECK(runBoth("    sum = tl.zeros([32], tl.float32)\n    p = x_ptr + o\n"
                "    for i in range(0, 5):\n        sum += tl.load(p)\n        p += 32\n"
                "    tl.store(y_ptr + o, sum, mask=o < n)\n")
            .size() == 1);
  CHECK(runBoth("    for i in tl.static_range(4):\n"
                "        tl.store(y_ptr + o, tl.load(x_ptr + o + i * 32), mask=o < n)\n",
                {{1, 1, 1}, 100})
            .size() == 1);
  // A function of the interpreter's tables, where the loop is still being made.
  CHECK(runBoth("    i = 0\n    while i < 5:\n"
                "        tl.store(y_ptr + o, (o * 1.5 + i) % 7.0, mask=o < n)\n        i += 1\n")
            .empty());
  CHECK(runBoth("    i = 0\n    while i < 5:\n        tl.store(y_ptr + i * 30, 2.0)\n"
                "        i += 1\n")
            .size() == 1);
}

TEST_CASE("native code accuses each load once, wherever its elements are used",
          "[compiler][native]") {
  // By a sum and by a store.
  CHECK(runBoth("    x = tl.load(x_ptr + o)\n"
                "    tl.store(y_ptr + o, x / tl.sum(x, 0), mask=o < n)\n")
            .size() == 1);
  // By a branch that some programs do not take.
  CHECK(runBoth("    x = tl.load(x_ptr + o + 60)\n"
                "    if pid > 2:\n        tl.store(y_ptr + o, x, mask=o < n)\n")
            .size() == 1);
  // In each round of a loop.
  CHECK(runBoth("    x = tl.load(x_ptr + o)\n    for i in range(0, 3):\n"
                "        tl.store(y_ptr + o, x + i, mask=o < n)\n")
            .size() == 1);
  // Behind a store that changes it.
  CHECK(runBoth("    x = tl.load(y_ptr + o + 80)\n    tl.store(y_ptr + o + 80, 3.0, mask=o < 20)\n"
                "    tl.store(x_ptr + o, x)\n",
                {{1, 1, 1}, 100})
            .size() == 1);
  CHECK(runBoth("    r = tl.arange(0, 16)\n"
                "    a = tl.load(x_ptr + r[:, None] * 16 + r[None, :])\n"
                "    b = tl.load(y_ptr + r[:, None] + r[None, :])\n"
                "    tl.store(y_ptr + r[:, None] * 4 + r[None, :] % 4, tl.dot(a, b), "
                "mask=r[None, :] < 4)\n",
                {{1, 1, 1}, 100})
            .size() == 1);
  CHECK(runBoth("    tl.store(y_ptr + o, tl.cumsum(tl.load(x_ptr + o), 0), mask=o < n)\n").size() ==
        1);
}

TEST_CASE("native code tells arguments apart whose pointers take one way", "[compiler][native]") {
  // Either of two arguments.
  CHECK(runBoth("    p = x_ptr\n    if pid % 2 == 1:\n        p = y_ptr\n"
                "    tl.store(p + o + 3, 1.0)\n")
            .size() == 1);
  // Numbers that are addresses.
  CHECK(runBoth("    a = x_ptr.to(tl.int64) + o.to(tl.int64) * 4\n"
                "    p = a.to(tl.pointer_type(tl.float32))\n"
                "    tl.store(y_ptr + o, tl.load(p, mask=o <= n), mask=o < n)\n")
            .size() == 1);
  CHECK(runBoth("    p = (o.to(tl.int64) * 0 + 64).to(tl.pointer_type(tl.float32))\n"
                "    tl.store(p, 1.0)\n") ==
        Messages{"program 0 writes through a pointer that belongs to no argument"});
  // Far from all arguments, and in elements of another type.
  CHECK(runBoth("    tl.store(x_ptr + o.to(tl.int64) + 1099511627776, 1.0)\n").size() == 1);
  CHECK(runBoth("    p = x_ptr.to(tl.pointer_type(tl.int8), bitcast=True)\n"
                "    tl.store(p + o * 4, o.to(tl.int8))\n")
            .size() == 1);
}

TEST_CASE("an assertion ends programs of native code as it ends those of the interpreter",
          "[compiler][native]") {
  CHECK(runBoth("    tl.device_assert(o < n, 'inside')\n"
                "    tl.store(y_ptr + o, o * 1.0)\n",
                {.isDebug = true}) ==
        Messages{"the assertion does not hold: inside (first at element 4)"});
  // What follows is not executed, and what was loaded before it is accused.
  CHECK(runBoth("    x = tl.load(x_ptr + o + 3)\n    tl.device_assert(pid < 3, 'few')\n"
                "    tl.store(y_ptr + o, x)\n",
                {.isDebug = true})
            .size() == 2);
  CHECK(runBoth("    tl.device_assert(tl.zeros([32], tl.int32) + pid < 1, 'one')\n"
                "    tl.store(y_ptr + o + 90, 1.0)\n",
                {.isDebug = true})
            .size() == 2);
}

/// Messages of warnings that the interpreter alone can give.
static std::vector<std::string> doubtsOf(const std::string &body, const Launch &launch = {}) {
  Compiler compiler{CudaToolkit{}};
  const Found expected = runOn(compiler, body, "cuda:90", launch);
  const Found found = runOn(compiler, body, std::string(kNativeTarget), launch);
  CHECK(found.doubts == expected.doubts);
  return found.doubts;
}

TEST_CASE("the interpreter looks at the first and the last program of checked native code",
          "[compiler][native]") {
  // What the mask of the last program leaves undefined is stored.
  CHECK(doubtsOf("    tl.store(y_ptr + o % 100, tl.load(x_ptr + o, mask=o < n), mask=o >= 96)\n")
            .size() == 1);
  // Several elements of one store have one address.
  CHECK(doubtsOf("    tl.store(y_ptr + o // 2, o * 1.0)\n", {{1, 1, 1}, 100}).size() == 1);
  CHECK(doubtsOf("    tl.store(y_ptr + o, tl.load(x_ptr + o, mask=o < n), mask=o < n)\n").empty());
  // Its arguments are copies: what it adds is not added twice.
  CHECK(runBoth("    tl.atomic_add(y_ptr + o, 1.0, mask=o < n)\n").empty());
}

TEST_CASE("native code names programs of grids with several dimensions, and empty arguments",
          "[compiler][native]") {
  const std::vector<std::string> found =
      runBoth("    tl.store(y_ptr + tl.program_id(1) * 60 + tl.program_id(2) * 39, 1.0)\n",
              {{1, 2, 3}, 100});
  CHECK(found == Messages{"program (0, 1, 2) writes `y_ptr[138]`, past its last element 99"});
  CHECK(runBoth("    tl.store(y_ptr + o, tl.load(x_ptr + o))\n", {{1, 1, 1}, 3}).size() == 2);
}
