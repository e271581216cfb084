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
  // A few of many are right by chance.
  CHECK_FALSE(isMended(run({mismatch}, 350), run({}, 343), mismatch, {}));
  CHECK(isMended(run({mismatch}, 350), run({}, 300), mismatch, {}));
}

TEST_CASE("an access that a mask keeps inside is doubted where its output is as wrong with it",
          "[app]") {
  Diagnostic outside = finding(DiagnosticKind::RunAccessOutside, 5);
  outside.message = "program 0 reads `x[20]`, past its last element 19; its `mask` must be `i < n`";
  CHECK(leftAsWrong(run({outside}, 4), run({}, 4)) == "out");
  CHECK(leftAsWrong(run({outside}, 4), run({}, 3)).empty());
  CHECK(leftAsWrong(run({outside}, 0), run({}, 0)).empty());
  const compiler::DiagnosticFix mask{{{5, 19}, {5, 19}, 0}, ", mask=i < n", ""};
  const compiler::DiagnosticFix stride{{{5, 9}, {5, 10}, 0}, "n", ""};
  Diagnostic mended = outside;
  mended.fixes = {stride, mask};
  doubtIndex(mended, {0, "out", {mask}});
  CHECK(mended.fixes == std::vector{stride});
  CHECK(mended.notes.empty());
  outside.fixes = {mask};
  doubtIndex(outside, {0, "out", {mask}});
  CHECK(outside.fixes.size() == 1);
  CHECK(outside.message == "program 0 reads `x[20]`, past its last element 19");
  REQUIRE(outside.notes.size() == 1);
  CHECK(outside.notes[0].find("as many elements of `out` differ then: the index itself may be") !=
        std::string::npos);
}
