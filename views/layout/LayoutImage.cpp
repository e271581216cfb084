// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/LayoutImage.h"

#include "views/common/Theme.h"
#include "views/layout/LayoutContent.h"

#include <QPainter>

namespace tilescope::views {

/// At the standard size of text.
static constexpr double kMostHeightPx = 300;

QImage layoutImage(const compiler::LayoutFacts &facts, int widthPx) {
  const auto picture = std::make_shared<const compiler::LayoutPicture>(compiler::makeLayoutPicture(
      facts, compiler::defaultSlice(compiler::LayoutMap(facts)), compiler::Family::Warp));
  if (picture->tensor.grid.numCells == 0)
    return {};
  DiagramCanvas canvas;
  canvas.setContent(tensorContent(picture));
  const int height = qRound(canvas.heightFor(widthPx, scaledPx(static_cast<int>(kMostHeightPx))));
  QImage image(widthPx, std::max(1, height), QImage::Format_ARGB32_Premultiplied);
  image.fill(theme()[ColorRole::Base]);
  QPainter painter(&image);
  canvas.render(painter, QRectF(0, 0, image.width(), image.height()));
  return image;
}

} // namespace tilescope::views
