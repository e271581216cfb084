// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/UnfilledOutputs.h"

#include "app/commands/OutputChecks.h"
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
  const bool isFound = std::ranges::any_of(run.diagnostics, [&](const Diagnostic &each) {
    return each.kind == compiler::DiagnosticKind::RunUndefined && each.cause.subject == output.name;
  });
  return isComparedWithExpected(output) && output.comparison->ok() && !isFound && argument &&
         argument->tensor()->init.kind == profiler::TensorInit::Kind::Poison &&
         facts != run.roundings.end() && facts->isBuiltOn;
}

static Diagnostic unfilled(const LaunchRequest &request, const std::string &output) {
  Diagnostic finding;
  finding.kind = compiler::DiagnosticKind::RunUndefined;
  finding.severity = compiler::Severity::Warning;
  compiler::CompileRequest source;
  source.text = request.input.text;
  source.entry = request.input.entry;
  source.selection = request.selection;
  finding.range = argumentRange(source, output);
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
    LaunchRequest trial = request;
    trial.isTrial = true;
    trial.fill = fill;
    trial.dumpFolder.clear();
    trial.repeats = 0;
    LaunchHooks quiet;
    quiet.runner.stop = hooks.runner.stop;
    const LaunchRun other = runLaunch(worker, trial, quiet);
    if (!other.measurement)
      return;
    for (const OutputResult &output : other.measurement->outputs)
      if (isComparedWithExpected(output) && !output.comparison->ok() &&
          std::ranges::find(doubted, output.name) != doubted.end())
        run.diagnostics.push_back(unfilled(request, output.name));
  }
}

} // namespace tilescope::app
