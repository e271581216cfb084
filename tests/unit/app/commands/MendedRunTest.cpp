// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/MendedRun.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using compiler::Diagnostic;
using compiler::DiagnosticKind;

static Diagnostic finding(DiagnosticKind kind, uint32_t line) {
  Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.range = {{line, 4}, {line, 20}, 0};
  diagnostic.cause.subject = "x";
  return diagnostic;
}

/// A run with one output of ten elements.
static LaunchRun run(std::vector<Diagnostic> found, int64_t mismatches, int64_t neverWritten = 0) {
  LaunchRun run;
  profiler::Measurement measurement;
  profiler::OutputResult output;
  output.name = "out";
  output.changed = true;
  output.comparison = profiler::OutputComparison{};
  output.comparison->elements = 10;
  output.comparison->mismatches = mismatches;
  output.neverWritten = neverWritten;
  measurement.outputs.push_back(output);
  run.measurement = measurement;
  run.diagnostics = std::move(found);
  return run;
}

TEST_CASE("a fix mends what is gone with it, and nothing else may be worse", "[app]") {
  const Diagnostic outside = finding(DiagnosticKind::RunAccessOutside, 5);
  const Diagnostic other = finding(DiagnosticKind::RunAccessOutside, 6);
  const LaunchRun before = run({outside, other}, 2);
  const compiler::DiagnosticFix mask{{{5, 19}, {5, 19}, 0}, ", mask=i < n", ""};

  CHECK(isMended(before, run({other}, 2), outside, {mask}));
  CHECK(isMended(before, run({}, 0), outside, {mask}));
  // It is still there.
  CHECK_FALSE(isMended(before, run({outside}, 2), outside, {mask}));
  // Fewer elements are written, or more differ.
  CHECK_FALSE(isMended(before, run({}, 2, 1), outside, {mask}));
  CHECK_FALSE(isMended(before, run({}, 3), outside, {mask}));
  // Something else is found, or nothing could be run.
  CHECK_FALSE(
      isMended(before, run({finding(DiagnosticKind::RunUndefined, 7)}, 2), outside, {mask}));
  CHECK_FALSE(
      isMended(before, run({finding(DiagnosticKind::RunWriteRace, 6)}, 2), outside, {mask}));
  CHECK_FALSE(isMended(before, LaunchRun(), outside, {mask}));
  LaunchRun unchanged = run({}, 2);
  unchanged.measurement->outputs.front().changed = false;
  CHECK_FALSE(isMended(before, unchanged, outside, {mask}));
  LaunchRun nans = run({}, 2);
  nans.measurement->outputs.front().numNan = 10;
  CHECK_FALSE(isMended(before, nans, outside, {mask}));
}

TEST_CASE("what is found is the same in lines that a fix has moved", "[app]") {
  const Diagnostic outside = finding(DiagnosticKind::RunAccessOutside, 5);
  const LaunchRun before = run({outside, finding(DiagnosticKind::RunAccessOutside, 6)}, 0);
  const compiler::DiagnosticFix line{{{5, 0}, {5, 0}, 0}, "    m = i < n\n", ""};
  CHECK(isMended(before, run({finding(DiagnosticKind::RunAccessOutside, 7)}, 0), outside, {line}));
  CHECK_FALSE(
      isMended(before, run({finding(DiagnosticKind::RunAccessOutside, 6)}, 0), outside, {line}));
}

TEST_CASE("a fix of an output that differs lets fewer of its elements differ", "[app]") {
  Diagnostic mismatch = finding(DiagnosticKind::RunMismatch, 5);
  mismatch.cause.subject = "out";
  const LaunchRun before = run({mismatch}, 4);
  CHECK(isMended(before, run({}, 3), mismatch, {}));
  CHECK_FALSE(isMended(before, run({}, 4), mismatch, {}));
}
