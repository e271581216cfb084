// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/report/BuildReport.h"

namespace tilescope::app {

/// Adds what the kernel keeps in shared memory: a table, the map of who has which bytes when, and
/// one request of the access that conflicts most.
void addSharedMemory(const ReportInputs &inputs, profiler::ReportKernel &kernel);

/// The map as an SVG, in the light theme.
profiler::ReportDiagram sharedMapDiagram(const compiler::SharedFacts &facts,
                                         const std::string &source);

} // namespace tilescope::app
