// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What outputs show by themselves is a finding of the run, and so in Problems.
#include "app/ide/run/OutputFaults.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

static LaunchRun faultyRun(const profiler::OutputResult &output) {
  LaunchRun run;
  run.measurement = profiler::Measurement();
  run.measurement->outputs = {output};
  compiler::RoundingFacts facts;
  facts.argument = output.name;
  facts.stores = {{{7, 4}, {7, 30}, 0}};
  run.roundings = {facts};
  return run;
}

static profiler::OutputResult faultyOutput(int64_t neverWritten, int64_t numNan) {
  profiler::OutputResult output;
  output.name = "out_ptr";
  output.shape = {100, 10};
  output.neverWritten = neverWritten;
  output.numNan = numNan;
  return output;
}

TEST_CASE("elements that are never written or NaN are told at the store", "[gui][run]") {
  const auto faults = outputFaults(faultyRun(faultyOutput(984, 16)));
  REQUIRE(faults.size() == 2);
  CHECK(faults[0].message == "984 of 1000 elements of `out_ptr` were never written (98.4 %)");
  CHECK(faults[1].message == "16 of 1000 elements of `out_ptr` are NaN (1.6 %)");
  for (const compiler::Diagnostic &fault : faults) {
    CHECK(fault.range.begin.line == 7);
    CHECK(fault.severity == compiler::Severity::Warning);
    CHECK(fault.kind == compiler::DiagnosticKind::RunUndefined);
  }
  CHECK(outputFaults(faultyRun(faultyOutput(0, 1000))).at(0).message ==
        "all 1000 elements of `out_ptr` are NaN");
  CHECK(outputFaults(faultyRun(faultyOutput(1, 0))).at(0).message ==
        "1 of 1000 elements of `out_ptr` was never written (0.1 %)");
}

TEST_CASE("of an output nothing is told twice, or that a guess or its expected values explain",
          "[gui][run]") {
  LaunchRun run = faultyRun(faultyOutput(984, 0));
  compiler::Diagnostic told;
  told.severity = compiler::Severity::Note;
  told.cause.subject = "out_ptr";
  run.diagnostics = {told};
  CHECK(outputFaults(run).size() == 1);
  run.diagnostics.front().severity = compiler::Severity::Warning;
  CHECK(outputFaults(run).empty());
  profiler::OutputResult output = faultyOutput(984, 0);
  output.isShapeGuess = true;
  CHECK(outputFaults(faultyRun(output)).empty());
  output = faultyOutput(0, 16);
  output.comparison = profiler::OutputComparison();
  CHECK(outputFaults(faultyRun(output)).empty());
  LaunchRun placeless = faultyRun(faultyOutput(984, 0));
  placeless.roundings.clear();
  CHECK(outputFaults(placeless).empty());
}
