// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/DeviceRates.h"

#include <array>

namespace tilescope::compiler::estimate {

static constexpr double kMib = 1024.0 * 1024.0, kKib = 1024.0;

/// The first row of a target is the one that is meant where no device is named.
static constexpr auto kDevices = std::to_array<DeviceRates>({
    {.target = "cuda:80", .name = "A100 SXM", .multiprocessors = 108, .clockGhz = 1.41, .dramGbPerS = 1555,
     .l2Bytes = 40 * kMib, .l1Bytes = 192 * kKib, .l2BytesPerCycle = 32,
     .fmaLanes = 16, .aluLanes = 16, .specialLanes = 4, .fp64Lanes = 8,
     .warpTensorFlops = 512, .groupTensorFlops = 0,
     .sharedLatency = 23, .l2Latency = 200, .dramLatency = 470},
    {.target = "cuda:86", .name = "RTX 3090", .multiprocessors = 82, .clockGhz = 1.70, .dramGbPerS = 936,
     .l2Bytes = 6 * kMib, .l1Bytes = 128 * kKib, .l2BytesPerCycle = 24,
     .fmaLanes = 32, .aluLanes = 16, .specialLanes = 4, .fp64Lanes = 0.5,
     .warpTensorFlops = 128, .groupTensorFlops = 0,
     .sharedLatency = 23, .l2Latency = 240, .dramLatency = 480},
    {.target = "cuda:89", .name = "RTX 4090", .multiprocessors = 128, .clockGhz = 2.52, .dramGbPerS = 1008,
     .l2Bytes = 72 * kMib, .l1Bytes = 128 * kKib, .l2BytesPerCycle = 16,
     .fmaLanes = 32, .aluLanes = 16, .specialLanes = 4, .fp64Lanes = 0.5,
     .warpTensorFlops = 128, .groupTensorFlops = 0,
     .sharedLatency = 23, .l2Latency = 270, .dramLatency = 560},
    {.target = "cuda:89", .name = "L40S", .multiprocessors = 142, .clockGhz = 2.52, .dramGbPerS = 864,
     .l2Bytes = 96 * kMib, .l1Bytes = 128 * kKib, .l2BytesPerCycle = 16,
     .fmaLanes = 32, .aluLanes = 16, .specialLanes = 4, .fp64Lanes = 0.5,
     .warpTensorFlops = 256, .groupTensorFlops = 0,
     .sharedLatency = 23, .l2Latency = 270, .dramLatency = 560},
    {.target = "cuda:90", .name = "H100 SXM", .multiprocessors = 132, .clockGhz = 1.98, .dramGbPerS = 3352,
     .l2Bytes = 50 * kMib, .l1Bytes = 256 * kKib, .l2BytesPerCycle = 32,
     .fmaLanes = 32, .aluLanes = 16, .specialLanes = 4, .fp64Lanes = 16,
     .warpTensorFlops = 640, .groupTensorFlops = 1024,
     .sharedLatency = 29, .l2Latency = 270, .dramLatency = 800},
    {.target = "cuda:90", .name = "H200", .multiprocessors = 132, .clockGhz = 1.98, .dramGbPerS = 4815,
     .l2Bytes = 50 * kMib, .l1Bytes = 256 * kKib, .l2BytesPerCycle = 32,
     .fmaLanes = 32, .aluLanes = 16, .specialLanes = 4, .fp64Lanes = 16,
     .warpTensorFlops = 640, .groupTensorFlops = 1024,
     .sharedLatency = 29, .l2Latency = 270, .dramLatency = 800},
});

std::optional<DeviceRates> deviceRates(std::string_view target, std::string_view device) {
  const DeviceRates *first = nullptr;
  for (const DeviceRates &row : kDevices) {
    if (row.target != target)
      continue;
    if (first == nullptr)
      first = &row;
    // `NVIDIA H100 80GB HBM3` is the H100 SXM.
    const std::string_view model = row.name.substr(0, row.name.find(" SXM"));
    if (!device.empty() && device.find(model) != std::string_view::npos)
      return row;
  }
  // Another device of the target has other rates.
  if (first == nullptr || !device.empty())
    return std::nullopt;
  return *first;
}

} // namespace tilescope::compiler::estimate
