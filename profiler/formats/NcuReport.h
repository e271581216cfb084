// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/report/ReportData.h"

#include <string_view>
#include <vector>

/// Reports of Nsight Compute (`.ncu-rep`).
namespace tilescope::profiler {

/// With which they begin.
inline constexpr std::string_view kNcuReportMagic = "NVR";

/// A kernel for each launch: its counters, samples and counts by instruction, and, where the
/// report has the machine code with its lines, both by line; the source, where it was imported
/// (`ncu --import-source yes`). The error says at which byte.
Result<std::vector<ReportKernel>> readNcuReport(std::string_view bytes);

} // namespace tilescope::profiler
