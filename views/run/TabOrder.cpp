// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/TabOrder.h"

#include <QWidget>

#include <vector>

namespace tilescope::views {

QWidget *orderTabs(QWidget *first, QWidget *part) {
  std::vector<QWidget *> stops;
  for (QWidget *each = part->nextInFocusChain(); each != part; each = each->nextInFocusChain())
    if (part->isAncestorOf(each) && (each->focusPolicy() & Qt::TabFocus) != 0 &&
        !each->focusProxy())
      stops.push_back(each);
  QWidget *last = first;
  for (QWidget *stop : stops) {
    QWidget::setTabOrder(last, stop);
    last = stop;
  }
  return last;
}

} // namespace tilescope::views
