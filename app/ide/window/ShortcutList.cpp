// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/ShortcutList.h"

#include "app/ide/docks/WindowPlacement.h"
#include "views/common/Theme.h"
#include "views/palette/CommandPalette.h"

#include <QDialog>
#include <QHeaderView>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace tilescope::app {

void showShortcuts(const QList<QAction *> &actions, QWidget *parent) {
  auto *dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(QDialog::tr("Keyboard shortcuts"));
  auto *list = new QTreeWidget(dialog);
  list->setAccessibleName(dialog->windowTitle());
  list->setRootIsDecorated(false);
  list->setHeaderLabels({QDialog::tr("Command"), QDialog::tr("Keys")});
  for (const QAction *action : actions)
    if (!action->shortcut().isEmpty())
      new QTreeWidgetItem(
          list, {views::commandName(*action),
                 QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText)});
  list->setSortingEnabled(true);
  list->sortByColumn(0, Qt::AscendingOrder);
  list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  list->setCurrentItem(list->topLevelItem(0));
  auto *layout = new QVBoxLayout(dialog);
  layout->addWidget(list);
  dialog->resize(sizeOnScreen(*parent, {views::scaledPx(560), views::scaledPx(640)}));
  dialog->show();
}

} // namespace tilescope::app
