// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/PictureParts.h"

#include "views/common/QuotedCode.h"
#include "views/common/Theme.h"

#include <QPainter>

namespace tilescope::views {

QFont labelFont() {
  QFont font = uiFont();
  font.setPointSizeF(font.pointSizeF() * 0.85);
  font.setStyleStrategy(QFont::PreferNoShaping);
  return font;
}

QColor inkOn(const QColor &fill) {
  return contrastRatio(fill, Qt::white) > contrastRatio(fill, Qt::black) ? Qt::white : Qt::black;
}

void drawEmptyText(QPainter &painter, const QRectF &area, const QString &text) {
  painter.setFont(uiFont());
  painter.setPen(theme()[ColorRole::TextMuted]);
  painter.drawText(area.adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap,
                   quotedCode(text));
}

void drawFocusEdge(QPainter &painter, const QRectF &area) {
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme()[ColorRole::FocusEdge], 2));
  painter.drawRect(area.adjusted(1, 1, -1, -1));
}

} // namespace tilescope::views
