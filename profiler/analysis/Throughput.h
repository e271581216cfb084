// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Measurement.h"

#include <optional>
#include <vector>

namespace tilescope::profiler {

/// Median, extremes and the median's confidence from times in microseconds. At least one is needed.
TimeStats timeStats(std::vector<double> samplesUs);

/// Peak memory bandwidth in GB/s: two transfers per memory clock over the whole bus. Nothing when
/// the driver does not report the clock or the width.
std::optional<double> peakMemoryGbPerS(const DeviceInfo &device);

/// Peak of fp32 fused multiply-adds outside the matrix units, in TFLOP/s.
std::optional<double> peakFp32TflopPerS(const DeviceInfo &device);

/// Fills throughputs and fractions from the median time, the work and the device.
void deriveThroughput(Measurement &measurement);

/// A kernel's position under the roofline.
struct RooflinePoint {
  /// FLOP per byte.
  double intensity = 0;
  double tflopPerS = 0;
  /// The most that memory or arithmetic allow at this intensity.
  double attainableTflopPerS = 0;
  bool memoryBound = true;
};
/// Nothing when work, time or peaks are not known.
std::optional<RooflinePoint> rooflinePoint(const Measurement &measurement);

} // namespace tilescope::profiler
