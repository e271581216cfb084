// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cmath>

namespace tilescope::profiler {

/// 1, 2 or 5 times a power of ten, and not below `least`, which is positive: so that there is room for a number at
/// each step of a scale.
inline double roundStep(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least)
      return factor * power;
  return 10 * power;
}

} // namespace tilescope::profiler
