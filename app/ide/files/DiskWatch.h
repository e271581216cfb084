// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QSet>
#include <QTimer>

namespace tilescope::app {

/// Reports when other programs write, replace, remove or make one of the open files. Files are
/// watched together with their folders: most programs replace a file, and the new one is another.
/// GUI thread.
class DiskWatch : public QObject {
  Q_OBJECT
public:
  explicit DiskWatch(QObject *parent = nullptr);

  void setFiles(const QStringList &paths);

Q_SIGNALS:
  /// Something may have happened to this file.
  void touched(const QString &path);

private:
  void arm();
  void report();

  QFileSystemWatcher m_watcher;
  QStringList m_files;
  QSet<QString> m_places;
  QTimer m_delay;
};

} // namespace tilescope::app
