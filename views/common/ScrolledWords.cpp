// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/ScrolledWords.h"

#include <QEvent>
#include <QLayout>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace tilescope::views {

ScrolledWords::ScrolledWords(QWidget *words, QWidget *parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setWidgetResizable(true);
  setWidget(words);
  setAccessibleName(tr("What the view says of it"));
  words->installEventFilter(this);
  QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  // A stop of the keyboard only where there is something to scroll to.
  setFocusPolicy(Qt::NoFocus);
  connect(verticalScrollBar(), &QScrollBar::rangeChanged, this,
          [this](int, int most) { setFocusPolicy(most > 0 ? Qt::TabFocus : Qt::NoFocus); });
}

void ScrolledWords::setMostHeight(int pixels) {
  if (std::exchange(m_mostHeight, pixels) != pixels)
    updateGeometry();
}

int ScrolledWords::heightForWidth(int width) const {
  const QLayout *lines = widget()->layout();
  const int whole = lines->hasHeightForWidth() ? lines->totalHeightForWidth(width)
                                               : lines->totalSizeHint().height();
  if (whole <= m_mostHeight)
    return whole;
  // Whole lines.
  const int top = lines->contentsMargins().top(), line = widget()->fontMetrics().lineSpacing();
  return top + std::max(1, (m_mostHeight - top) / line) * line;
}

QSize ScrolledWords::sizeHint() const {
  return {widget()->sizeHint().width(), heightForWidth(std::max(1, width()))};
}

QSize ScrolledWords::minimumSizeHint() const { return {0, 0}; }

bool ScrolledWords::eventFilter(QObject *watched, QEvent *event) {
  // Other words may need another height.
  if (watched == widget() && event->type() == QEvent::LayoutRequest)
    updateGeometry();
  return QScrollArea::eventFilter(watched, event);
}

} // namespace tilescope::views
