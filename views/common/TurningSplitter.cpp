// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/TurningSplitter.h"

#include "views/common/Theme.h"

#include <QEvent>

#include <algorithm>

namespace tilescope::views {

/// Parts that share less width are better above one another, if there is the height for it.
static constexpr int kNarrowPx = 520;

static QSize leastOf(const QWidget *part) {
  return part->minimumSizeHint().expandedTo(part->minimumSize());
}

TurningSplitter::TurningSplitter(QWidget *parent) : QSplitter(Qt::Horizontal, parent) {
  setChildrenCollapsible(false);
}

/// What the parts in sight need at least, side by side (`orientation` horizontal) or not.
static QSize leastOfAll(const QSplitter &splitter, Qt::Orientation orientation) {
  QSize all;
  for (int i = 0; i < splitter.count(); ++i) {
    const QWidget *part = splitter.widget(i);
    if (part->isHidden())
      continue;
    const QSize least = leastOf(part);
    const int handle = all.isEmpty() ? 0 : splitter.handleWidth();
    all = orientation == Qt::Horizontal
              ? QSize(all.width() + handle + least.width(), std::max(all.height(), least.height()))
              : QSize(std::max(all.width(), least.width()), all.height() + handle + least.height());
  }
  return all;
}

QSize TurningSplitter::minimumSizeHint() const {
  return {leastOfAll(*this, Qt::Vertical).width(), leastOfAll(*this, orientation()).height()};
}

void TurningSplitter::setHighEnough(int heightPx) {
  m_highEnoughPx = heightPx;
  turn();
}

bool TurningSplitter::shouldTurn() const {
  return width() < leastOfAll(*this, Qt::Horizontal).width() ||
         (width() < scaledPx(kNarrowPx) && height() >= scaledPx(m_highEnoughPx));
}

void TurningSplitter::turn() {
  const bool isTurned = shouldTurn();
  if (isTurned != this->isTurned()) {
    const QList<int> shares = sizes();
    setOrientation(isTurned ? Qt::Vertical : Qt::Horizontal);
    setSizes(shares);
  }
  // Also where what is around it asks for its width alone.
  setMinimumHeight(isTurned ? minimumSizeHint().height() : 0);
}

void TurningSplitter::resizeEvent(QResizeEvent *event) {
  QSplitter::resizeEvent(event);
  turn();
}

bool TurningSplitter::event(QEvent *event) {
  const bool isHandled = QSplitter::event(event);
  if (event->type() == QEvent::LayoutRequest)
    turn();
  return isHandled;
}

} // namespace tilescope::views
