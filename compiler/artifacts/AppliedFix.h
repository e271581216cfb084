// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <string>
#include <string_view>

namespace tilescope::compiler {

/// The text with the fix applied. Places behind the end of a line, or of the text, are that end.
std::string fixedText(std::string_view text, const DiagnosticFix &fix);

} // namespace tilescope::compiler
