// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/KeptKey.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>

namespace tilescope::app {

KeptKey::KeptKey(QAction *action) : QObject(action), m_action(action) {
  qApp->installEventFilter(this);
}

bool KeptKey::eventFilter(QObject *, QEvent *event) {
  if (event->type() != QEvent::ShortcutOverride)
    return false;
  const auto *key = static_cast<QKeyEvent *>(event);
  if (m_action->shortcut() != QKeySequence(key->keyCombination()))
    return false;
  // No widget takes it: it becomes a shortcut.
  event->ignore();
  return true;
}

} // namespace tilescope::app
