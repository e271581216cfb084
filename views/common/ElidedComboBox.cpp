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

QString ElidedComboBox::shownText() const {
  QStyleOptionComboBox option;
  initStyleOption(&option);
  const QRect field =
      style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
  // The style leaves two pixels at either side.
  return fontMetrics().elidedText(m_note.isEmpty() ? currentText() : m_note, Qt::ElideRight,
                                  field.width() - 4);
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
