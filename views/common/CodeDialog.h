// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <initializer_list>

class QDialog;
class QDialogButtonBox;
class QString;
class QWidget;

namespace tilescope::views {

class CodeView;

/// A window about code, which is deleted when it is closed.
QDialog *createCodeDialog(QWidget *parent, const QString &title);

/// Its button Close, which no key in the code presses.
QDialogButtonBox *createCloseButton(QDialog *dialog);

/// Shows the dialog: `above` one below the other, then the code, which gets the keys, then the
/// buttons.
void showCodeDialog(QDialog *dialog, std::initializer_list<QWidget *> above, CodeView *code,
                    QDialogButtonBox *buttons);

} // namespace tilescope::views
