// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Sums in narrow types, and tolerances that they would make too large.
#include "tests/unit/app/commands/Slips.h"

#include <catch2/catch.hpp>
using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::Diagnostic;
using compiler::DiagnosticKind;

TEST_CASE("sums in types that cannot hold them are named", "[app][sums]") {
  const std::string rows = R"py(grid = [3]
[args]
)py";
  checkSlip({"fp16", rows + R"py(x = { dtype = "fp16", shape = [3, 40000], init = "rand", seed = 1 }
y = { dtype = "fp32", shape = [3], expected = "sum(x, axis=1)" })py",
             R"py(def k(x, y):
    r = tl.program_id(0)
    acc = tl.zeros([8], tl.float16)
    for s in range(0, 40000, 8):
        acc += tl.load(x + r * 40000 + s + tl.arange(0, 8))
    tl.store(y + r, tl.sum(acc.to(tl.float32), 0))
)py",
             "`acc` is fp16: each turn of the loop rounds the sum to 11 bits",
             "write `tl.float32` for `tl.float16` in line 13"});
  checkSlip({"int8",
             rows + R"py(x = { dtype = "i8", shape = [3, 4096], init = "randint", high = 10 }
y = { dtype = "i32", shape = [3, 64], expected = "sum(reshape(x, (3, 64, 64)), axis=1)" })py",
             R"py(def k(x, y):
    at = tl.program_id(0) * 4096 + tl.arange(0, 64)
    acc = tl.zeros([64], tl.int8)
    for s in range(64):
        acc += tl.load(x + at + s * 64).to(tl.int8)
    tl.store(y + tl.program_id(0) * 64 + tl.arange(0, 64), acc)
)py",
             "`acc` is int8: the sum keeps 8 bits and wraps around at 256",
             "add up in `tl.int32` in line 15"});
}

TEST_CASE("what sums of fp16 may be off by does not hide that all elements are wrong",
          "[app][sums]") {
  const std::string block = R"py(grid = [1]
[args]
x = { dtype = "fp16", shape = [1000], init = "rand" }
y = { dtype = "fp16", shape = [1000], expected = "cumsum(x)" })py";
  const auto summed = [&](const std::string &sum) {
    return runSlip(textOf({"", block,
                           "def k(x, y):\n    i = tl.arange(0, 1024)\n"
                           "    v = tl.load(x + i, mask=i < 1000, other=0.0)\n"
                           "    tl.store(y + i, " +
                               sum + ", mask=i < 1000)\n",
                           "", ""}));
  };
  const LaunchRun wrong = summed("tl.cumsum(v, 0) - v");
  const Diagnostic *mismatch = findingOf(wrong, DiagnosticKind::RunMismatch);
  REQUIRE(mismatch);
  CHECK(wrong.measurement->outputs[1].comparison->mismatches > 800);
  CHECK(says(*mismatch, "sums that are rounded to fp16 are not the cause: with sums in fp32"));
  const LaunchRun right = summed("tl.cumsum(v, 0)");
  CHECK(right.ok());
  CHECK_FALSE(findingOf(right, DiagnosticKind::RunMismatch));
}

TEST_CASE("a match by a tolerance as large as the error is not shown to be right", "[app][sums]") {
  const auto ok = [](profiler::MatchDoubt doubt, double error) {
    profiler::OutputResult output;
    output.changed = true;
    output.comparison = profiler::OutputComparison();
    output.comparison->doubt = doubt;
    output.comparison->relErrorInNorm = error;
    output.comparison->isTolerancePerElement = true;
    LaunchRun run;
    run.measurement = profiler::Measurement();
    run.measurement->outputs.push_back(output);
    return run.ok();
  };
  CHECK(ok(profiler::MatchDoubt::None, 0.18));
  CHECK(ok(profiler::MatchDoubt::Tolerance, 0.01));
  CHECK_FALSE(ok(profiler::MatchDoubt::Tolerance, 0.18));
  CHECK_FALSE(ok(profiler::MatchDoubt::NarrowSums, 0.01));
}
