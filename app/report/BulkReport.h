// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/report/BuildReport.h"

namespace tilescope::app {

/// What one execution of a bulk copy moves, as an SVG in the light theme: the block in its tensor,
/// and below the block's rows in chunks of 16 bytes, in the colors of the banks that each goes to.
/// Many rows are cut, and the caption says so. Nothing where no execution was recorded.
std::optional<profiler::ReportDiagram> bulkDiagram(const compiler::RecordedBulkCopy &copy,
                                                   const compiler::AccessRecord &record);

} // namespace tilescope::app
