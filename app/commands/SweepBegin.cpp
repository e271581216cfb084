// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SweepBegin.h"

#include "app/commands/DiagnosticText.h"
#include "app/commands/RunLaunch.h"

#include <thread>

namespace tilescope::app {

Result<PlannedSweep> readSweep(const SweepOptions &options, const compiler::Selection &selection,
                               size_t mostPoints) {
  Result<InputFile> input = readInput(options.file, selection.kernel);
  if (!input)
    return input.error();
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  Result<SweepPlan> plan = planSweep(worker, *input, selection, options.over, mostPoints);
  if (!plan)
    return plan.error();
  return PlannedSweep{std::move(*input), std::move(*plan)};
}

std::optional<int> reportNoSweep(const Result<PlannedSweep> &planned, bool json) {
  if (!planned)
    return reportError(planned.error(), json);
  const SweepPlan &plan = planned->plan;
  if (!plan.sweep.axes.empty())
    return std::nullopt;
  printDiagnostics(plan.diagnostics, plan.files);
  if (json)
    printJson({{"ok", false}});
  return 1;
}

SweepRunOptions sweepRunOptions(const SweepOptions &options, const InputFile &input,
                                const compiler::Selection &selection,
                                const std::vector<SweepGpu> &gpus) {
  SweepRunOptions sweeping;
  sweeping.input = input;
  sweeping.selection = selection;
  sweeping.gpus = gpus;
  // Stated, the target is that of all.
  sweeping.usesOwnTargets = options.selection.target.empty();
  sweeping.jobs = options.jobs != 0 ? options.jobs : std::thread::hardware_concurrency();
  sweeping.coldL2 = !options.warmL2;
  sweeping.predicts = true;
  sweeping.timeLimit = options.timeLimit;
  return sweeping;
}

} // namespace tilescope::app
