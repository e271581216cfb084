// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/report/BuildReport.h"
#include "compiler/access/arrays/TouchedArrays.h"

namespace tilescope::app {

/// What the programs of the launch touch: a row for each argument, what those that run at the same
/// time share, and a picture of one program.
void addPrograms(const ReportInputs &inputs, profiler::ReportKernel &kernel);

/// The arrays beside each other, with what a program touches in one step and in all.
profiler::ReportDiagram programDiagram(const compiler::access::TouchedArrays &arrays,
                                       uint64_t program, uint32_t step);

} // namespace tilescope::app
