// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A case is a kernel or IR file that says itself what is wrong with it. Lines that begin with the
// comment's mark and a `|` are expectations, taken out before the file is compiled:
//
//     y = x + z
//   #|         ^ undefined-name: `z` is not defined
//   #|   note: did you mean
//   #|   from: `f` is called here
//   #|   fix: write `x`
//
// The carets stand below the place, to the column, in the last line above that is not an
// expectation (a `^~` means that the place goes on beyond the line); `@1-5` stands for columns that
// the mark covers, from 1, without an end for a place that goes on. `note:` and `from:` are parts
// of the notes and labels of the diagnostic above them, `fix:` a part of `TITLE | REPLACEMENT` of a
// fix. A diagnostic about the whole file has no place and
// no carets: `#| no-kernel: this file has no kernel`.
//
// Before the first line of code, `#| set NAME VALUE` prepares the compilation: `kernel`, `target`,
// `signature`, `constexpr`, `option`, `launch` as on the command line; `do` is `compile` (up to
// `to`, a stage) or `run`, which writes to the folder `output`; `env NAME=VALUE` is for the worker;
// `hook ACTION STEP` makes it fail. `nothing` is for cases that look wrong, and are right.
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/artifacts/Diagnostic.h"
#include "compiler/service/Messages.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilescope::tests {

struct Expectation {
  /// Id of the kind.
  std::string kind;
  /// Empty: the whole file, which is at its beginning.
  std::optional<SourceRange> range;
  /// Only the beginning of the range is known.
  bool isOpen = false;
  std::string message;
  std::vector<std::string> notes;
  std::vector<std::string> labels;
  std::vector<std::string> fixes;
};

struct CaseFile {
  std::string path;
  /// Without the expectations.
  std::string text;
  compiler::Selection selection;
  bool isRun = false;
  /// Nothing is wrong with it.
  bool isRight = false;
  compiler::StageId stopAfter = compiler::StageId::Ttir;
  std::vector<std::pair<std::string, std::string>> environment;
  compiler::TestHook hook;
  /// Where a run writes its tensors; empty: a temporary folder.
  std::string outputFolder;
  std::vector<Expectation> expectations;
  /// What is wrong with the case itself.
  std::vector<std::string> problems;
};

CaseFile readCase(const std::string &path);

/// What does not match: an expectation without its diagnostic, a diagnostic that is not expected.
std::vector<std::string> mismatches(const CaseFile &file,
                                    const std::vector<compiler::Diagnostic> &diagnostics);

} // namespace tilescope::tests
