// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace tilescope::profiler {

/// Counters that a device keeps of all that runs on it, from one moment to another: they need no
/// permission and no CUPTI, and do not tell one kernel from another. So the kernel was launched again
/// and again meanwhile.
struct DeviceWideData {
  /// Between both moments.
  double seconds = 0;
  /// Of the kernel, meanwhile.
  int64_t launches = 0;
  /// By name, as the table below has them: shares of the time, or of what the device could do, from
  /// 0 to 1.
  std::map<std::string, double> values;
  bool operator==(const DeviceWideData &) const = default;
};

struct DeviceWideCounter {
  std::string_view name;
  std::string_view label;
  std::string_view description;
  /// NVML's number of it.
  uint32_t gpmId = 0;
};

inline constexpr auto kDeviceWideCounters = std::to_array<DeviceWideCounter>({
    {"sm_active", "Multiprocessors busy", "share of the multiprocessors that had a warp", 2},
    {"sm_occupancy", "Warps resident", "share of the warps that the device has room for", 3},
    {"dram_active", "DRAM bandwidth", "share of the bandwidth that was used", 10},
    {"tensor_active", "Tensor cores", "share of the time in which they worked, of all types", 5},
    {"hmma_active", "Tensor cores, fp16 and bf16", "the same for half precision", 7},
    {"imma_active", "Tensor cores, integers", "the same for integers", 9},
    {"dmma_active", "Tensor cores, fp64", "the same for double precision", 6},
    {"fp32_active", "fp32 pipes", "share of the time in which they worked", 12},
    {"fp16_active", "fp16 pipes", "share of the time in which they worked", 13},
    {"fp64_active", "fp64 pipes", "share of the time in which they worked", 11},
    {"integer_active", "Integer pipes", "share of the time in which they worked", 4},
});

} // namespace tilescope::profiler
