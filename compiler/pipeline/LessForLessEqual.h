// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Masks that let one element too many through, alone or beside other conditions:
//
//     m = i <= n                                                 i < n
//     tl.load(p + i, mask=m & is_mine)
//     tl.load(p + rows[:, None] * N + cols[None, :], mask=(rows[:, None] <= M) & (cols[None, :] <= N))
#pragma once

#include "compiler/pipeline/MaskAdvice.h"
#include "compiler/syntax/Ast.h"

#include <optional>

namespace tilescope::compiler {

/// `mask=i <= n` lets `n` through: `<` is meant. Nothing for accesses that go outside in another way.
std::optional<MaskAdvice> lessForLessEqual(const ast::SyntaxTree &tree, const ast::Call &access,
                                           const InterpreterFinding &finding,
                                           const KernelSizes &sizes);

} // namespace tilescope::compiler
