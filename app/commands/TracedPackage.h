// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/MakePackage.h"
#include "app/commands/RunnerClient.h"
#include "app/commands/TraceChoice.h"

namespace tilescope::app {

/// A launch whose kernel is to be traced.
struct TracedLaunch {
  const InputFile &input;
  /// As the plain kernel was compiled with it.
  const compiler::Selection &selection;
  const TraceChoice &choice;
  const profiler::KernelPackage &plain;
};

/// Compiles the kernel with clock reads, too, for the runner to launch beside the plain one. Where
/// that fails, the measurement gets the reason from `addUntraced`.
Status addTraced(compiler::WorkerClient &worker, const TracedLaunch &launch,
                 const std::stop_token &stop, LaunchOptions &options);

/// Why nothing was traced.
void addUntraced(const Error &reason, profiler::Measurement &measurement);

} // namespace tilescope::app
