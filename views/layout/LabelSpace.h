// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/Theme.h"

#include <QFontMetricsF>

#include <algorithm>
#include <optional>

namespace tilescope::views {

/// The font of a label within the grid, within what can be read and what is needed.
inline QFont cellFont(double pixels) {
  QFont font = uiFont();
  font.setPixelSize(static_cast<int>(std::clamp(pixels, 8.0, std::max(8.0, double(scaledPx(13))))));
  // Names and numbers need no ligatures; thousands of them are drawn in half the time.
  font.setStyleStrategy(QFont::PreferNoShaping);
  return font;
}

/// Where the middle of a label goes that is `half` wide to either side: the middle of its cell, or
/// as near to it within the cell as what is visible allows. None where it would be cut.
inline std::optional<double> labelCenter(double cellLeft, double cellRight, double half,
                                         double visibleLeft, double visibleRight) {
  const double least = visibleLeft + half, most = visibleRight - half;
  double center = (cellLeft + cellRight) / 2;
  center = std::clamp(std::min(std::max(center, least), most), cellLeft, cellRight);
  return least <= center && center <= most ? std::optional(center) : std::nullopt;
}

/// Room for labels around a grid, in pixels; it grows with the font, so that a projector's audience
/// can read them.
struct LabelSpace {
  QFont font = uiFont();
  double height = 0;
  double left = 0;
  double top = 0;

  /// `lastRow`: the label of the last row, which is as wide as any.
  explicit LabelSpace(QString lastRow = {}) {
    font.setPointSizeF(font.pointSizeF() * 0.85);
    font.setStyleStrategy(QFont::PreferNoShaping);
    const QFontMetricsF metrics(font);
    height = metrics.height();
    for (QChar &each : lastRow)
      each = each.isDigit() ? u'0' : each;
    // The frame of a canvas that has the keyboard covers no digit.
    const double digit = metrics.horizontalAdvance(u'0');
    left = std::max(4 * digit, metrics.horizontalAdvance(lastRow)) + digit + 6;
    top = 2 * height + 8;
  }

  /// Between two rows of blocks where there is room for it: letters of a title touch neither the block
  /// above nor the one below.
  double titleHeight() const { return height + 4; }

  QFont titleFont() const {
    QFont bold = font;
    bold.setWeight(QFont::DemiBold);
    return bold;
  }
};

} // namespace tilescope::views
