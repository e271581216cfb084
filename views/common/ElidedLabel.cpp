// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/ElidedLabel.h"

#include <QPainter>
#include <QRegularExpression>
#include <QStyle>

namespace tilescope::views {

ElidedLabel::ElidedLabel(QWidget *parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setMinimumWidth(40);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::setText(const QString &text) {
  QLabel::setText(text);
  setToolTip(text);
}

QString ElidedLabel::shownText(int width) const {
  static const QRegularExpression separator(QStringLiteral("\\s*·[^·]*$"));
  QString shown = text();
  while (fontMetrics().horizontalAdvance(shown) > width) {
    const qsizetype end = shown.lastIndexOf(separator);
    if (end <= 0)
      return shown == text() ? fontMetrics().elidedText(shown, Qt::ElideRight, width) : QString();
    shown.truncate(end);
  }
  // Where there is room for it, a mark says that there is more.
  const QString marked = shown + QStringLiteral("  …");
  return shown != text() && fontMetrics().horizontalAdvance(marked) <= width ? marked : shown;
}

void ElidedLabel::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  const QRect area = contentsRect().adjusted(std::max(0, indent()), 0, 0, 0);
  style()->drawItemText(&painter, area, Qt::AlignVCenter | Qt::AlignLeft, palette(), isEnabled(),
                        shownText(area.width()), QPalette::WindowText);
}

} // namespace tilescope::views
