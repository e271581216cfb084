// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <string_view>
#include <vector>

namespace tilescope::app {

/// Findings in a text, at their places in another one that edits made of it. One in which something
/// is changed goes: the change may have mended it. One beside the change in its line stays, and so
/// does one around a change that is the fix of another finding, which says that it was not checked
/// since. Labels and fixes go with their places.
///
///     before:  a     after:  a        a finding in line 1 (`b`) is dropped,
///              b             new      one in line 2 (`c`) is in line 3
///              c             B
///                            c
std::vector<compiler::Diagnostic> movedFindings(std::vector<compiler::Diagnostic> findings,
                                                std::string_view before, std::string_view after);

} // namespace tilescope::app
