// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/stages/CaptionBox.h"

#include <QStyleOptionComboBox>
#include <QStylePainter>

#include <algorithm>

namespace tilescope::views {

/// Longer names end in an ellipsis.
static constexpr int kMostCharacters = 13;

CaptionBox::CaptionBox(QString caption, QWidget *parent)
    : QComboBox(parent), m_caption(std::move(caption)) {
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  connect(this, &QComboBox::currentIndexChanged, this, [this] { updateGeometry(); });
}

QString CaptionBox::shownText() const {
  const QString chosen = currentData(kShortRole).toString();
  return chosen.isEmpty() ? m_caption : chosen;
}

QSize CaptionBox::sizeFor(int textWidth) const {
  QStyleOptionComboBox option;
  initStyleOption(&option);
  return style()->sizeFromContents(QStyle::CT_ComboBox, &option,
                                   QSize(textWidth, fontMetrics().height()), this);
}

QSize CaptionBox::sizeHint() const {
  const QFontMetrics &metrics = fontMetrics();
  const int wanted = metrics.horizontalAdvance(shownText()) + metrics.averageCharWidth();
  return sizeFor(std::min(wanted, kMostCharacters * metrics.averageCharWidth()));
}

QSize CaptionBox::minimumSizeHint() const {
  // An empty box would not say what it is for.
  const bool isChosen = !currentData(kShortRole).toString().isEmpty();
  return isChosen ? sizeHint() : sizeFor(fontMetrics().horizontalAdvance(m_caption));
}

void CaptionBox::paintEvent(QPaintEvent *) {
  QStylePainter painter(this);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  const QRect room =
      style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
  option.currentText = fontMetrics().elidedText(shownText(), Qt::ElideRight, room.width());
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

} // namespace tilescope::views
