// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The files that an AccessView is exported to.
#include "views/access/AccessView.h"
#include "views/common/PictureExport.h"

namespace tilescope::views {

ExportedPicture AccessView::exported() const {
  return {{titleText(), costText(), reasonText(), infoText()},
          m_canvas->heightFor(kExportWidth),
          [this](QPainter &painter, const QRectF &target) { m_canvas->render(painter, target); }};
}

bool AccessView::exportSvg(const QString &path) const {
  return !request().lines.empty() && writeSvg(exported(), path);
}

bool AccessView::exportPng(const QString &path) const {
  return !request().lines.empty() && writePng(exported(), path);
}

} // namespace tilescope::views
