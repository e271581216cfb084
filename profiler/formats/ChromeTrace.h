// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/report/ReportData.h"

#include <string>

namespace tilescope::profiler {

/// The measured launches as a trace for Perfetto and Chrome: a process for each device, a row for
/// each kernel, and the launches one behind the other in the order in which they were measured.
/// Only how long each took is known: what lay between two of them is left out. A trace inside a
/// kernel is a process for each of its programs, with a row for each warp, and rows for what was
/// under way beside it.
std::string chromeTrace(const ReportData &data);

} // namespace tilescope::profiler
