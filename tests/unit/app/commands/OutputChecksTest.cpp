// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/OutputChecks.h"

#include "app/commands/KernelText.h"
#include "profiler/report/Differences.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace tilescope;
using namespace tilescope::app;

TEST_CASE("a NaN is told without its sign, which says nothing", "[app]") {
  const double nan = -std::numeric_limits<double>::quiet_NaN();
  REQUIRE(std::signbit(nan));
  profiler::OutputResult output;
  output.name = "y_ptr";
  output.shape = {4};
  output.comparison.emplace();
  output.comparison->mismatches = 1;
  output.comparison->firstMismatch = output.comparison->worst = {2};
  output.comparison->firstActual = output.comparison->worstActual = nan;
  const compiler::Diagnostic diagnostic = mismatchDiagnostic(output, {1, 1, 1}, {});
  CHECK(diagnostic.message.starts_with("`y_ptr[2]` is nan instead of 0"));
  CHECK(profiler::describeDifference(*output.comparison)
            .starts_with("1 element differs, first [2]: nan instead of 0, worst [2]: nan instead"));
}

TEST_CASE("a NaN that is expected never agrees, and the message says so", "[app]") {
  profiler::OutputResult output;
  output.name = "y_ptr";
  output.shape = {4};
  output.comparison.emplace();
  output.comparison->isWithExpected = true;
  output.comparison->mismatches = 1;
  output.comparison->firstMismatch = output.comparison->worst = {2};
  output.comparison->firstActual = output.comparison->worstActual = -NAN;
  output.comparison->firstExpected = output.comparison->worstExpected = NAN;
  CHECK(mismatchDiagnostic(output, {1, 1, 1}, {})
            .message.starts_with("`y_ptr[2]` is nan, and what is expected there is nan, with which "
                                 "nothing agrees"));
}

TEST_CASE(
    "A value of `other` that a reduction counted is a fix of an output that is not as expected",
    "[app]") {
  profiler::OutputResult output;
  output.comparison.emplace();
  const compiler::DiagnosticFix filler{{{4, 30}, {4, 33}}, "float(\"-inf\")", "0.0 is the largest"};
  compiler::Diagnostic other;
  explainFillers(output, {filler}, other);
  CHECK(other.fixes.empty());
  output.comparison->isWithExpected = true;
  compiler::Diagnostic diagnostic;
  explainFillers(output, {filler}, diagnostic);
  REQUIRE(diagnostic.labels.size() == 1);
  CHECK(diagnostic.labels.front().message == "0.0 is the largest");
  REQUIRE(diagnostic.fixes.size() == 1);
  CHECK(diagnostic.fixes.front().replacement == "float(\"-inf\")");
  CHECK(diagnostic.fixes.front().title == "write `other=float(\"-inf\")`");
}

TEST_CASE("What is added to a tensor that nothing fills can begin with zeros", "[app]") {
  profiler::PlanTensor tensor;
  tensor.init.kind = profiler::TensorInit::Kind::Poison;
  profiler::OutputResult output;
  output.name = "y_ptr";
  output.comparison.emplace();
  output.comparison->firstActual = NAN;
  output.comparison->firstMismatch = {0};
  const compiler::DiagnosticFix zeros{{{3, 20}, {3, 20}}, ", init = \"zeros\"", "give it values"};
  compiler::Diagnostic diagnostic;
  // A kernel that only stores makes its NaN itself.
  explainPoison({"y_ptr", tensor}, output, false, {}, zeros, diagnostic);
  CHECK(diagnostic.notes.empty());
  CHECK(diagnostic.fixes.empty());
  explainPoison({"y_ptr", tensor}, output, true, {}, zeros, diagnostic);
  REQUIRE(diagnostic.notes.size() == 1);
  CHECK(diagnostic.fixes == std::vector{zeros});
  // The largest of numbers that may be negative is not 0.
  const AtomicUpdate largest{"tl.atomic_max", "compares with", false, "full", "-inf"};
  diagnostic = {};
  explainPoison({"y_ptr", tensor}, output, true, largest, {}, diagnostic);
  CHECK(diagnostic.notes ==
        std::vector<std::string>{
            "nothing fills `y_ptr` before the launch, so that it begins with nan: "
            "`tl.atomic_max` needs `init = \"full\", value = -inf`"});
}

TEST_CASE("integers that differ are told how division rounds, if both sides divide", "[app]") {
  const KernelText divides("import triton\n@triton.jit\ndef k(x, n):\n    y = (x - 5) // n\n", "k");
  const KernelText adds("import triton\n@triton.jit\ndef k(x, n):\n    y = x + n\n", "k");
  profiler::OutputResult output;
  output.name = "out";
  output.dtype = "int32";
  output.comparison.emplace();
  output.comparison->isWithExpected = true;
  const auto numNotes = [&](const KernelText &kernel, std::string_view expected) {
    compiler::Diagnostic diagnostic;
    explainDivision(output, expected, kernel, diagnostic);
    for (const std::string &note : diagnostic.notes)
      CHECK(note.find("`-7 // 2` is -3 in the kernel and -4 in `expected`") != std::string::npos);
    return diagnostic.notes.size();
  };
  // Of what is never negative both round alike.
  output.comparison->firstActual = 3;
  output.comparison->firstExpected = 5;
  CHECK(numNotes(divides, "(x - 5) // n") == 0);
  output.comparison->firstExpected = -4;
  CHECK(numNotes(divides, "(x - 5) // n") == 1);
  CHECK(numNotes(divides, "floor((x - 5) / n)") == 0);
  CHECK(numNotes(adds, "(x - 5) // n") == 0);
  // Integers that are stored as floats are integers.
  output.dtype = "fp32";
  CHECK(numNotes(divides, "(x - 5) // n") == 1);
  output.comparison->firstActual = 3.5;
  CHECK(numNotes(divides, "(x - 5) // n") == 0);
}
