// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Trace.h"

#include <string>

/// The trace inside a kernel as a part of a report's profile.
namespace tilescope::profiler {

/// What it cost, what warps did when, and the lines that took most of their time. `source`: the text
/// that the lines are of.
std::string traceHtml(const TraceData &trace, const std::string &source);
/// The same without pictures.
std::string traceMarkdown(const TraceData &trace);

} // namespace tilescope::profiler
