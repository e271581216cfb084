// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/DeviceRates.h"

#include <array>

namespace tilescope::compiler::estimate {

static constexpr double kMib = 1024.0 * 1024.0, kKib = 1024.0;

static constexpr DeviceRates kA100{.target = "cuda:80",
                                   .name = "A100 SXM",
                                   .driverName = "NVIDIA A100-SXM4-40GB",
                                   .multiprocessors = 108,
                                   .clockGhz = 1.41,
                                   .dramGbPerS = 1555,
                                   .l2Bytes = 40 * kMib,
                                   .l1Bytes = 192 * kKib,
                                   .l2BytesPerCycle = 47,
                                   .fmaLanes = 16,
                                   .aluLanes = 16,
                                   .specialLanes = 4,
                                   .fp64Lanes = 8,
                                   .warpTensorFlops = 512,
                                   .groupTensorFlops = 0,
                                   .sharedLatency = 23,
                                   .l2Latency = 200,
                                   .dramLatency = 470};

static constexpr DeviceRates kH100{.target = "cuda:90",
                                   .name = "H100 SXM",
                                   .driverName = "NVIDIA H100 80GB HBM3",
                                   .multiprocessors = 132,
                                   .clockGhz = 1.98,
                                   .dramGbPerS = 3352,
                                   .l2Bytes = 50 * kMib,
                                   .l1Bytes = 256 * kKib,
                                   .l2BytesPerCycle = 64,
                                   .fmaLanes = 32,
                                   .aluLanes = 16,
                                   .specialLanes = 4,
                                   .fp64Lanes = 16,
                                   .warpTensorFlops = 640,
                                   .groupTensorFlops = 1024,
                                   .sharedLatency = 29,
                                   .l2Latency = 270,
                                   .dramLatency = 800};

/// The same chip with memory of another speed.
static constexpr DeviceRates withMemory(DeviceRates rates, const char *name, const char *driverName,
                                        double dramGbPerS) {
  rates.name = name;
  rates.driverName = driverName;
  rates.dramGbPerS = dramGbPerS;
  return rates;
}

/// The first row of a target is the one that is meant where no device is named.
static constexpr auto kDevices = std::to_array<DeviceRates>({
    kA100,
    withMemory(kA100, "A100 SXM 80 GB", "NVIDIA A100-SXM4-80GB", 2039),
    {.target = "cuda:86",
     .name = "RTX 3090",
     .driverName = "NVIDIA GeForce RTX 3090",
     .multiprocessors = 82,
     .clockGhz = 1.70,
     .dramGbPerS = 936,
     .l2Bytes = 6 * kMib,
     .l1Bytes = 128 * kKib,
     .l2BytesPerCycle = 24,
     .fmaLanes = 32,
     .aluLanes = 16,
     .specialLanes = 4,
     .fp64Lanes = 0.5,
     .warpTensorFlops = 128,
     .groupTensorFlops = 0,
     .sharedLatency = 23,
     .l2Latency = 240,
     .dramLatency = 480},
    {.target = "cuda:89",
     .name = "RTX 4090",
     .driverName = "NVIDIA GeForce RTX 4090",
     .multiprocessors = 128,
     .clockGhz = 2.52,
     .dramGbPerS = 1008,
     .l2Bytes = 72 * kMib,
     .l1Bytes = 128 * kKib,
     .l2BytesPerCycle = 16,
     .fmaLanes = 32,
     .aluLanes = 16,
     .specialLanes = 4,
     .fp64Lanes = 0.5,
     .warpTensorFlops = 128,
     .groupTensorFlops = 0,
     .sharedLatency = 23,
     .l2Latency = 270,
     .dramLatency = 560},
    {.target = "cuda:89",
     .name = "L40S",
     .driverName = "NVIDIA L40S",
     .multiprocessors = 142,
     .clockGhz = 2.52,
     .dramGbPerS = 864,
     .l2Bytes = 96 * kMib,
     .l1Bytes = 128 * kKib,
     .l2BytesPerCycle = 16,
     .fmaLanes = 32,
     .aluLanes = 16,
     .specialLanes = 4,
     .fp64Lanes = 0.5,
     .warpTensorFlops = 256,
     .groupTensorFlops = 0,
     .sharedLatency = 23,
     .l2Latency = 270,
     .dramLatency = 560},
    kH100,
    withMemory(kH100, "H200", "NVIDIA H200", 4815),
    // Its products in tensor memory are not compiled to; those of warps are taken to be as fast as the
    // H100's.
    {.target = "cuda:100",
     .name = "B200",
     .driverName = "NVIDIA B200",
     .multiprocessors = 148,
     .clockGhz = 1.97,
     .dramGbPerS = 7680,
     .l2Bytes = 126 * kMib,
     .l1Bytes = 256 * kKib,
     .l2BytesPerCycle = 64,
     .fmaLanes = 32,
     .aluLanes = 16,
     .specialLanes = 4,
     .fp64Lanes = 16,
     .warpTensorFlops = 640,
     .groupTensorFlops = 0,
     .sharedLatency = 29,
     .l2Latency = 295,
     .dramLatency = 800},
    {.target = "cuda:120",
     .name = "RTX 5090",
     .driverName = "NVIDIA GeForce RTX 5090",
     .multiprocessors = 170,
     .clockGhz = 2.41,
     .dramGbPerS = 1792,
     .l2Bytes = 96 * kMib,
     .l1Bytes = 128 * kKib,
     .l2BytesPerCycle = 16,
     .fmaLanes = 32,
     .aluLanes = 16,
     .specialLanes = 4,
     .fp64Lanes = 0.5,
     .warpTensorFlops = 128,
     .groupTensorFlops = 0,
     .sharedLatency = 23,
     .l2Latency = 270,
     .dramLatency = 560},
});

std::optional<DeviceRates> deviceRates(std::string_view target, std::string_view device) {
  for (const DeviceRates &row : kDevices)
    if (row.target == target && (device.empty() || row.driverName == device))
      return row;
  return std::nullopt;
}

} // namespace tilescope::compiler::estimate
