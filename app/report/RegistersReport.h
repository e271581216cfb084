// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/report/BuildReport.h"

namespace tilescope::app {

/// What is alive where the most registers are, and a drawing of how many are alive over the
/// program: of machine code, else of PTX.
void addRegisters(const ReportInputs &inputs, profiler::ReportKernel &kernel);

} // namespace tilescope::app
