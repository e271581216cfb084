// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/report/BuildReport.h"

namespace tilescope::app {

/// The conversions of the launch as a table, and a picture of the dearest of those that move
/// something between lanes.
void addConversions(const ReportInputs &inputs, profiler::ReportKernel &kernel);

/// Both layouts side by side, a row for each lane of the first warps, with arrows for what one lane
/// receives. Large ones are cut, and the caption says so. Nothing where there is nothing to draw.
std::optional<profiler::ReportDiagram> conversionDiagram(const compiler::ConversionFacts &facts);

} // namespace tilescope::app
