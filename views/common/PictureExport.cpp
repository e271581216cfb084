// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/PictureExport.h"

#include "views/common/QuotedCode.h"
#include "views/common/Theme.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

#include <cmath>

namespace tilescope::views {

static constexpr double kLineHeight = 20, kMargin = 12;

static QFont lineFont() {
  QFont font = uiFont();
  font.setPixelSize(13);
  return font;
}

/// As many rows as its words need: in a file nothing tells what is cut.
static QStringList rowsOf(const QString &line, double width) {
  const QFontMetricsF metrics(lineFont());
  QStringList rows{QString()};
  for (const QString &word : line.split(u' ')) {
    const QString longer = rows.back().isEmpty() ? word : rows.back() + u' ' + word;
    if (rows.back().isEmpty() || metrics.horizontalAdvance(longer) <= width)
      rows.back() = longer;
    else
      rows << word;
  }
  return rows;
}

static QStringList rowsOf(const ExportedPicture &picture) {
  QStringList rows;
  for (const QString &line : picture.lines)
    rows << rowsOf(line, picture.width - 2 * kMargin);
  return rows;
}

static QSize sizeOf(const ExportedPicture &picture) {
  const double head = static_cast<double>(rowsOf(picture).size()) * kLineHeight + kMargin;
  return {static_cast<int>(picture.width), static_cast<int>(std::ceil(head + picture.height))};
}

static void render(const ExportedPicture &picture, QPainter &painter) {
  const QRectF target(QPointF(), sizeOf(picture));
  painter.fillRect(target, theme()[ColorRole::Panel]);
  const QFont font = lineFont();
  QRectF line(kMargin, kMargin / 2, target.width() - 2 * kMargin, kLineHeight);
  for (const QString &said : rowsOf(picture)) {
    painter.setFont(font);
    painter.setPen(theme()[ColorRole::Text]);
    painter.drawText(
        line, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(font).elidedText(quotedCode(said), Qt::ElideRight, line.width()));
    line.translate(0, kLineHeight);
  }
  picture.draw(painter, QRectF(QPointF(0, line.top() + kMargin / 2), target.bottomRight()));
}

QImage smallPicture(const ExportedPicture &picture, QSize size, double pixelRatio) {
  QImage image(size * pixelRatio, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(pixelRatio);
  image.fill(theme()[ColorRole::Base]);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(uiFont());
  picture.draw(painter, QRectF(QPointF(), QSizeF(size)));
  return image;
}

bool writeSvg(const ExportedPicture &picture, const QString &path) {
  QSvgGenerator generator;
  generator.setFileName(path);
  generator.setSize(sizeOf(picture));
  generator.setViewBox(QRect(QPoint(), sizeOf(picture)));
  // Qt writes it as it is.
  generator.setTitle(picture.lines.value(0).toHtmlEscaped());
  QPainter painter;
  if (!painter.begin(&generator))
    return false;
  render(picture, painter);
  return painter.end();
}

bool writePng(const ExportedPicture &picture, const QString &path) {
  QImage image(sizeOf(picture) * 2, QImage::Format_RGB32);
  image.setDevicePixelRatio(2);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  render(picture, painter);
  painter.end();
  return image.save(path);
}

} // namespace tilescope::views
