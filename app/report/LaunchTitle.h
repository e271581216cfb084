// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/report/BuildReport.h"
#include "profiler/package/LaunchBlock.h"

namespace tilescope::app {

/// The launch block that the report is about.
std::optional<profiler::LaunchBlock> ownBlock(const ReportInputs &inputs);

/// Says which of the file's launches a report is of, with the configuration that it was compiled with,
/// and which ones it leaves out.
void addLaunchTitle(const ReportInputs &inputs, profiler::ReportKernel &kernel);

} // namespace tilescope::app
