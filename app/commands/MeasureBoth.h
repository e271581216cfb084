// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/ComparisonText.h"

namespace tilescope::app {

struct MeasureBothOptions {
  TogetherOptions together;
  /// Differences in time up to so many percent count as none.
  double thresholdPercent = 0.5;
};

/// Measures two kernels against each other, in rounds of drawn order, and compares their times.
/// `names` are those of errors.
TimesOfBoth measureBoth(const std::array<profiler::KernelPackage, 2> &packages,
                        const std::array<std::string, 2> &names, const MeasureBothOptions &options,
                        const RunnerHooks &hooks);

} // namespace tilescope::app
