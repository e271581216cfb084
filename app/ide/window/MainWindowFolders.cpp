// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Folders of kernels, and what is dropped on the window.
#include "app/ide/window/FileDrop.h"
#include "app/ide/window/MainWindow.h"

#include <QDir>

namespace tilescope::app {

void MainWindow::acceptDrops() {
  connect(new FileDrop(this), &FileDrop::dropped, this, [this](const QStringList &paths) {
    for (const QString &path : paths)
      openFile(path);
    activateWindow();
  });
}

/// Python files of a folder, by name; not those of folders in it.
static QStringList pythonFilesIn(const QString &folder) {
  QStringList paths;
  for (const QFileInfo &file :
       QDir(folder).entryInfoList({QStringLiteral("*.py")}, QDir::Files, QDir::Name))
    paths << file.absoluteFilePath();
  return paths;
}

std::optional<EditorPage *> MainWindow::openPythonFiles(const QString &folder) {
  constexpr qsizetype kMost = 20;
  const QStringList paths = pythonFilesIn(folder);
  if (paths.isEmpty())
    return std::nullopt;
  if (paths.size() > kMost) {
    refuseFile(tr("`%1` has %2 Python files, which are too many to open at once: open those that "
                  "you want to see.")
                   .arg(QDir::toNativeSeparators(folder))
                   .arg(paths.size()));
    return nullptr;
  }
  EditorPage *last = nullptr;
  for (const QString &path : paths)
    if (EditorPage *page = openFile(path))
      last = page;
  return last;
}

} // namespace tilescope::app
