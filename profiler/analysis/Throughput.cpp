// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Throughput.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tilescope::profiler {

TimeStats timeStats(std::vector<double> samplesUs) {
  assert(!samplesUs.empty() && "no times to summarize");
  TimeStats stats;
  stats.samples = samplesUs;
  std::sort(samplesUs.begin(), samplesUs.end());
  size_t n = samplesUs.size();
  stats.n = int64_t(n);
  stats.min = samplesUs.front();
  stats.max = samplesUs.back();
  stats.median = n % 2 ? samplesUs[n / 2] : (samplesUs[n / 2 - 1] + samplesUs[n / 2]) / 2;
  // The median lies between these order statistics with 95 % confidence, whatever the distribution.
  double half = 0.98 * std::sqrt(double(n));
  auto rank = [&](double position) {
    return samplesUs[size_t(std::clamp(position, 0.0, double(n - 1)))];
  };
  double low = rank(std::floor(double(n) / 2 - half)), high = rank(std::ceil(double(n) / 2 + half));
  stats.spread = stats.median > 0 ? (high - low) / 2 / stats.median : 0;
  return stats;
}

std::optional<double> peakMemoryGbPerS(const DeviceInfo &device) {
  if (device.memoryClockKHz <= 0 || device.memoryBusBits <= 0)
    return std::nullopt;
  return 2.0 * double(device.memoryClockKHz) * 1e3 * double(device.memoryBusBits) / 8 / 1e9;
}

std::optional<double> peakFp32TflopPerS(const DeviceInfo &device) {
  if (device.smClockKHz <= 0 || device.numSms <= 0)
    return std::nullopt;
  // Compute capability 8.0 has 64 fp32 lanes per multiprocessor, those after it 128.
  double lanes = device.computeMajor == 8 && device.computeMinor == 0 ? 64 : 128;
  return 2 * lanes * double(device.numSms) * double(device.smClockKHz) * 1e3 / 1e12;
}

void deriveThroughput(Measurement &measurement) {
  measurement.peakGbPerS = peakMemoryGbPerS(measurement.device);
  measurement.peakFp32TflopPerS = peakFp32TflopPerS(measurement.device);
  if (!measurement.timeUs || measurement.timeUs->median <= 0)
    return;
  double seconds = measurement.timeUs->median * 1e-6;
  if (measurement.bytes)
    measurement.gbPerS = *measurement.bytes / seconds / 1e9;
  if (measurement.flops)
    measurement.tflopPerS = *measurement.flops / seconds / 1e12;
  if (measurement.gbPerS && measurement.peakGbPerS)
    measurement.peakFraction = *measurement.gbPerS / *measurement.peakGbPerS;
}

std::optional<RooflinePoint> rooflinePoint(const Measurement &measurement) {
  if (!measurement.tflopPerS || !measurement.bytes || *measurement.bytes <= 0 ||
      !measurement.peakGbPerS || !measurement.peakFp32TflopPerS)
    return std::nullopt;
  RooflinePoint point;
  point.intensity = *measurement.flops / *measurement.bytes;
  point.tflopPerS = *measurement.tflopPerS;
  double byMemory = point.intensity * *measurement.peakGbPerS / 1e3;
  point.memoryBound = byMemory < *measurement.peakFp32TflopPerS;
  point.attainableTflopPerS = std::min(byMemory, *measurement.peakFp32TflopPerS);
  return point;
}

} // namespace tilescope::profiler
