// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The files that a ConversionView is exported to.
#include "views/common/Theme.h"
#include "views/layout/conversion/ArrowLayer.h"
#include "views/layout/conversion/ConversionView.h"

#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

static constexpr double kExportWidth = 1600, kMostExportHeight = 800;
static constexpr double kLineHeight = 20, kMargin = 12;

QStringList ConversionView::exportLines() const {
  return {titleText(), costText(), reasonText(), infoText()};
}

QSize ConversionView::exportSize() const {
  const double head = static_cast<double>(exportLines().size()) * kLineHeight + kMargin;
  const double most = kMostExportHeight - head;
  const double height = std::max(m_before->heightFor(kExportWidth / 2, most),
                                 m_behind->heightFor(kExportWidth / 2, most));
  return {static_cast<int>(kExportWidth), static_cast<int>(std::ceil(head + height + kLineHeight))};
}

void ConversionView::render(QPainter &painter, const QRectF &target) const {
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
  const QRectF body(QPointF(target.x(), line.top() + kMargin / 2), target.bottomRight());
  const QRectF left(body.topLeft(), QSizeF(body.width() / 2, body.height()));
  const QRectF right = left.translated(body.width() / 2, 0);
  m_before->render(painter, left);
  m_behind->render(painter, right);
  m_arrows->render(painter, left, right);
}

bool ConversionView::exportSvg(const QString &path) const {
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

bool ConversionView::exportPng(const QString &path) const {
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
