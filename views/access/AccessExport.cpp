// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The files that an AccessView is exported to.
#include "views/access/AccessView.h"
#include "views/common/Theme.h"

#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

#include <cmath>

namespace tilescope::views {

static constexpr double kExportWidth = 1100, kLineHeight = 20, kMargin = 12;

QStringList AccessView::exportLines() const {
  return {titleText(), costText(), reasonText(), infoText()};
}

QSize AccessView::exportSize() const {
  const double head = static_cast<double>(exportLines().size()) * kLineHeight + kMargin;
  return {static_cast<int>(kExportWidth),
          static_cast<int>(std::ceil(head + m_canvas->heightFor(kExportWidth)))};
}

void AccessView::render(QPainter &painter, const QRectF &target) const {
  painter.fillRect(target, theme()[ColorRole::Panel]);
  QFont font = uiFont();
  font.setPixelSize(13);
  QRectF line(target.x() + kMargin, target.y() + kMargin / 2, target.width() - 2 * kMargin,
              kLineHeight);
  for (const QString &said : exportLines()) {
    painter.setFont(font);
    painter.setPen(theme()[ColorRole::Text]);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(font).elidedText(said, Qt::ElideRight, line.width()));
    line.translate(0, kLineHeight);
  }
  m_canvas->render(painter,
                   QRectF(QPointF(target.x(), line.top() + kMargin / 2), target.bottomRight()));
}

bool AccessView::exportSvg(const QString &path) const {
  if (request().lines.empty())
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

bool AccessView::exportPng(const QString &path) const {
  if (request().lines.empty())
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
