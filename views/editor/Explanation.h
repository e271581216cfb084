// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <QString>

#include <vector>

namespace tilescope::views {

class FixPopup;
class KernelEditor;

/// The problems at the cursor, else all on its line; the worst first.
std::vector<compiler::Diagnostic> problemsAtCursor(const KernelEditor &editor);

struct ExplainedProblem {
  compiler::Diagnostic problem;
  /// Why it is one, in Markdown.
  QString why;
};

/// Shows beside the place of the first one why problems are some, and what their fixes change; one of these can be
/// applied. Returns the popup, which deletes itself when it is closed.
FixPopup *showExplanation(KernelEditor &editor, const std::vector<ExplainedProblem> &problems);

} // namespace tilescope::views
