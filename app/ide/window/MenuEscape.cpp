// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/MenuEscape.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMenuBar>

namespace tilescope::app {

MenuEscape::MenuEscape(QMenuBar *bar) : QObject(bar), m_bar(bar) {
  for (const QAction *action : bar->actions())
    if (action->menu())
      action->menu()->installEventFilter(this);
}

bool MenuEscape::eventFilter(QObject *, QEvent *event) {
  if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape)
    // The menu closes first.
    QMetaObject::invokeMethod(this, &MenuEscape::leaveBar, Qt::QueuedConnection);
  return false;
}

void MenuEscape::leaveBar() {
  if (!m_bar->hasFocus())
    return;
  QKeyEvent second(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
  QCoreApplication::sendEvent(m_bar, &second);
}

} // namespace tilescope::app
