// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Measurement.h"

#include <optional>
#include <string_view>

namespace tilescope::profiler {

/// What one multiprocessor has, and in what units it hands it out.
struct SmLimits {
  int32_t warps = 64;
  int32_t blocks = 32;
  int64_t registers = 65536;
  int64_t sharedBytes = 0;
  /// Taken by the system from every block's share.
  int64_t reservedSharedBytes = 1024;
};

/// By compute capability (`90` for 9.0); nothing for one that is not known.
std::optional<SmLimits> smLimits(int computeCapability);
/// Of a target such as `cuda:90`.
std::optional<SmLimits> smLimits(std::string_view target);
/// As the driver reports them; what it does not report comes from the table.
std::optional<SmLimits> smLimits(const DeviceInfo &device);

struct KernelResources {
  int64_t registersPerThread = 0;
  int64_t sharedBytes = 0;
  int32_t threads = 0;
};

/// How many blocks fit on a multiprocessor at once.
///
/// Example, compute capability 9.0, 4 warps, 64 registers, 40 KiB: warps allow 64/4 = 16 blocks;
/// registers 65536 / (64*32*4) = 8; shared memory 228 KiB / (40 + 1) KiB = 5. So 5 blocks, 20 of 64
/// warps, limited by shared memory.
Occupancy occupancy(const SmLimits &limits, const KernelResources &kernel);
/// On a multiprocessor of a target such as `cuda:90`; nothing where that is not known, or the
/// registers are not (negative).
std::optional<Occupancy> occupancyOn(std::string_view target, const KernelResources &kernel);

} // namespace tilescope::profiler
