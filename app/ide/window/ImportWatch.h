// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/files/DiskWatch.h"
#include "app/launch/ReferenceFiles.h"
#include "compiler/artifacts/CompileResult.h"

#include <map>
#include <string>
#include <vector>

namespace tilescope::app {

/// Reports when a file on the disk holds something else than the newest compile has read of it, or is
/// there again: one that it has imported, or one with what an output should be. GUI thread.
class ImportWatch : public QObject {
  Q_OBJECT
public:
  explicit ImportWatch(QObject *parent);

  /// What a compile has read: the document first. Those in `openTexts` are not read from the disk.
  void setResult(const compiler::CompileResult &result,
                 const std::map<std::string, std::string> &openTexts);
  /// Looks at all of them, whether or not something was reported.
  void check();

Q_SIGNALS:
  void changed();

private:
  DiskWatch m_watch;
  std::string m_document;
  /// As the compile has read them.
  std::vector<compiler::SourceFile> m_files;
  /// Those that were read before and are no longer there.
  std::vector<std::string> m_gone;
  /// As they were when the compile was done.
  std::vector<ReferenceFile> m_references;
};

} // namespace tilescope::app
