// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/collect/PackageRun.h"

#include <optional>

namespace tilescope::profiler {

/// What launches of a kernel cost beside its own time, `kernelUs`, by this machine's clock: lone
/// launches on an idle device, the cache as for the times. Nothing for a kernel that runs so long that the cost is
/// lost in how its time varies. Recording by CUPTI makes launches dearer: end it before.
Result<std::optional<LaunchOverhead>> measureLaunchCost(PackageRun &run, double kernelUs,
                                                        bool coldL2);

} // namespace tilescope::profiler
