// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/MenuTypeAhead.h"

#include <QKeyEvent>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>

namespace tilescope::app {

MenuTypeAhead::MenuTypeAhead(QMenuBar *bar) : QObject(bar) {
  for (const QAction *action : bar->actions())
    if (action->menu())
      watch(action->menu());
}

void MenuTypeAhead::watch(QMenu *menu) {
  menu->installEventFilter(this);
  for (const QAction *action : menu->actions())
    if (action->menu())
      watch(action->menu());
}

/// Whether a menu answers the letter itself.
static bool hasMnemonic(const QMenu &menu, const QString &letter) {
  return std::ranges::any_of(menu.actions(), [&](const QAction *action) {
    const QKeySequence key = QKeySequence::mnemonic(action->text());
    return !key.isEmpty() && key == QKeySequence(QStringLiteral("Alt+") + letter);
  });
}

/// Behind the item in use, around the end.
static QAction *nextBeginningWith(const QMenu &menu, const QString &letter) {
  const QList<QAction *> actions = menu.actions();
  const qsizetype active = actions.indexOf(menu.activeAction());
  for (qsizetype step = 1; step <= actions.size(); ++step) {
    QAction *action = actions[(active + step) % actions.size()];
    if (action->isVisible() && action->isEnabled() && !action->isSeparator() &&
        action->text().remove(u'&').startsWith(letter, Qt::CaseInsensitive))
      return action;
  }
  return nullptr;
}

bool MenuTypeAhead::eventFilter(QObject *watched, QEvent *event) {
  auto *menu = qobject_cast<QMenu *>(watched);
  if (event->type() != QEvent::KeyPress || !menu)
    return false;
  const auto &key = static_cast<const QKeyEvent &>(*event);
  const QString letter = key.text();
  if (letter.size() != 1 || !letter.front().isLetterOrNumber() ||
      (key.modifiers() & ~Qt::ShiftModifier) || hasMnemonic(*menu, letter))
    return false;
  QAction *next = nextBeginningWith(*menu, letter);
  if (next)
    menu->setActiveAction(next);
  return next != nullptr;
}

} // namespace tilescope::app
