// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/Interpretation.h"
#include "profiler/data/Measurement.h"

#include <QDateTime>
#include <QString>

#include <memory>
#include <vector>

namespace tilescope::views {

/// What a run was a run of: results without it belong to nothing.
struct RunStamp {
  /// Of the document; empty for a text that is in no file.
  QString path;
  QString kernel;
  /// Where it ran.
  QString place;
  /// Invalid: it was not in this window, and `place` says when.
  QDateTime time;
  /// Of a text that is in no file.
  QString untitledName = {};
  /// Words of a link to other results of the document, which are kept; empty: there are none.
  QString other = {};

  /// What its tab calls it.
  QString fileName() const;
};

/// All that came of one run.
struct RunResults {
  RunStamp stamp;
  /// One line for the user.
  QString status;
  bool ok = false;
  /// False: an error was in the way, and no program has run.
  bool hasRun = true;
  /// Outputs that the kernel changed come first. Paths name the `.npy` files.
  std::vector<profiler::OutputResult> outputs;
  /// Ranges point into `files`.
  std::vector<compiler::Diagnostic> findings;
  /// What badges say of the outputs: findings for views that do not show these.
  std::vector<compiler::Diagnostic> outputFaults = {};
  std::vector<compiler::SourceFile> files;
  /// Of elements that differ from what is expected.
  std::vector<compiler::ElementWriter> writers = {};
  /// A program that has done what it must not, and where.
  struct Fault {
    std::array<int32_t, 3> program{};
    SourceRange range;
    /// What it writes against other programs, in words: alone it does nothing wrong. Empty: it does.
    std::string race = {};
  };
  std::vector<Fault> faults = {};
  std::array<int64_t, 3> grid{1, 1, 1};
  /// Keeps the files of the outputs.
  std::shared_ptr<const void> folder;
};

using RunResultsPointer = std::shared_ptr<const RunResults>;

} // namespace tilescope::views
