// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/ElidedComboBox.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QScreen>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolTip>

#include <algorithm>

namespace tilescope::views {

/// The style leaves as many pixels at either side of the text.
static constexpr int kTextMarginPx = 2;

int ElidedComboBox::textRoom(const QStyleOptionComboBox &option) const {
  return style()
             ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this)
             .width() -
         2 * kTextMarginPx;
}

/// Of the whole words that all entries begin with, such as `Color by `.
static qsizetype commonWords(const QComboBox &box) {
  QString common = box.count() > 1 ? box.itemText(0) : QString();
  for (int i = 1; i < box.count() && !common.isEmpty(); ++i) {
    const QString text = box.itemText(i);
    const auto ends = std::ranges::mismatch(common, text);
    common.truncate(ends.in1 - common.cbegin());
  }
  return common.lastIndexOf(u' ') + 1;
}

QString ElidedComboBox::shownText() const {
  QStyleOptionComboBox option;
  initStyleOption(&option);
  const int room = textRoom(option);
  const QString text = m_note.isEmpty() ? currentText() : m_note;
  const auto fits = [&](const QString &part) {
    return fontMetrics().horizontalAdvance(part) <= room;
  };
  if (m_note.isEmpty() && !fits(text))
    if (const QString rest = text.mid(commonWords(*this)); !rest.isEmpty() && fits(rest))
      return rest;
  return fontMetrics().elidedText(text, Qt::ElideRight, room);
}

QSize ElidedComboBox::sizeHint() const {
  QSize hint = QComboBox::sizeHint();
  if (sizeAdjustPolicy() == AdjustToMinimumContentsLengthWithIcon)
    return hint;
  int longest = 0;
  for (int i = 0; i < count(); ++i)
    // The advance is rounded.
    longest = std::max(longest, fontMetrics().horizontalAdvance(itemText(i)) + 1);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  option.rect = QRect(QPoint(), hint);
  hint.rwidth() += std::max(0, longest - textRoom(option));
  return hint;
}

void ElidedComboBox::setNote(const QString &note) {
  m_note = note;
  update();
}

void ElidedComboBox::showPopup() {
  const int margin = 2 * style()->pixelMetric(QStyle::PM_FocusFrameHMargin) +
                     style()->pixelMetric(QStyle::PM_ScrollBarExtent);
  view()->setTextElideMode(Qt::ElideRight);
  view()->setMinimumWidth(
      std::min(view()->sizeHintForColumn(0) + margin, screen()->availableSize().width() * 9 / 10));
  QComboBox::showPopup();
}

void ElidedComboBox::paintEvent(QPaintEvent *event) {
  if (currentIndex() < 0 && m_note.isEmpty())
    return QComboBox::paintEvent(event);
  QStylePainter painter(this);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  option.currentText = shownText();
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

bool ElidedComboBox::event(QEvent *event) {
  if (event->type() != QEvent::ToolTip || shownText() == currentText())
    return QComboBox::event(event);
  QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), currentText(), this);
  return true;
}

} // namespace tilescope::views
