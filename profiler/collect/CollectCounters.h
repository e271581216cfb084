// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/collect/RunPackage.h"
#include "profiler/driver/RangeProfiler.h"

namespace tilescope::profiler {

/// Collects the metrics of the device's chip, as far as CUPTI grants it: as many launches of the same data, with the same cold
/// cache, as the hardware needs. `progress` receives `measure` before each.
///
/// The error is about the package or its launch. It poisons the context, as that of `runPackage`.
Result<Grant<CounterData>> collectCounters(CudaDriver &driver, RangeProfiler &profiler,
                                           const KernelPackage &package, const RunOptions &options,
                                           bool full);

} // namespace tilescope::profiler
