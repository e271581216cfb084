// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/RunLaunch.h"
#include "views/console/ConsoleModel.h"
#include "views/run/RunResults.h"

#include <QTemporaryDir>

#include <memory>
#include <vector>

// What the views show of a run that has ended.
namespace tilescope::app {

/// For the Run view; `folder` holds the outputs.
views::RunResultsPointer resultsOf(const LaunchRun &run, const views::RunStamp &stamp,
                                   std::shared_ptr<QTemporaryDir> folder);

/// What the kernel printed, what was found, and how the run ended.
std::vector<views::ConsoleLine> consoleLines(const LaunchRun &run,
                                             const views::RunResults &results);

} // namespace tilescope::app
