// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <string_view>
#include <vector>

namespace tilescope::app {

/// Findings in a text, at their places in another one that edits made of it. Findings in
/// a changed line goes: the change may have mended it. Labels and fixes go with their lines.
///
///     before:  a     after:  a        a finding in line 1 (`b`) is dropped,
///              b             new      one in line 2 (`c`) is in line 3
///              c             B
///                            c
std::vector<compiler::Diagnostic> movedFindings(std::vector<compiler::Diagnostic> findings,
                                                std::string_view before, std::string_view after);

} // namespace tilescope::app
