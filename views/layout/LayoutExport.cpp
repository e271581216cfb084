// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The files that a LayoutDiagram is exported to.
#include "views/common/Theme.h"
#include "views/layout/LayoutDiagram.h"

#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

static constexpr double kTitleHeight = 26;
static constexpr double kExportWidth = 1600, kMostExportHeight = 800;

QSize LayoutDiagram::exportSize() const {
  const double most = kMostExportHeight - kTitleHeight;
  const double height = std::max(m_tensor->heightFor(kExportWidth / 2, most),
                                 m_hardware->heightFor(kExportWidth / 2, most));
  return {static_cast<int>(kExportWidth), static_cast<int>(std::ceil(kTitleHeight + height))};
}

void LayoutDiagram::render(QPainter &painter, const QRectF &target) const {
  painter.fillRect(target, theme()[ColorRole::Panel]);
  QFont font = uiFont();
  font.setPixelSize(13);
  painter.setFont(font);
  painter.setPen(theme()[ColorRole::Text]);
  painter.drawText(QRectF(target.x() + 12, target.y(), target.width() - 24, kTitleHeight),
                   Qt::AlignLeft | Qt::AlignVCenter, titleText());
  const double half = target.width() / 2;
  const QRectF body = target.adjusted(0, kTitleHeight, 0, 0);
  m_tensor->render(painter, QRectF(body.x(), body.y(), half, body.height()));
  m_hardware->render(painter, QRectF(body.x() + half, body.y(), half, body.height()));
}

bool LayoutDiagram::exportSvg(const QString &path) const {
  if (!current())
    return false;
  const QSize size = exportSize();
  QSvgGenerator generator;
  generator.setFileName(path);
  generator.setSize(size);
  generator.setViewBox(QRect(QPoint(), size));
  // Qt writes it as it is.
  generator.setTitle(titleText().toHtmlEscaped());
  QPainter painter;
  if (!painter.begin(&generator))
    return false;
  render(painter, QRectF(QPointF(), size));
  return painter.end();
}

bool LayoutDiagram::exportPng(const QString &path) const {
  if (!current())
    return false;
  const QSize size = exportSize();
  QImage image(size * 2, QImage::Format_RGB32);
  image.setDevicePixelRatio(2);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  render(painter, QRectF(QPointF(), size));
  painter.end();
  return image.save(path);
}

} // namespace tilescope::views
