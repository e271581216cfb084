// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Occupancy.h"

#include <algorithm>
#include <charconv>

namespace tilescope::profiler {

std::optional<SmLimits> smLimits(int computeCapability) {
  constexpr int64_t kKib = 1024;
  switch (computeCapability) {
  case 80:
    return SmLimits{64, 32, 65536, 164 * kKib, kKib};
  case 86:
    return SmLimits{48, 16, 65536, 100 * kKib, kKib};
  case 87:
    return SmLimits{48, 16, 65536, 164 * kKib, kKib};
  case 89:
    return SmLimits{48, 24, 65536, 100 * kKib, kKib};
  case 90:
  case 100:
  case 103:
    return SmLimits{64, 32, 65536, 228 * kKib, kKib};
  case 120:
  case 121:
    return SmLimits{48, 24, 65536, 100 * kKib, kKib};
  default:
    return std::nullopt;
  }
}

std::optional<SmLimits> smLimits(const DeviceInfo &device) {
  std::optional<SmLimits> limits = smLimits(device.computeMajor * 10 + device.computeMinor);
  if (device.threadsPerSm <= 0 || device.blocksPerSm <= 0 || device.registersPerSm <= 0 ||
      device.sharedBytesPerSm <= 0)
    return limits;
  return SmLimits{device.threadsPerSm / 32, device.blocksPerSm, device.registersPerSm,
                  device.sharedBytesPerSm, device.reservedSharedBytesPerBlock};
}

static int64_t roundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

Occupancy occupancy(const SmLimits &limits, const KernelResources &kernel) {
  // Registers are given to warps in units of 256, and to a block's warps in groups of four, one
  // for each of the multiprocessor's partitions. Shared memory comes in units of 128 bytes.
  constexpr int64_t kRegisterUnit = 256, kWarpGroup = 4, kSharedUnit = 128;
  int64_t warps = std::max<int64_t>(1, (kernel.threads + 31) / 32);
  int64_t byWarps = limits.warps / warps;
  int64_t byBlocks = limits.blocks;
  int64_t byRegisters = byBlocks;
  if (kernel.registersPerThread > 0) {
    int64_t perWarp = roundUp(kernel.registersPerThread * 32, kRegisterUnit);
    int64_t warpsByRegisters = limits.registers / perWarp / kWarpGroup * kWarpGroup;
    byRegisters = warpsByRegisters / warps;
  }
  int64_t perBlock = roundUp(kernel.sharedBytes + limits.reservedSharedBytes, kSharedUnit);
  int64_t byShared = perBlock > 0 ? limits.sharedBytes / perBlock : byBlocks;

  Occupancy result;
  result.blocksByLimit = {int32_t(byWarps), int32_t(byBlocks), int32_t(byRegisters),
                          int32_t(byShared)};
  result.blocksPerSm = *std::min_element(result.blocksByLimit.begin(), result.blocksByLimit.end());
  result.warpsPerSm = int32_t(result.blocksPerSm * warps);
  result.maxWarpsPerSm = limits.warps;
  result.fraction = double(result.warpsPerSm) / double(limits.warps);
  constexpr const char *kNames[4] = {"warps", "blocks", "registers", "shared memory"};
  for (size_t i = 0; i < 4; ++i)
    if (result.blocksByLimit[i] == result.blocksPerSm)
      result.limiter += (result.limiter.empty() ? "" : ", ") + std::string(kNames[i]);
  return result;
}

std::optional<SmLimits> smLimits(std::string_view target) {
  constexpr std::string_view kCuda = "cuda:";
  int capability = 0;
  if (target.starts_with(kCuda))
    std::from_chars(target.data() + kCuda.size(), target.data() + target.size(), capability);
  return smLimits(capability);
}

std::optional<Occupancy> occupancyOn(std::string_view target, const KernelResources &kernel) {
  const std::optional<SmLimits> limits = smLimits(target);
  if (!limits || kernel.registersPerThread < 0)
    return std::nullopt;
  return occupancy(*limits, kernel);
}

} // namespace tilescope::profiler
