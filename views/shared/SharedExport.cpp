// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The files that a SharedView is exported to: the map, and below it what is shown beside it.
#include "views/shared/MapCanvas.h"
#include "views/shared/RingCanvas.h"
#include "views/shared/SharedView.h"

namespace tilescope::views {

ExportedPicture SharedView::exported() const {
  constexpr double kGap = 12;
  const bool isRing = !m_ring->table().empty();
  const bool isRequest = !isRing && !m_banks->content().request.lines.empty();
  const double mapHeight = m_map->heightFor(kExportWidth);
  const double detailHeight = isRing      ? m_ring->heightFor(kExportWidth)
                              : isRequest ? m_banks->heightFor(kExportWidth)
                                          : 0;
  return {{titleText(), bufferText(), reasonText(), infoText()},
          mapHeight + kGap + detailHeight,
          [=, this](QPainter &painter, const QRectF &target) {
            m_map->render(painter, QRectF(target.topLeft(), QSizeF(target.width(), mapHeight)));
            const QRectF rest = target.adjusted(0, mapHeight + kGap, 0, 0);
            if (isRing)
              m_ring->render(painter, rest);
            else if (isRequest)
              m_banks->render(painter, rest);
          }};
}

} // namespace tilescope::views
