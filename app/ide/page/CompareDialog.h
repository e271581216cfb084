// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>

#include <string_view>

class QDialog;
class QWidget;

namespace tilescope::app {

/// Opens a window with the lines in which two versions of a file differ. It deletes itself when it
/// is closed.
QDialog *showComparison(QWidget *parent, const QString &name, std::string_view mine,
                        std::string_view theirs);

} // namespace tilescope::app
