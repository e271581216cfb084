// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>

#include <cstdint>

class QFontMetricsF;
class QPainter;
class QRectF;

namespace tilescope::views {

/// What a `CodeView` shows between the numbers of its lines and their text.
class CodeAside {
public:
  virtual ~CodeAside() = default;
  /// The width that it takes where it and the text have so many pixels together.
  virtual double widthIn(double available, const QFontMetricsF &font) = 0;
  /// Draws what belongs to a line into its part of the line's row, in the view's font.
  virtual void paint(QPainter &painter, int32_t line, const QRectF &row, bool isStale) const = 0;
  /// What is said about a place, `x` from the left of the row; empty: nothing.
  virtual QString tip(int32_t line, double x, const QFontMetricsF &font) const = 0;
  /// What is said about a whole line.
  virtual QString description(int32_t line) const = 0;
  /// The line that the user is at; -1: none. True: something looks different now.
  virtual bool setCurrent(int32_t line) = 0;
};

} // namespace tilescope::views
