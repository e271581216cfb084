// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Measurement.h"

#include <string>

/// Inline SVG for reports. Colors are CSS classes of the page.
namespace tilescope::profiler {

/// Achieved bandwidth beside the measured copy and the device's peak; empty without a bandwidth.
std::string bandwidthChart(const Measurement &measurement);
/// The roofline with this kernel's point; empty without work, time or peaks.
std::string rooflineChart(const Measurement &measurement);
/// How often which time was measured; empty without single times.
std::string timeHistogram(const TimeStats &time);

} // namespace tilescope::profiler
