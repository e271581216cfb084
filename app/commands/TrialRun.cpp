// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/TrialRun.h"

namespace tilescope::app {

LaunchRequest trialOf(const LaunchRequest &request) {
  LaunchRequest trial = request;
  trial.isTrial = true;
  if (trial.place.kind != RunPlace::Kind::Cpu)
    trial.executor = compiler::CpuExecutor::Interpreter;
  trial.place = {};
  trial.place.kind = RunPlace::Kind::Cpu;
  trial.dumpFolder.clear();
  trial.compare = trial.isProfile = false;
  trial.repeats = 0;
  return trial;
}

LaunchRun runTrial(compiler::WorkerClient &worker, const LaunchRequest &trial,
                   const std::stop_token &stop) {
  LaunchHooks hooks;
  hooks.runner.stop = stop;
  return runLaunch(worker, trial, hooks);
}

} // namespace tilescope::app
