// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/collect/RunPackage.h"
#include "profiler/driver/RangeProfiler.h"

#include <variant>

namespace tilescope::profiler {

/// A part of a profile, or why CUPTI did not grant it.
template <typename Part> using PartOrRefusal = std::variant<Part, DriverRefusal>;

/// Collects the metrics of the device's chip: as many launches of the same data, with the same cold
/// cache, as the hardware needs. `progress` receives `measure` before each.
///
/// The error is about the package or its launch. It poisons the context, as that of `runPackage`.
Result<PartOrRefusal<CounterData>> collectCounters(CudaDriver &driver, RangeProfiler &profiler,
                                                   const KernelPackage &package,
                                                   const RunOptions &options, bool full);

} // namespace tilescope::profiler
