// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "views/history/HistoryEntry.h"

class QDialog;
class QWidget;

namespace tilescope::app {

/// A version as the comparison names and shows it; `result` is null where stages are not kept.
struct ComparedVersion {
  QString title;
  views::HistoryEntry entry;
  std::shared_ptr<const compiler::CompileResult> result;
};

/// Opens a window with what is different between two versions: the facts in one line, and the lines
/// of the source or of any stage that both have. It deletes itself when it is closed.
QDialog *showVersions(QWidget *parent, const ComparedVersion &before, const ComparedVersion &after);

} // namespace tilescope::app
