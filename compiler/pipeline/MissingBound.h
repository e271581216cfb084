// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the mask of an access leaves out, and that of another one at the same index does not:
//
//     a = tl.load(a_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K))
//     b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=rn[None, :] < N)      `rk` has no bound
#pragma once

#include "compiler/syntax/Ast.h"

#include <string>

namespace tilescope::compiler {

/// "its `mask` does not bound `rk`, as line 12 does by `rk[None, :] < K`"; empty: there is no such index.
std::string missingBound(const ast::SyntaxTree &tree, const ast::Node &function,
                         const ast::Call &access);

/// "`b` is multiplied by `W` here, and by `H` in line 46", where all else of both addresses is alike but for the arrays,
/// and for what the indices here are made of; empty: there is no such access.
std::string otherFactor(const ast::SyntaxTree &tree, const ast::Node &function,
                        const ast::Call &access);

} // namespace tilescope::compiler
