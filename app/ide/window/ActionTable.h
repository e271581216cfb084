// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Stage.h"

#include <QKeySequence>
#include <QList>

#include <functional>
#include <map>

class QAction;
class QWidget;

namespace tilescope::app {

/// The commands of the window: each has a name, a place in the palette, and mostly a shortcut.
/// Menus, tool bar and palette show commands of this table, and no others.
class ActionTable {
public:
  /// The shortcuts work in the whole window; `before` is called ahead of each command.
  ActionTable(QWidget *window, std::function<void()> before)
      : m_window(window), m_before(std::move(before)) {}

  QAction *add(const QString &id, const QString &text, const QKeySequence &shortcut,
               std::function<void()> handler);
  /// Null: no such command.
  QAction *find(const QString &id) const;
  /// In the order in which they were added, which is the palette's.
  const QList<QAction *> &all() const { return m_order; }

private:
  QWidget *m_window;
  std::function<void()> m_before;
  std::map<QString, QAction *> m_actions;
  QList<QAction *> m_order;
};

/// The name of the command that makes a file of a stage, e.g. `forkTtir`.
QString forkAction(compiler::StageId stage);

} // namespace tilescope::app
