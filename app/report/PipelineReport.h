// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/report/BuildReport.h"

namespace tilescope::app {

/// Adds the kernel's loops, with pictures of those that are pipelined.
void addLoops(const ReportInputs &inputs, profiler::ReportKernel &kernel);

/// A loop as an SVG, in the light theme; nothing where nothing is known of it.
std::optional<profiler::ReportDiagram> pipelineDiagram(const compiler::LoopFacts &facts);

} // namespace tilescope::app
