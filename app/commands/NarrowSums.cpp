// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/NarrowSums.h"

#include "app/commands/OutputChecks.h"
#include "app/commands/TrialRun.h"
#include "profiler/analysis/Comparison.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace tilescope::app {

using compiler::Diagnostic;
using profiler::OutputResult;

/// Distances from 1 to the next number of fp16 and of bf16.
static constexpr double kOfFp16 = 1.0 / 1024, kOfBf16 = 1.0 / 128;

/// The type of 16 bits that sums on the way to an output are rounded to; empty: none.
static std::string narrowSums(const LaunchRun &run, const OutputResult &output) {
  const auto facts =
      std::ranges::find(run.roundings, output.name, &compiler::RoundingFacts::argument);
  if (facts == run.roundings.end() || facts->isAssumed)
    return "";
  const double epsilon = std::max(facts->sums.epsilon, facts->steps.precision.epsilon);
  return epsilon == kOfFp16 ? "fp16" : epsilon == kOfBf16 ? "bf16" : "";
}

static void explainSums(const OutputResult &output, const std::string &type,
                        std::vector<Diagnostic> &diagnostics) {
  for (Diagnostic &each : diagnostics)
    if (each.kind == compiler::DiagnosticKind::RunMismatch && each.cause.subject == output.name)
      each.notes.push_back("sums that are rounded to " + type +
                           " at each step are the cause: with sums in fp32, `" + output.name +
                           "` is as expected");
}

/// Says what rounding the sums costs, where that is a lot.
static void noteCost(LaunchRun &run, const OutputResult &output, const OutputResult &wide,
                     const std::string &type) {
  constexpr double kALot = 8;
  const double error = output.comparison->maxAbsError, wideError = wide.comparison->maxAbsError;
  if (error > kALot * wideError)
    run.measurement->notes.push_back(
        fmt::format("`{}` matches as far as sums in {} go; with sums in fp32, its largest error is "
                    "{:.3g} instead of {:.3g}",
                    output.name, type, wideError, error));
}

static void settle(LaunchRun &run, OutputResult &output, const OutputResult &wide,
                   const std::string &type) {
  profiler::OutputComparison &comparison = *output.comparison;
  if (!comparison.ok()) {
    if (wide.comparison->ok())
      explainSums(output, type, run.diagnostics);
    return;
  }
  if (comparison.doubt != profiler::MatchDoubt::None)
    return;
  if (wide.comparison->ok())
    return noteCost(run, output, wide, type);
  comparison.doubt = profiler::MatchDoubt::NarrowSums;
  comparison.differWide = wide.comparison->mismatches;
  run.measurement->notes.push_back("`" + output.name + "` matches" + profiler::doubtText(output));
}

void settleNarrowSums(compiler::WorkerClient &worker, const LaunchRequest &request,
                      const LaunchHooks &hooks, LaunchRun &run) {
  if (!run.measurement || request.place.kind != RunPlace::Kind::Cpu)
    return;
  std::vector<OutputResult> &outputs = run.measurement->outputs;
  const bool isWanted = std::ranges::any_of(outputs, [&](const OutputResult &output) {
    return isComparedWithExpected(output) && !narrowSums(run, output).empty();
  });
  if (!isWanted || hooks.runner.stop.stop_requested())
    return;
  LaunchRequest trial = trialOf(request);
  trial.widensFloats = true;
  const LaunchRun wide = runTrial(worker, trial, hooks.runner.stop);
  if (!wide.measurement)
    return;
  for (OutputResult &output : outputs) {
    const std::string type = isComparedWithExpected(output) ? narrowSums(run, output) : "";
    const auto same =
        std::ranges::find(wide.measurement->outputs, output.name, &OutputResult::name);
    if (!type.empty() && same != wide.measurement->outputs.end() && isComparedWithExpected(*same))
      settle(run, output, *same, type);
  }
}

} // namespace tilescope::app
