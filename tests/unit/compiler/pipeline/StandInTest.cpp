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
  CHECK(found.prints == expected.prints);
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

TEST_CASE("native code prints what the interpreter prints", "[compiler][native]") {
  const Found found = standIn("    x = tl.load(x_ptr + o, mask=o < n, other=0.0)\n"
                              "    tl.device_print(\"sum\", tl.sum(x / 3, 0), pid)\n"
                              "    if pid % 2 == 1:\n        tl.device_print(\"odd \", x)\n"
                              "    tl.store(y_ptr + o, x, mask=o < n)\n");
  CHECK(found.isNative);
  REQUIRE(found.prints.size() == 6);
  CHECK(found.prints[1].programId == std::array<int32_t, 3>{1, 0, 0});
  CHECK(found.prints[2].range.begin.line == found.prints[1].range.begin.line + 2);
  CHECK(found.prints[0].text == "pid (0, 0, 0) idx () sum: (operand 0) 165.333328\n"
                                "pid (0, 0, 0) idx () sum: (operand 1) 0\n");
  // Only the interpreter knows which elements are undefined.
  const Found undefined = standIn("    x = tl.load(x_ptr + o, mask=o < n)\n"
                                  "    tl.device_print(\"x\", x)\n"
                                  "    tl.store(y_ptr + o, 1.0, mask=o < n)\n");
  CHECK(undefined.whyInterpreted == "programs may print undefined values");
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

TEST_CASE("native code changes an argument in place", "[compiler][native]") {
  const std::vector<std::string> bodies = {
      "    tl.store(y_ptr + o, tl.load(y_ptr + o, mask=o < n) + 1, mask=o < n)\n",
      // Elsewhere in the block, and one element.
      "    at = pid * 25 + tl.arange(0, 32)\n    here = tl.arange(0, 32) < 25\n"
      "    x = tl.load(y_ptr + at, mask=here, other=0.0)\n    tl.debug_barrier()\n"
      "    tl.store(y_ptr + pid * 25 + 24 - tl.arange(0, 32), x * 2 + 1, mask=here)\n",
      "    tl.store(y_ptr + pid * 7, tl.load(y_ptr + pid * 7) + 1)\n",
      "    if pid > 1:\n        tl.store(y_ptr + pid, tl.load(y_ptr + pid, mask=n > 5) + 1)\n",
      // In each round of a loop.
      "    for i in range(0, 3):\n"
      "        tl.store(y_ptr + o, tl.load(y_ptr + o, mask=o < n) * 2 + i, mask=o < n)\n",
      // All read what none changes.
      "    last = tl.load(y_ptr + 99)\n    tl.debug_barrier()\n"
      "    x = tl.load(y_ptr + o, mask=o < 99)\n    tl.debug_barrier()\n    tl.store(y_ptr + o, x "
      "+ last, mask=o < 99)\n",
      // By one place for all lanes, and with gathers.
      "    x = tl.load(y_ptr + pid * 25 + tl.zeros([32], tl.int32))\n    tl.debug_barrier()\n"
      "    tl.store(y_ptr + pid * 25 + tl.arange(0, 32), x + 1, mask=tl.arange(0, 32) < 25)\n",
      "    i = tl.load(i_ptr + o, mask=o < n, other=0)\n"
      "    x = tl.load(y_ptr + (i // 3) * 3 + i % 3, mask=o < n)\n    tl.debug_barrier()\n"
      "    tl.store(y_ptr + o, x - 1, mask=o < n)\n",
  };
  for (const std::string &body : bodies) {
    const Found found = standIn(body);
    CHECK(found.whyInterpreted == "");
    CHECK(found.completed);
  }
  // More programs than the bits of a byte number.
  CHECK(standIn("    tl.store(y_ptr + o, tl.load(y_ptr + o) + 1)\n", {{1023, 1, 1}, 1023 * 32})
            .isNative);
}

TEST_CASE("programs that are in doubt see an argument as it was before it was changed in place",
          "[compiler][native]") {
  // Where the numbers are 150 larger, some elements are left out and stored all the same.
  const Found found = standIn(
      "    v = tl.load(i_ptr + o, mask=o < n, other=0)\n"
      "    x = tl.load(x_ptr + o, mask=(o < n) & (v < 200))\n"
      "    tl.store(i_ptr + o, v + 150 + (x > 1000.0).to(tl.int32), mask=(o < n) & (v < 1000))\n");
  CHECK(found.whyInterpreted == "");
  CHECK(found.doubts.empty());
}

TEST_CASE("what programs read and others change, the interpreter tells", "[compiler][native]") {
  const char *const read = "programs may have read what others change";
  const char *const written = "programs may have written different values to one element";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"    x = tl.load(y_ptr + o + 32, mask=o + 32 < n, other=0.0)\n    tl.debug_barrier()\n"
       "    tl.store(y_ptr + o, x + 1, mask=o < n)\n",
       read},
      // One program stores what all read, and a load of the last one.
      {"    x = tl.load(y_ptr)\n    tl.store(y_ptr + pid, x + 1)\n", read},
      {"    x = tl.load(y_ptr + 96)\n    tl.debug_barrier()\n    tl.store(y_ptr + o, x + o, mask=o "
       "< n)\n",
       read},
      {"    x = tl.load(y_ptr + (o * 7) % 100)\n    tl.debug_barrier()\n    tl.store(y_ptr + o, x, "
       "mask=o < n)\n",
       read},
      // What another one has stored is stored again.
      {"    x = tl.load(y_ptr)\n    if pid == 0:\n        x = 5.0\n    tl.store(y_ptr, x)\n",
       written},
      // Two elements of a block update one.
      {"    at = pid * 32 + tl.arange(0, 32) // (1 + (pid == 2).to(tl.int32))\n"
       "    x = tl.load(y_ptr + at, mask=at < n)\n    tl.debug_barrier()\n"
       "    tl.store(y_ptr + at, x + 1, mask=at < n)\n",
       written},
  };
  for (const auto &[body, why] : cases)
    CHECK(standIn(body).whyInterpreted == why);
}

TEST_CASE("what native code does not tell, the interpreter is asked", "[compiler][native]") {
  CHECK(standIn("    tl.store(y_ptr + pid, tl.load(y_ptr + pid) + 1)\n"
                "    tl.atomic_add(y_ptr + 50 + pid, 1.0)\n")
            .whyInterpreted == "`y_ptr` is both read and updated");
  CHECK(standIn("    y = y_ptr.to(tl.pointer_type(tl.int16))\n"
                "    x = tl.load(y + 2 * pid)\n    tl.store(y_ptr + pid, x * 1.0)\n")
            .whyInterpreted == "accesses see an argument as elements of different sizes");
  CHECK(standIn("    p = x_ptr\n    if pid > 1:\n        p = y_ptr\n"
                "    tl.store(y_ptr + pid, tl.load(p + pid))\n")
            .whyInterpreted == "a load may be of one of several arguments");
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
  // Of several loops it is the one whose text says that it does not end.
  const Found several = runOn(compiler,
                              "    for k in range(n):\n"
                              "        j = pid\n"
                              "        while j >= k and j < n:\n"
                              "            s = 0.0\n"
                              "            for i in range(n):\n"
                              "                s += i * 0.5\n"
                              "            tl.store(y_ptr + pid, s)\n",
                              "cuda:90", launch);
  REQUIRE(several.endless.size() == 1);
  CHECK(several.endless[0].message.ends_with("this loop does not seem to end"));
}

TEST_CASE("what a kernel promises its compiler is checked wherever it is executed",
          "[compiler][native]") {
  // Four elements for each thread.
  const Launch wideBlock{.n = 200, .numWarps = 1};
  const auto store = [&](const std::string &index, const std::string &mask = "") {
    return standIn("    q = " + index + "\n    tl.store(y_ptr + q + tl.arange(0, 128), 1.0" + mask +
                       ")\n",
                   wideBlock);
  };
  const Messages wide{
      "what `tl.multiple_of` says is not true of this store: a GPU moves 4 elements at once, from "
      "an address that is a multiple of 16 bytes, so it faults or writes other elements (first at "
      "element 0)"};
  // 31 and 32.
  CHECK(store("tl.multiple_of(n - 169, 16)").messages == wide);
  CHECK(store("tl.multiple_of(n - 168, 16)").messages.empty());
  CHECK(store("tl.multiple_of(n - 168, 16)").isNative);
  // What is left out has no address, and what nothing is known of moves one by one.
  CHECK(store("tl.multiple_of(n - 169, 16)", ", mask=tl.arange(0, 128) < 0").messages.empty());
  CHECK(store("n - 169").messages.empty());
  // So does a block that has an element for each thread.
  CHECK(standIn(
            "    q = tl.multiple_of(n - 69, 16)\n    tl.store(y_ptr + q + tl.arange(0, 32), 1.0)\n")
            .messages.empty());
  // Only the last program.
  const Found last = store("tl.multiple_of(tl.where(pid == 3, 33, pid * 16), 16)");
  CHECK(last.messages == wide);
  CHECK(last.completed);
  REQUIRE(last.findings.size() == 1);
  CHECK(last.findings[0].programId[0] == 3);
  // Elements that are not neighbors.
  const Found apart = standIn("    j = tl.arange(0, 128)\n"
                              "    q = tl.max_contiguous(tl.multiple_of((j * 3) % 192, 128), 128)\n"
                              "    tl.store(y_ptr + j, tl.load(x_ptr + q))\n",
                              wideBlock);
  REQUIRE(apart.messages.size() == 1);
  CHECK(apart.messages[0].starts_with(
      "what `tl.multiple_of` and `tl.max_contiguous` say is not true of this load"));
  // Of an argument, whose value the launch knows.
  const std::string ofArgument = "    tl.multiple_of(n, 16)\n"
                                 "    tl.store(y_ptr + (n - 192 + tl.arange(0, 128)), 1.0)\n";
  CHECK(standIn(ofArgument, {.n = 202, .numWarps = 1}).messages.size() == 1);
  CHECK(standIn(ofArgument, {.n = 208, .numWarps = 1}).messages.empty());
}

TEST_CASE("assumptions that are not true are told wherever the kernel is executed",
          "[compiler][native]") {
  CHECK(standIn("    tl.assume(n > 99)\n    tl.store(y_ptr + pid, 1.0)\n").messages.empty());
  const Found found = standIn("    tl.assume(pid < 2)\n    tl.store(y_ptr + pid, 1.0)\n");
  CHECK(found.messages == Messages{"what `tl.assume` says is not true: a compiler may have left "
                                   "out code that this case needs"});
  CHECK(found.unwritten[0].count == 96);
}
