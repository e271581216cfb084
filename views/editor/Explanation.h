// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <QString>

#include <optional>

namespace tilescope::views {

class FixPopup;
class KernelEditor;

/// The problem at the cursor, else the worst on its line.
std::optional<compiler::Diagnostic> problemAtCursor(const KernelEditor &editor);

/// Shows beside its place why a problem is one, in Markdown, and what its fixes change; one of them
/// can be applied. Returns the popup, which deletes itself when it is closed.
FixPopup *showExplanation(KernelEditor &editor, const compiler::Diagnostic &problem,
                          const QString &why);

} // namespace tilescope::views
