// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The files that a LayoutDiagram is exported to.
#include "views/layout/LayoutDiagram.h"
#include "views/layout/LayoutPair.h"

namespace tilescope::views {

ExportedPicture LayoutDiagram::exported() const {
  ExportedPicture picture = exportedPair(*m_tensor, *m_hardware);
  picture.lines = {titleText()};
  return picture;
}

bool LayoutDiagram::exportSvg(const QString &path) const {
  return current() && writeSvg(exported(), path);
}

bool LayoutDiagram::exportPng(const QString &path) const {
  return current() && writePng(exported(), path);
}

QImage LayoutDiagram::smallPicture(QSize size) const {
  return current() ? views::smallPicture(exported(), size, devicePixelRatioF()) : QImage();
}

} // namespace tilescope::views
