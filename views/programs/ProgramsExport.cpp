// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The files that a ProgramsView is exported to.
#include "views/common/Theme.h"
#include "views/programs/ProgramsView.h"

#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

namespace tilescope::views {

static constexpr QSize kExportSize(1100, 640);
static constexpr double kLineHeight = 20, kMargin = 12;

QStringList ProgramsView::exportLines() const {
  QStringList lines{titleText()};
  if (!orderText().isEmpty())
    lines << orderText();
  return lines;
}

void ProgramsView::render(QPainter &painter, const QRectF &target) const {
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

bool ProgramsView::exportSvg(const QString &path) const {
  if (!content().arrays)
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

bool ProgramsView::exportPng(const QString &path) const {
  if (!content().arrays)
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
