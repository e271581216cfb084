// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/OutputFaults.h"

#include "compiler/artifacts/RunFindings.h"
#include "profiler/data/Tensor.h"

#include <algorithm>
#include <cstdio>
#include <string>

namespace tilescope::app {

using compiler::Diagnostic;
using profiler::OutputResult;

/// Whether a finding warns about an output.
static bool isTold(const OutputResult &output, const std::vector<Diagnostic> &findings) {
  return std::ranges::any_of(findings, [&](const Diagnostic &each) {
    return each.severity != compiler::Severity::Note &&
           (compiler::concerns(each, output.name) || compiler::takesPart(each, output.name));
  });
}

/// Where the kernel first writes to an output; empty: that is not known.
static SourceRange storeOf(const LaunchRun &run, const std::string &output) {
  const auto facts = std::ranges::find(run.roundings, output, &compiler::RoundingFacts::argument);
  return facts == run.roundings.end() || facts->stores.empty() ? SourceRange()
                                                               : facts->stores.front();
}

static Diagnostic faultOf(const LaunchRun &run, const OutputResult &output, int64_t number,
                          const char *verb, const char *what) {
  Diagnostic fault;
  fault.kind = compiler::DiagnosticKind::RunUndefined;
  fault.severity = compiler::Severity::Warning;
  fault.cause.subject = output.name;
  fault.range = storeOf(run, output.name);
  const int64_t whole = profiler::numElements(output.shape);
  const std::string said = " elements of `" + output.name + "` " + verb + " " + what;
  if (number == whole) {
    fault.message = "all " + std::to_string(whole) + said;
    return fault;
  }
  char share[32];
  std::snprintf(share, sizeof(share), " (%.3g %%)",
                100.0 * static_cast<double>(number) / static_cast<double>(whole));
  fault.message = std::to_string(number) + " of " + std::to_string(whole) + said + share;
  return fault;
}

std::vector<Diagnostic> outputFaults(const LaunchRun &run) {
  std::vector<Diagnostic> faults;
  if (!run.measurement)
    return faults;
  for (const OutputResult &output : run.measurement->outputs) {
    const bool isCompared = output.comparison && !output.isUnchecked();
    if (isCompared || isTold(output, run.diagnostics) || storeOf(run, output.name).empty())
      continue;
    const int64_t unwritten = output.neverWritten.value_or(0), numNan = output.numNan.value_or(0);
    const bool isGuess = output.isShapeGuess || output.isGridGuess;
    if (unwritten > 0 && !isGuess)
      faults.push_back(
          faultOf(run, output, unwritten, unwritten == 1 ? "was" : "were", "never written"));
    if (numNan > 0)
      faults.push_back(faultOf(run, output, numNan, numNan == 1 ? "is" : "are", "NaN"));
  }
  return faults;
}

} // namespace tilescope::app
