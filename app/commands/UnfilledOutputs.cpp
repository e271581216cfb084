// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/UnfilledOutputs.h"

#include "app/commands/OutputChecks.h"
#include "app/commands/TrialRun.h"
#include "app/launch/ResolveLaunch.h"
#include "profiler/data/Tensor.h"

#include <algorithm>

namespace tilescope::app {

using compiler::Diagnostic;
using profiler::OutputResult;

/// Whether an output is as expected, and may owe that to what it began with.
static bool isInQuestion(const LaunchRun &run, const OutputResult &output) {
  const profiler::PlanArgument *argument = run.plan->argument(output.name);
  const auto facts =
      std::ranges::find(run.roundings, output.name, &compiler::RoundingFacts::argument);
  return isComparedWithExpected(output) && output.comparison->ok() &&
         !isToldUndefined(output.name, run.diagnostics) && argument &&
         argument->tensor()->init.kind == profiler::TensorInit::Kind::Poison &&
         facts != run.roundings.end() && facts->isBuiltOn;
}

static Diagnostic unfilled(const LaunchRequest &request, const std::string &output) {
  Diagnostic finding;
  finding.kind = compiler::DiagnosticKind::RunUndefined;
  finding.severity = compiler::Severity::Warning;
  finding.range = argumentRange(request.source(), output);
  finding.cause.subject = output;
  finding.message = "the kernel reads `" + output +
                    "`, but nothing fills it before the launch: with other numbers in that "
                    "memory, the result is not as expected; give it an `init`";
  return finding;
}

void findUnfilled(compiler::WorkerClient &worker, const LaunchRequest &request,
                  const LaunchHooks &hooks, LaunchRun &run) {
  if (!run.measurement || !run.plan || request.place.kind != RunPlace::Kind::Cpu ||
      !request.inputFolder.empty())
    return;
  // A maximum passes over small numbers, a minimum over large ones.
  for (const MemoryFill fill : {MemoryFill::Large, MemoryFill::Small}) {
    std::vector<std::string> doubted;
    for (const OutputResult &output : run.measurement->outputs)
      if (isInQuestion(run, output))
        doubted.push_back(output.name);
    if (doubted.empty() || hooks.runner.stop.stop_requested())
      return;
    LaunchRequest trial = trialOf(request);
    trial.fill = fill;
    const LaunchRun other = runTrial(worker, trial, hooks.runner.stop);
    if (!other.measurement)
      return;
    for (const OutputResult &output : other.measurement->outputs)
      if (isComparedWithExpected(output) && !output.comparison->ok() &&
          std::ranges::find(doubted, output.name) != doubted.end())
        run.diagnostics.push_back(unfilled(request, output.name));
  }
}

} // namespace tilescope::app
