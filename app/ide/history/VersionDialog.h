// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/history/TogetherRow.h"
#include "compiler/artifacts/CompileResult.h"
#include "views/history/HistoryEntry.h"

#include <functional>

class QDialog;
class QWidget;

namespace tilescope::app {

/// A version as the comparison names and shows it; `result` is null where stages are not kept.
struct ComparedVersion {
  QString title;
  views::HistoryEntry entry;
  std::shared_ptr<const compiler::CompileResult> result;
  /// Why only its text can be compared; empty where more is known.
  QString onlyText = {};
};

struct VersionWindow {
  QDialog *dialog;
  /// Shows other versions, while the dialog is there.
  std::function<void(const ComparedVersion &before, const ComparedVersion &after)> show;
};

/// Measures the two versions that the window shows; without a backend they are not measured.
struct VersionMeasuring {
  TogetherBackend *backend = nullptr;
  std::function<TogetherOffer()> offer;
};

/// Opens a window with what is different between two versions: the facts in one line, and the lines
/// of the source or of any stage that both have. It deletes itself when it is closed.
VersionWindow showVersions(QWidget *parent, const ComparedVersion &before,
                           const ComparedVersion &after, const VersionMeasuring &measuring = {});

} // namespace tilescope::app
