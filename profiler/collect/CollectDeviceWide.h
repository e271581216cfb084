// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/collect/RunPackage.h"
#include "profiler/data/DeviceWide.h"
#include "profiler/driver/Nvml.h"

#include <chrono>

namespace tilescope::profiler {

/// NVML adds its counters up some ten times a second.
inline constexpr std::chrono::milliseconds kDeviceWideTime{1000};

/// Launches the kernel again and again for `time`, one launch behind the other, with a cache that is
/// warm from the launch before, and reads the device's own counters before and after. `nvml` is open
/// for the device.
///
/// The error is about the package or its launch. It poisons the context, as that of `runPackage`.
Result<Grant<DeviceWideData>> collectDeviceWide(CudaDriver &driver, Nvml &nvml,
                                                const KernelPackage &package,
                                                const RunOptions &options,
                                                std::chrono::milliseconds time = kDeviceWideTime);

} // namespace tilescope::profiler
