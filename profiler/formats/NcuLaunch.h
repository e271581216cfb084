// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Measurement.h"
#include "profiler/data/Metric.h"

#include <string>
#include <string_view>

namespace tilescope::profiler {

/// The row of our table that has Nsight Compute's name; null: the table has none.
const Metric *ncuMetric(std::string_view name);

/// What chips of a compute capability, such as `9.0`, are called; empty: not known.
std::string chipOfCapability(std::string_view capability);

/// A launch as Nsight Compute describes it: by the names of its metrics.
struct NcuLaunch {
  Measurement measurement = {};
  CounterData counters = {};
  /// Metrics that nothing here has a place for.
  size_t numLeftOut = 0;

  /// `value` is in base units: nanoseconds for counters of time, bytes, hertz.
  void add(std::string_view name, double value);

  /// The measurement with its counters and its time. `origin`: `a table of Nsight Compute`.
  Measurement end(std::string_view origin) &&;
};

} // namespace tilescope::profiler
