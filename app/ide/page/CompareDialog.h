// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>

#include <functional>
#include <string_view>

class QDialog;
class QWidget;

namespace tilescope::app {

/// What can be done about two versions of a file.
struct ComparisonChoices {
  std::function<void()> keepMine;
  std::function<void()> takeTheirs;
};

/// Opens a window with the lines in which two versions of a file differ, and a button for each
/// choice, which closes it. It deletes itself when it is closed.
QDialog *showComparison(QWidget *parent, const QString &name, std::string_view mine,
                        std::string_view theirs, ComparisonChoices choices);

} // namespace tilescope::app
