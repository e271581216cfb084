// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Capabilities.h"
#include "profiler/driver/CounterPermission.h"
#include "profiler/driver/CudaDriver.h"
#include "profiler/driver/Nvml.h"

namespace tilescope::profiler {

/// The machine itself: names, processors, load, the driver's release.
Capabilities machineCapabilities();

/// Adds the devices; how much each is in use where `nvml` is not null.
Status addDevices(CudaDriver &driver, Nvml *nvml, Capabilities &capabilities);

/// Says what is known to keep hardware counters from being used.
void addCounters(const CounterSurroundings &surroundings, Capabilities &capabilities);

/// `NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.86.15  …` of /proc/driver/nvidia/version;
/// empty when it has no release.
std::string parseDriverRelease(std::string_view version);

} // namespace tilescope::profiler
