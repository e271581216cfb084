// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The files that a ConversionView is exported to: both layouts, and the arrows between them.
#include "views/layout/LayoutPair.h"
#include "views/layout/conversion/ArrowLayer.h"
#include "views/layout/conversion/ConversionView.h"

namespace tilescope::views {

ExportedPicture ConversionView::exported() const {
  ExportedPicture picture = exportedPair(*m_before, *m_behind);
  picture.lines = {titleText(), costText(), reasonText(), infoText()};
  picture.draw = [this, both = picture.draw](QPainter &painter, const QRectF &target) {
    both(painter, target);
    const auto [left, right] = halves(target);
    m_arrows->render(painter, left, right);
  };
  return picture;
}

} // namespace tilescope::views
