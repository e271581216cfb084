// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/arrays/TouchColors.h"

#include <algorithm>
#include <cmath>

namespace tilescope::compiler::access {

Oklch countColor(uint32_t count, uint32_t most, bool isDark) {
  // A few are not shown as many because there are no more.
  constexpr double kMany = 4;
  const double share = std::log1p(static_cast<double>(count)) /
                       std::log1p(std::max(kMany, static_cast<double>(most)));
  constexpr double kFirstHue = 265, kLastHue = 165;
  Oklch color;
  color.lightness = isDark ? 0.30 + 0.48 * share : 0.93 - 0.48 * share;
  color.chroma = 0.03 + 0.09 * share;
  color.hue = kFirstHue + (kLastHue - kFirstHue) * share;
  return color;
}

} // namespace tilescope::compiler::access
