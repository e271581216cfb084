// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/CodeDialog.h"

#include "views/common/CodeView.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilescope::views {

QDialog *createCodeDialog(QWidget *parent, const QString &title) {
  auto *dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  dialog->resize(900, 600);
  return dialog;
}

QDialogButtonBox *createCloseButton(QDialog *dialog) {
  auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  return buttons;
}

void showCodeDialog(QDialog *dialog, std::initializer_list<QWidget *> above, CodeView *code,
                    QDialogButtonBox *buttons) {
  auto *layout = new QVBoxLayout(dialog);
  for (QWidget *row : above)
    layout->addWidget(row);
  layout->addWidget(code, 1);
  layout->addWidget(buttons);
  code->setFocus();
  dialog->show();
}

} // namespace tilescope::views
