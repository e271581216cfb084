// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/FixCommands.h"

#include "app/ide/window/ActionTable.h"
#include "views/editor/KernelEditor.h"

#include <QAction>
#include <QCoreApplication>
#include <QStatusBar>

namespace tilescope::app {

using views::KernelEditor;

static constexpr int kToldMs = 8000;

static QString tr(const char *text) { return QCoreApplication::translate("FixCommands", text); }

static void applyFix(KernelEditor *editor, QStatusBar *status) {
  if (!editor)
    return;
  if (const std::optional<views::OfferedFix> applied = editor->applyTriedFix())
    status->showMessage(tr("Applied: %1 (%2). Ctrl+Z takes it back")
                            .arg(QString::fromStdString(applied->edit.title),
                                 QString::fromStdString(applied->outcome)),
                        kToldMs);
  else
    status->showMessage(
        tr("No fix that was tried is at the cursor: Ctrl+. lists all that there are"), kToldMs);
}

void addFixCommands(ActionTable &actions, std::function<KernelEditor *()> editor,
                    QStatusBar *status) {
  const auto keys = [](const char *first, const char *second, const char *third) {
    return QList<QKeySequence>{QKeySequence(QString::fromLatin1(first)),
                               QKeySequence(QString::fromLatin1(second)),
                               QKeySequence(QString::fromLatin1(third))};
  };
  actions
      .add(QStringLiteral("fix"), tr("Fix the problem at the cursor"), {},
           [editor] {
             if (KernelEditor *used = editor())
               used->showFixes();
           })
      ->setShortcuts(keys("Ctrl+.", "Alt+Return", "Alt+Enter"));
  actions
      .add(QStringLiteral("applyFix"), tr("Apply the tried fix at the cursor"), {},
           [editor, status] { applyFix(editor(), status); })
      ->setShortcuts(keys("Ctrl+Shift+.", "Alt+Shift+Return", "Alt+Shift+Enter"));
}

} // namespace tilescope::app
