// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/driver/Grant.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::profiler {

/// CUPTI's range profiler: hardware counters of one launch, which is repeated until all of them
/// have been collected. Calls in the order of their declarations, on the driver's thread, in a
/// process that records no activities.
class RangeProfiler {
public:
  virtual ~RangeProfiler() = default;

  /// Prepares the device of the current context. Returns its chip: `GH100`.
  virtual Grant<std::string> open(int ordinal) = 0;
  /// Metrics that the chip does not have are left out. Returns the number of passes.
  virtual Grant<int> configure(const std::vector<std::string> &metrics) = 0;
  /// Exactly one launch belongs between these two; the device must be idle at both.
  virtual Granted startPass() = 0;
  /// Returns whether that was the last pass.
  virtual Grant<bool> stopPass() = 0;
  /// The values of the metrics, as they were configured; nothing where there is none.
  virtual Grant<std::vector<std::optional<double>>> values() = 0;
  virtual Granted close() = 0;
};

Grant<std::unique_ptr<RangeProfiler>> loadRangeProfiler();

} // namespace tilescope::profiler
