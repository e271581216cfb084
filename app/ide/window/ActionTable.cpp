// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/ActionTable.h"

#include <QAction>
#include <QWidget>

namespace tilescope::app {

QAction *ActionTable::add(const QString &id, const QString &text, const QKeySequence &shortcut,
                          std::function<void()> handler) {
  auto *created = new QAction(text, m_window);
  created->setObjectName(id);
  created->setShortcut(shortcut);
  if (!shortcut.isEmpty())
    created->setToolTip(QStringLiteral("%1 (%2)").arg(text, shortcut.toString()));
  QObject::connect(created, &QAction::triggered, m_window,
                   [before = m_before, handler = std::move(handler)] {
                     before();
                     handler();
                   });
  m_window->addAction(created);
  m_actions[id] = created;
  m_order << created;
  return created;
}

QAction *ActionTable::find(const QString &id) const {
  const auto known = m_actions.find(id);
  return known == m_actions.end() ? nullptr : known->second;
}

QString forkAction(compiler::StageId stage) {
  const std::string_view name = compiler::stageName(stage);
  QString id = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
  id[0] = id[0].toUpper();
  return QStringLiteral("fork") + id;
}

} // namespace tilescope::app
