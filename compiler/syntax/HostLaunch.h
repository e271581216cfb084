// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Launches in the text of a script, which nothing here runs:
//
//     x = torch.randn(1000)
//     kernel[(4,)](x, 1000, BLOCK=256)
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/syntax/ModuleIndex.h"

#include <optional>

namespace tilescope::compiler::ast {

/// A note at the first launch outside of functions, of a file without a launch block; nothing: there is
/// none.
std::optional<Diagnostic> hostLaunch(const SyntaxTree &tree, const ModuleIndex &index);

} // namespace tilescope::compiler::ast
