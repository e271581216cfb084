// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Trace.h"

#include <string>

namespace tilescope::profiler {

/// A trace as text for people: what it cost, what the warps spent their time on, and the lines that
/// took most of it.
std::string describeTrace(const TraceData &trace);

} // namespace tilescope::profiler
