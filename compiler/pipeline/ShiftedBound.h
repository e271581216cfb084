// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/syntax/Ast.h"

#include <optional>
#include <string>

namespace tilescope::compiler {

/// The comparison in a mask that keeps `i` from being negative where the access goes to `i - 1`, `offsets`:
///
///     tl.load(x_ptr + i - 1, mask=m & (i >= 0))          i >= 1
///
/// Writes what keeps that in. Nothing where the mask has none.
std::optional<DiagnosticFix> shiftedBound(const ast::SyntaxTree &tree, const ast::Call &access,
                                          const ast::Expr &mask, const std::string &offsets);

} // namespace tilescope::compiler
