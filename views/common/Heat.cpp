// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/Heat.h"

#include "views/common/Theme.h"

#include <algorithm>
#include <cmath>

namespace tilescope::views {

QColor warmColor(double warmth) {
  // Small shares are told apart, too.
  const double at = std::sqrt(std::clamp(warmth, 0.0, 1.0));
  const auto between = [at](double cold, double hot) { return cold + (hot - cold) * at; };
  return theme().dark ? oklch(between(0.26, 0.76), between(0.02, 0.16), between(40, 70))
                      : oklch(between(0.97, 0.62), between(0.01, 0.17), between(80, 45));
}

QString shareText(double share) {
  const double percent = share * 100;
  if (percent > 0 && percent < 0.1)
    return QStringLiteral("<0.1 %");
  return QStringLiteral("%1 %").arg(percent, 0, 'f', percent < 9.95 ? 1 : 0);
}

} // namespace tilescope::views
