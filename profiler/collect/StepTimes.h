// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/driver/CudaDriver.h"
#include "profiler/driver/Cupti.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::profiler {

/// A launch among others that follow each other.
struct TimedStep {
  /// Of its kernel.
  std::string symbol;
  /// Puts it into the device's queue; empty: it launches nothing.
  std::function<Status()> launch;
};

struct StepTimes {
  /// The median of each; nothing where it launches nothing.
  std::vector<std::optional<double>> us;
  TimeSource source = TimeSource::Cupti;
  std::vector<std::string> notes;
};

/// Launches all steps in order a few times, within about a second. `cupti`, which records already, may be
/// null, and `cuptiReason` then says why: times come from events.
Result<StepTimes> measureStepTimes(CudaDriver &driver, Cupti *cupti, const std::string &cuptiReason,
                                   const std::vector<TimedStep> &steps);

} // namespace tilescope::profiler
