// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/EditorMenu.h"

#include "app/ide/window/ActionTable.h"
#include "views/editor/Explanation.h"
#include "views/editor/KernelEditor.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>

namespace tilescope::app {

void showEditorMenu(views::KernelEditor &editor, const ActionTable &actions, bool hasDefinition,
                    QPoint place) {
  const bool isWritable = !editor.isReadOnly(), hasSelection = editor.hasSelectedText();
  const bool canPaste = isWritable && !QApplication::clipboard()->text().isEmpty();
  const bool hasText = editor.length() > 0;
  // A line without a name separates.
  const std::pair<const char *, bool> commands[] = {
      {"definition", hasDefinition},
      {"fix", isWritable && editor.hasFixes()},
      {"applyFix", isWritable && editor.triedFix().has_value()},
      {"explain", !problemsAtCursor(editor).empty()},
      {"hover", hasText},
      {"nextOccurrence", isWritable && hasText},
      {"comment", isWritable && hasText},
      {"", true},
      {"undo", editor.isUndoAvailable()},
      {"redo", editor.isRedoAvailable()},
      {"", true},
      {"cut", isWritable && hasSelection},
      {"copy", hasSelection},
      {"paste", canPaste},
      {"selectAll", hasText}};
  auto *menu = new QMenu(&editor);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  for (const auto &[id, isUseful] : commands) {
    if (*id == '\0') {
      menu->addSeparator();
      continue;
    }
    QAction *command = actions.find(QString::fromLatin1(id));
    // The key is shown, but is the window's: here it would have two meanings.
    QAction *entry = menu->addAction(command->text() + u'\t' +
                                         command->shortcut().toString(QKeySequence::NativeText),
                                     command, &QAction::trigger);
    entry->setObjectName(command->objectName());
    entry->setEnabled(isUseful);
  }
  menu->popup(place);
}

} // namespace tilescope::app
