// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/LayoutPair.h"

#include "views/layout/DiagramCanvas.h"

#include <algorithm>

namespace tilescope::views {

static constexpr double kPairWidth = 1600, kMostHeight = 750;

std::pair<QRectF, QRectF> halves(const QRectF &target) {
  const QRectF left(target.topLeft(), QSizeF(target.width() / 2, target.height()));
  return {left, left.translated(left.width(), 0)};
}

ExportedPicture exportedPair(const DiagramCanvas &left, const DiagramCanvas &right) {
  const double height = std::max(left.heightFor(kPairWidth / 2, kMostHeight),
                                 right.heightFor(kPairWidth / 2, kMostHeight));
  return {{},
          height,
          [&left, &right](QPainter &painter, const QRectF &target) {
            const auto [leftHalf, rightHalf] = halves(target);
            left.render(painter, leftHalf);
            right.render(painter, rightHalf);
          },
          kPairWidth};
}

} // namespace tilescope::views
