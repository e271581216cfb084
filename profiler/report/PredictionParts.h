// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/report/ReportData.h"

#include <string>

/// A prediction beside what was measured, and counts of instructions, as parts of a report. Each is
/// empty where the measurement has none.
namespace tilescope::profiler {

std::string predictionHtml(const ReportKernel &kernel);
std::string executionsHtml(const ReportKernel &kernel);
std::string predictionMarkdown(const Measurement &measurement);
std::string executionsMarkdown(const Measurement &measurement);

} // namespace tilescope::profiler
