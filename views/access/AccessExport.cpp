// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The files that an AccessView is exported to.
#include "views/access/AccessView.h"
#include "views/access/BulkCanvas.h"

namespace tilescope::views {

ExportedPicture AccessView::exported() const {
  if (bulkPicture())
    return {
        {titleText(), costText(), reasonText(), infoText()},
        m_bulkCanvas->heightFor(kExportWidth),
        [this](QPainter &painter, const QRectF &target) { m_bulkCanvas->render(painter, target); }};
  return {{titleText(), costText(), reasonText(), infoText()},
          m_canvas->heightFor(kExportWidth),
          [this](QPainter &painter, const QRectF &target) { m_canvas->render(painter, target); }};
}

} // namespace tilescope::views
