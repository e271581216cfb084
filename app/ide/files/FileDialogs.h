// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The dialogs that ask which files to open and where to save.
#pragma once

#include <QStringList>

class QWidget;

namespace tilescope::app {

struct FileQuestion {
  QWidget *window = nullptr;
  QString title;
  /// The folder to begin in; of a dialog to save, with the offered name.
  QString place;
  /// `Kernels (*.py *.ttir);;All files (*)`
  QString kinds;
  /// Of a dialog to save: what a name without an ending gets. Whether a file may be replaced is
  /// asked of the name with the ending.
  QString ending = {};
};

/// Empty: the user has changed their mind.
QStringList askFilesToOpen(const FileQuestion &question);
QString askFileToSave(const FileQuestion &question);
QString askFolder(const FileQuestion &question);

} // namespace tilescope::app
