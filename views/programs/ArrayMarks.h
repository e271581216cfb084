// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Marks on the elements of an array that programs touch.
#pragma once

#include "compiler/access/arrays/ArrayPlaces.h"
#include "compiler/access/arrays/TouchCells.h"

#include <QPainter>
#include <QRectF>

#include <vector>

namespace tilescope::views {

/// How touched elements are marked.
struct MarkLook {
  compiler::access::TouchKind kind{};
  bool isNow = false;
  /// Counts stay visible below.
  bool isOutline = false;
};

/// Reads have rising lines and writes falling ones, where there is room for lines.
void drawMark(QPainter &painter, const QRectF &rect, const MarkLook &look);

/// Where a mask turns a program off: hatched.
void drawMasked(QPainter &painter, const QRectF &rect);
/// What a program touches past the end of an array.
void drawPastEnd(QPainter &painter, const QRectF &rect);

/// The rectangles of a box, in pixels: of each of its elements if they lie apart, unless they are
/// too many to be told apart.
std::vector<QRectF> rectsOf(const compiler::access::ElementBox &box,
                            const compiler::access::ArrayGrid &grid);

} // namespace tilescope::views
