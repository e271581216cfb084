// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/ElidedLabel.h"

#include <QPainter>
#include <QRegularExpression>
#include <QStyle>

namespace tilescope::views {

/// Letters of a fact that is cut rather than left out.
static constexpr int kLongFact = 40;
/// Letters of a cut text that say something, and so does one part in so many of a shorter one.
static constexpr int kReadable = 12, kLeastPart = 3;

ElidedLabel::ElidedLabel(QWidget *parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setMinimumWidth(40);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

/// Backticks tell code from words in messages of one font and color; in a label names speak for
/// themselves.
void ElidedLabel::setText(const QString &text) {
  QString shown = text;
  shown.remove(u'`');
  QLabel::setText(shown);
  setToolTip(shown);
}

QString ElidedLabel::shownText(int width) const {
  static const QRegularExpression separator(QStringLiteral("\\s*·[^·]*$"));
  const int readable = fontMetrics().averageCharWidth() * kReadable;
  QString shown = text();
  while (fontMetrics().horizontalAdvance(shown) > width) {
    const qsizetype end = shown.lastIndexOf(separator);
    // A text of one fact is cut, and so is a long one with others behind it.
    // `Prog…` says less than nothing.
    const bool saysEnough =
        width >= readable || kLeastPart * width >= fontMetrics().horizontalAdvance(shown);
    const bool isCut =
        shown == text() ? saysEnough : shown.size() >= kLongFact && width >= readable;
    if (end <= 0)
      return isCut ? fontMetrics().elidedText(shown, Qt::ElideRight, width) : QString();
    shown.truncate(end);
  }
  // Facts are shown whole or not at all; a long text, such as a layout, is cut where the room ends.
  const qsizetype next = shown == text() ? -1 : text().indexOf(u'·', shown.size());
  const QString part = next < 0 ? QString() : text().mid(next).section(u'·', 1, 1);
  if (part.trimmed().size() >= kLongFact &&
      width - fontMetrics().horizontalAdvance(shown) >= readable)
    return fontMetrics().elidedText(
        shown + text().mid(shown.size(), next - shown.size()) + u'·' + part, Qt::ElideRight, width);
  return shown;
}

void ElidedLabel::paintEvent(QPaintEvent *event) {
  if (wordWrap())
    return QLabel::paintEvent(event);
  QPainter painter(this);
  const QRect area = contentsRect().adjusted(std::max(0, indent()), 0, 0, 0);
  style()->drawItemText(&painter, area, Qt::AlignVCenter | Qt::AlignLeft, palette(), isEnabled(),
                        shownText(area.width()), QPalette::WindowText);
}

} // namespace tilescope::views
