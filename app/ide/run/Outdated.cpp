// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/Outdated.h"

#include <QFileInfo>

namespace tilescope::app {

static QString text(const std::string &value) { return QString::fromStdString(value); }

/// The name of an imported file that was another one when the run read it; empty: none was.
static QString changedImport(const std::vector<compiler::SourceFile> &files,
                             const std::vector<compiler::SourceFile> &imports) {
  for (const compiler::SourceFile &read : files)
    for (const compiler::SourceFile &now : imports)
      if (read.path == now.path && read.text != now.text)
        return QFileInfo(text(now.path)).fileName();
  return {};
}

QString otherChoice(const RunDocument &then, const RunDocument &now) {
  if (then.kernel != now.kernel && now.kernel.empty())
    return RunHistory::tr("these are results of `%1`, and the text has no kernel now")
        .arg(text(then.kernel));
  if (then.kernel != now.kernel)
    return RunHistory::tr("these are results of `%1`; `%2` is chosen")
        .arg(text(then.kernel), text(now.kernel));
  if (then.launch != now.launch)
    return RunHistory::tr("another launch is chosen");
  if (then.selection != now.selection)
    return RunHistory::tr("what the kernel is compiled for has changed");
  return {};
}

QString otherText(const RunDocument &then, const RunDocument &now,
                  const std::vector<compiler::SourceFile> &files) {
  if (then.text != now.text)
    return RunHistory::tr("the text has changed");
  const QString import = changedImport(files, now.imports);
  return import.isEmpty() ? QString() : RunHistory::tr("the imported `%1` has changed").arg(import);
}

QString outdatedReason(const RunDocument &then, const RunDocument &now,
                       const std::vector<compiler::SourceFile> &files) {
  const QString text = otherText(then, now, files);
  const bool isKernel = then.kernel == now.kernel;
  return isKernel && !text.isEmpty() ? text : otherChoice(then, now);
}

} // namespace tilescope::app
