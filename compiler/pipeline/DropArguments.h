// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// Leaves out those of the named arguments that the call at `place` has: neighbors, of which one is
/// there at least. Nothing where the source does not show them so.
///
///     tl.load(p + i, mask=i < n, other=0.0)     without `mask` and `other`:  tl.load(p + i)
std::optional<DiagnosticFix> dropArguments(const std::string &text, const SourceRange &place,
                                           const std::vector<std::string> &names);

} // namespace tilescope::compiler
