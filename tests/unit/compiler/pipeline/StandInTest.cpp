// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Native code in place of the interpreter: whoever executes the kernel, all that is said of the run is the same.
#include "tests/unit/compiler/pipeline/BothTargets.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::tests;

/// What a run says where native code may stand in.
static Found standIn(const std::string &body, Launch launch = {}) {
  INFO(body);
  launch.countsUnwritten = true;
  launch.numThreads = 1;
  Compiler compiler{CudaToolkit{}};
  launch.executor = CpuExecutor::Interpreter;
  const Found expected = runOn(compiler, body, "cuda:90", launch);
  CHECK_FALSE(expected.isNative);
  CHECK(expected.whyInterpreted.empty());
  launch.executor = CpuExecutor::Native;
  Found found = runOn(compiler, body, "cuda:90", launch);
  CHECK(found.completed == expected.completed);
  CHECK(found.messages == expected.messages);
  CHECK(found.doubts == expected.doubts);
  CHECK(found.findings == expected.findings);
  CHECK(found.memory == expected.memory);
  CHECK(found.unwritten == expected.unwritten);
  CHECK(found.notes == expected.notes);
  CHECK(found.isNative == found.whyInterpreted.empty());
  return found;
}

TEST_CASE("native code executes a kernel of which there is nothing to say", "[compiler][native]") {
  const Found found = standIn("    x = tl.load(x_ptr + o, mask=o < n, other=0.0)\n"
                              "    tl.store(y_ptr + o, x * 2 + 1, mask=o < n)\n");
  CHECK(found.isNative);
  CHECK(found.completed);
  CHECK(found.unwritten.empty());
  // Whatever the target.
  Compiler compiler{CudaToolkit{}};
  Launch launch{.executor = CpuExecutor::Interpreter};
  CHECK_FALSE(runOn(compiler, "    tl.store(y_ptr + pid, 1.0)\n", "cpu:native", launch).isNative);
  launch.executor = CpuExecutor::Native;
  CHECK(runOn(compiler, "    tl.store(y_ptr + pid, 1.0)\n", "cpu:native", launch).isNative);
}

TEST_CASE("elements that native code leaves are counted as the interpreter counts them",
          "[compiler][native]") {
  const Found gaps = standIn("    tl.store(y_ptr + o, 1.0, mask=(o < n) & (o % 5 != 2))\n");
  CHECK(gaps.isNative);
  REQUIRE(gaps.unwritten.size() == 1);
  CHECK(gaps.unwritten[0].count == 20);
  CHECK(gaps.unwritten[0].first == 2);
  // Halves of elements, and two of them at once.
  CHECK(standIn("    y = y_ptr.to(tl.pointer_type(tl.int16))\n"
                "    tl.store(y + pid * 3, tl.full([], 1, tl.int16))\n")
            .unwritten[0]
            .count == 100);
  CHECK(standIn("    y = y_ptr.to(tl.pointer_type(tl.int64))\n"
                "    tl.store(y + pid * 3, tl.full([], 1, tl.int64))\n")
            .unwritten[0]
            .count == 92);
  // Another argument than the one that counts.
  const Found other = standIn("    tl.store(i_ptr + pid, pid)\n");
  CHECK(other.isNative);
  REQUIRE(other.unwritten.size() == 1);
  CHECK(other.unwritten[0].count == 100);
}

TEST_CASE("what native code finds, the interpreter says", "[compiler][native]") {
  const std::pair<const char *, const char *> cases[] = {
      {"    tl.store(y_ptr + o, tl.load(x_ptr + o), mask=o < n)\n",
       "programs access elements outside of an argument"},
      {"    tl.store(y_ptr + tl.where(pid == 2, 0, pid), pid * 1.0)\n",
       "programs may have written different values to one element"},
      {"    m = (pid != 1) | (o != 40)\n"
       "    tl.store(y_ptr + o, tl.load(x_ptr + o % 100, mask=m) + 1, mask=o < n)\n",
       "programs use undefined values"},
      {"    tl.store(y_ptr + o, tl.load(x_ptr + o % 100, mask=o != 3) + 1, mask=o < n)\n",
       "the first program has findings"},
      {"    tl.store(y_ptr + o, 1.0, mask=(o < n) & (n < 0))\n", "a mask may be false everywhere"},
      {"    if pid > 100:\n        tl.store(y_ptr + o, 1.0, mask=o < n)\n",
       "nothing was stored to `y_ptr`"},
  };
  for (const auto &[body, why] : cases)
    CHECK(standIn(body).whyInterpreted == why);
  CHECK(standIn("    tl.device_assert(pid != 2, \"two\")\n    tl.store(y_ptr + pid, 1.0)\n",
                {.isDebug = true})
            .whyInterpreted == "an assertion does not hold");
}

TEST_CASE("what native code does not tell, the interpreter is asked", "[compiler][native]") {
  CHECK(standIn("    tl.store(y_ptr + o, tl.load(y_ptr + o, mask=o < n) + 1, mask=o < n)\n")
            .whyInterpreted == "`y_ptr` is both read and changed");
  CHECK(
      standIn("    tl.store(y_ptr + pid, 1.0)\n    tl.device_print(\"x\", pid)\n").whyInterpreted ==
      "the kernel prints");
  CHECK(standIn("    tl.atomic_add(y_ptr + pid, 1.0)\n").whyInterpreted ==
        "what atomic operations leave unwritten of `y_ptr` is counted");
  CHECK(standIn("    tl.store(y_ptr + pid, tl.atomic_add(i_ptr, 1) * 0.0)\n").whyInterpreted ==
        "what atomic operations find in `i_ptr` is used");
  CHECK(standIn("    tl.store(y_ptr + pid, 1.0)\n", {.grid = {0, 1, 1}}).whyInterpreted ==
        "the grid is empty");
}

TEST_CASE("atomic sums begin anew behind the program that the interpreter has executed",
          "[compiler][native]") {
  const std::string body = "    tl.atomic_add(i_ptr + pid % 2, 1)\n"
                           "    tl.store(y_ptr + pid, 1.0)\n";
  CHECK(standIn(body).isNative);
  // Nor does it count twice what native code has added in vain.
  CHECK(standIn(body + "    tl.store(y_ptr + 50 + pid // 3, pid * 1.0)\n").doubts.size() == 1);
}

TEST_CASE("products as tf32 have the same factors in native code", "[compiler][native]") {
  const std::string product =
      "    r = tl.arange(0, 16)\n"
      "    at = r[:, None] * 16 + r[None, :]\n"
      "    x = tl.load(x_ptr + at % 90) * 1.001\n"
      "    one = tl.where(r[:, None] == r[None, :], 1.0, 0.0)\n"
      "    tl.store(y_ptr + at, tl.dot(x, one), mask=(at < n) & (pid == 0))\n";
  CHECK(standIn(product).isNative);
  // Of what is no number, nothing is dropped.
  CHECK(standIn("    r = tl.arange(0, 16)\n"
                "    at = r[:, None] * 16 + r[None, :]\n"
                "    x = tl.where(at == 17, float(\"inf\"), tl.load(x_ptr + at % 90))\n"
                "    tl.store(y_ptr + at, tl.dot(x, tl.full([16, 16], 1.0, tl.float32)), "
                "mask=(at < n) & (pid == 0))\n")
            .isNative);
}

TEST_CASE("an endless program of native code ends at its loop", "[compiler][native]") {
  Compiler compiler{CudaToolkit{}};
  Launch launch{.executor = CpuExecutor::Native};
  launch.maxProgramDuration = std::chrono::seconds(1);
  const Found found = runOn(compiler,
                            "    i = n\n"
                            "    while i > 0:\n"
                            "        tl.store(y_ptr + pid, i * 1.0)\n"
                            "        i = i % 5 + 1\n",
                            "cuda:90", launch);
  CHECK_FALSE(found.completed);
  CHECK(found.isNative);
  REQUIRE(found.endless.size() == 1);
  CHECK(found.endless[0].range.begin.line == 8);
  CHECK(found.endless[0].message ==
        "the program was stopped after 1 seconds: this loop does not seem to end");
}
