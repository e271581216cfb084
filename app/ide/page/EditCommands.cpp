// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/page/EditCommands.h"

#include "views/common/CodeView.h"
#include "views/editor/KernelEditor.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QPlainTextEdit>

namespace tilescope::app {

/// Editors and fields name these commands alike.
template <class Text> static bool applyToText(EditCommand command, Text *text) {
  if (!text)
    return false;
  switch (command) {
  case EditCommand::Undo:
    text->undo();
    break;
  case EditCommand::Redo:
    text->redo();
    break;
  case EditCommand::Cut:
    text->cut();
    break;
  case EditCommand::Copy:
    text->copy();
    break;
  case EditCommand::Paste:
    text->paste();
    break;
  case EditCommand::SelectAll:
    text->selectAll();
    break;
  }
  return true;
}

static bool applyToCode(EditCommand command, views::CodeView *code) {
  if (!code || (command != EditCommand::Copy && command != EditCommand::SelectAll))
    return false;
  if (command == EditCommand::Copy)
    code->copy();
  else
    code->selectAll();
  return true;
}

/// Copies the cells that are selected, a row to a line.
static bool applyToItems(EditCommand command, QAbstractItemView *items) {
  if (!items || !items->selectionModel())
    return false;
  if (command == EditCommand::SelectAll)
    items->selectAll();
  if (command != EditCommand::Copy)
    return command == EditCommand::SelectAll;
  QModelIndexList cells = items->selectionModel()->selectedIndexes();
  std::sort(cells.begin(), cells.end());
  QString text;
  for (qsizetype i = 0; i < cells.size(); ++i) {
    if (i > 0)
      text += cells[i].row() == cells[i - 1].row() && cells[i].parent() == cells[i - 1].parent()
                  ? u'\t'
                  : u'\n';
    text += cells[i].data().toString();
  }
  if (!text.isEmpty())
    QApplication::clipboard()->setText(text);
  return true;
}

bool applyEditCommand(EditCommand command, QWidget *target) {
  return applyToText(command, qobject_cast<views::KernelEditor *>(target)) ||
         applyToText(command, qobject_cast<QLineEdit *>(target)) ||
         applyToText(command, qobject_cast<QPlainTextEdit *>(target)) ||
         applyToCode(command, qobject_cast<views::CodeView *>(target)) ||
         applyToItems(command, qobject_cast<QAbstractItemView *>(target));
}

} // namespace tilescope::app
