// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/files/DiskWatch.h"
#include "app/launch/ReferenceFiles.h"

#include <map>

namespace tilescope::app {

/// Follows the files that outputs of runs were compared with, for each document by itself. GUI
/// thread.
class ReferenceWatch : public QObject {
  Q_OBJECT
public:
  explicit ReferenceWatch(QObject *parent = nullptr);

  /// What the last run of a document has read; none: its results hold whatever becomes of files.
  void setFiles(const QObject *document, std::vector<ReferenceFile> files);
  /// What became of a document's files since; empty: nothing.
  QString whatChanged(const QObject *document) const;
  /// Looks at all of them, whether or not something was reported.
  void check();

Q_SIGNALS:
  /// `whatChanged` returns something else.
  void changed();

private:
  struct Files {
    std::vector<ReferenceFile> read;
    QString changed = {};
  };

  DiskWatch m_watch;
  std::map<const QObject *, Files> m_files;
};

} // namespace tilescope::app
