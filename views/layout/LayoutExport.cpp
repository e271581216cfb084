// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The files that a LayoutDiagram is exported to.
#include "views/common/Theme.h"
#include "views/layout/LayoutDiagram.h"

#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

namespace tilescope::views {

void LayoutDiagram::render(QPainter &painter, const QRectF &target) const {
  const double titleHeight = 26;
  painter.fillRect(target, theme()[ColorRole::Panel]);
  QFont font = uiFont();
  font.setPixelSize(13);
  painter.setFont(font);
  painter.setPen(theme()[ColorRole::Text]);
  painter.drawText(QRectF(target.x() + 12, target.y(), target.width() - 24, titleHeight),
                   Qt::AlignLeft | Qt::AlignVCenter, titleText());
  const double half = target.width() / 2;
  const QRectF body = target.adjusted(0, titleHeight, 0, 0);
  m_tensor->render(painter, QRectF(body.x(), body.y(), half, body.height()));
  m_hardware->render(painter, QRectF(body.x() + half, body.y(), half, body.height()));
}

static constexpr QSize kExportSize{1600, 800};

bool LayoutDiagram::exportSvg(const QString &path) const {
  if (!current())
    return false;
  QSvgGenerator generator;
  generator.setFileName(path);
  generator.setSize(kExportSize);
  generator.setViewBox(QRect(QPoint(), kExportSize));
  // Qt writes it as it is.
  generator.setTitle(titleText().toHtmlEscaped());
  QPainter painter;
  if (!painter.begin(&generator))
    return false;
  render(painter, QRectF(QPointF(), kExportSize));
  return painter.end();
}

bool LayoutDiagram::exportPng(const QString &path) const {
  if (!current())
    return false;
  QImage image(kExportSize * 2, QImage::Format_RGB32);
  image.setDevicePixelRatio(2);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  render(painter, QRectF(QPointF(), kExportSize));
  painter.end();
  return image.save(path);
}

} // namespace tilescope::views
