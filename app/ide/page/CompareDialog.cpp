// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/page/CompareDialog.h"

#include "compiler/support/LineDiff.h"
#include "views/common/CodeDialog.h"
#include "views/common/CodeView.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>

#include <utility>

namespace tilescope::app {

static QString tr(const char *text) { return QCoreApplication::translate("CompareDialog", text); }

static void addChoice(QDialog *dialog, QDialogButtonBox *buttons, const QString &label,
                      const QString &effect, std::function<void()> take) {
  QPushButton *button = buttons->addButton(label, QDialogButtonBox::ActionRole);
  button->setToolTip(effect);
  button->setAutoDefault(false);
  QObject::connect(button, &QPushButton::clicked, dialog, [dialog, take = std::move(take)] {
    dialog->close();
    take();
  });
}

QDialog *showComparison(QWidget *parent, const QString &name, std::string_view mine,
                        std::string_view theirs, ComparisonChoices choices) {
  QDialog *dialog = views::createCodeDialog(parent, tr("%1: here and on disk").arg(name));
  UnifiedDiff diff = unifiedDiff(mine, theirs);
  auto *facts = new QLabel(tr("From the text here to the file on disk: +%1, −%2 lines")
                               .arg(diff.numAdded)
                               .arg(diff.numRemoved),
                           dialog);
  auto *view = new views::CodeView(dialog);
  view->setText(std::move(diff.text), views::TextLanguage::Plain);
  view->setDiff(std::move(diff.lines));
  QDialogButtonBox *buttons = views::createCloseButton(dialog);
  addChoice(dialog, buttons, tr("&Keep mine"),
            tr("The text here stays; saving replaces the file on disk."),
            std::move(choices.keepMine));
  addChoice(dialog, buttons, tr("&Take theirs"),
            tr("The text on disk replaces the one here; undo brings it back."),
            std::move(choices.takeTheirs));
  views::showCodeDialog(dialog, {facts}, view, buttons);
  view->revealFirstDifference();
  return dialog;
}

} // namespace tilescope::app
