// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/report/BuildReport.h"
#include "compiler/access/picture/AccessPicture.h"

namespace tilescope::app {

/// The accesses of the launch as a table, a picture of the most wasteful of those to global memory
/// that a picture shows, and one of the first bulk copy.
void addAccesses(const ReportInputs &inputs, profiler::ReportKernel &kernel);

/// One request: a row for each line of 128 bytes, elements in the colors of their lanes. Long
/// pictures are cut, and the caption says so.
profiler::ReportDiagram requestDiagram(const compiler::access::RequestPicture &request,
                                       const compiler::AccessRecord &record);

} // namespace tilescope::app
