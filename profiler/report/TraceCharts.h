// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Trace.h"

#include <string>

/// Traces as inline SVG. Colors are CSS classes of the page.
namespace tilescope::profiler {

/// When the warps of a program executed what, and what was under way; empty where it was not traced.
std::string traceChart(const TraceData &trace, int64_t program);
/// The kinds of operations that the charts of a trace have, by color and by letter.
std::string traceLegend(const TraceData &trace);

} // namespace tilescope::profiler
