// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Measurement.h"

#include <string>

/// Inline SVG of the parts of a profile; empty where nothing of it was measured. Colors are CSS
/// classes of the page.
namespace tilescope::profiler {

/// How near the parts of the device came to what they can sustain.
std::string speedOfLightChart(const CounterData &counters);
/// How busy the pipes were.
std::string pipeChart(const CounterData &counters);
/// The warps that could be resident, and those that were.
std::string occupancyChart(const Measurement &measurement);
/// How long a warp was in which state between two of its instructions.
std::string warpStateChart(const CounterData &counters);
/// The roofs of L1, L2 and DRAM, the peaks of the units that the kernel used, and where it stands
/// under each roof.
std::string measuredRooflineChart(const CounterData &counters);
/// What flowed between registers, L1, shared memory, L2 and DRAM.
std::string memoryChart(const CounterData &counters);

} // namespace tilescope::profiler
