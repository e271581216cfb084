// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// What is to be changed where.
struct Change {
  SourceRange range;
  std::string code;
};

/// Writes `code` in the place of an expression, and says so with its line.
compiler::DiagnosticFix replacing(const KernelText &kernel, const compiler::ast::Node &node,
                                  const std::string &code);

/// All changes in one fix, which takes what lies between them along. There is at least one, and none overlap.
compiler::DiagnosticFix together(const KernelText &kernel, std::vector<Change> changes,
                                 std::string title);

/// What a fix changes in each line, from the last to the first, where the lines stay as many: what stands between keeps
/// its place. The fix itself for others.
std::vector<compiler::DiagnosticFix> changedLines(const std::string &text,
                                                  const compiler::DiagnosticFix &fix);

} // namespace tilescope::app
