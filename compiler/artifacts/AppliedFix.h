// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <string>
#include <string_view>

namespace tilescope::compiler {

/// The text with the fix applied. Places behind the end of a line, or of the text, are that end.
std::string fixedText(std::string_view text, const DiagnosticFix &fix);

/// Where the text with the fix applied has what the fix wrote; empty where it only removes.
SourceRange writtenRange(const DiagnosticFix &fix);

/// Where the text with the fix applied has a range of the document (file 0). What the fix replaced is where
/// it wrote something else. Ranges of other files stay.
SourceRange movedRange(const DiagnosticFix &fix, SourceRange range);

} // namespace tilescope::compiler
