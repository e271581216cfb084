// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QString>
#include <QStringList>

#include <vector>

namespace tilescope::app {

/// One open file as the session remembers it.
struct SessionFile {
  QString path;
  /// Text that is not in the file yet; empty together with `unsaved == false`.
  QString text;
  bool unsaved = false;
  QDateTime diskTime;
  int line = 0;
  int column = 0;
  bool operator==(const SessionFile &) const = default;
};

/// Everything that survives a restart, and a crash: written a moment after every change.
struct Session {
  std::vector<SessionFile> files;
  int current = 0;
  QStringList recentFiles;
  QByteArray geometry;
  QByteArray windowState;
  /// `dark`, `light`, or empty for the system's.
  QString theme;
  int fontZoom = 0;
  /// Font of code; empty: the program's choice.
  QString codeFamily;
  bool hintsVisible = true;
  QString target;
  /// Where imported kernels are looked up, after the file's own folder.
  QStringList importFolders;

  /// Puts a file at the top of the recent ones.
  void addRecent(const QString &path);
};

/// The file in which sessions are kept by default.
QString defaultSessionPath();
/// An unreadable or missing file gives a new session.
Session loadSession(const QString &path);
bool saveSession(const QString &path, const Session &session);

} // namespace tilescope::app
