// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/SvgParts.h"

#include "compiler/layout/picture/PictureColors.h"

#include <fmt/format.h>

namespace tilescope::app {

std::string familyColorText(int64_t index, int64_t count) {
  const compiler::Oklch color = compiler::familyColor(index, count, false);
  return fmt::format("oklch({:.1f}% {:.3f} {:.1f})", 100 * color.lightness, color.chroma,
                     color.hue);
}

std::string rectSvg(double x, double y, const compiler::GridRect &rect, const std::string &look) {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}",
                     x + rect.x, y + rect.y, rect.width, rect.height, look);
}

} // namespace tilescope::app
