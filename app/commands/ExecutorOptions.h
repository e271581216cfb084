// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/Commands.h"
#include "app/commands/RunLaunch.h"

namespace tilescope::app {

/// Declares the options that say what executes a run on the CPU.
void addExecutorOptions(CLI::App &command, ExecutorOptions &options);

/// Whether they fit where and for what the kernel runs.
Status checkExecutor(const ExecutorOptions &options, const RunSelection &run);

compiler::CpuExecutor executorOf(const ExecutorOptions &options, const RunSelection &run);

} // namespace tilescope::app
