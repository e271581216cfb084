// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Masks of matrices that let accesses through although each of their comparisons is one of the right mask, or nearly:
//
//     mask=cols[None, :] < w                              one axis is missing
//     mask=(rows[:, None] < w) & (cols[None, :] < h)      the ends are exchanged
//     mask=(rows[:, None] < h) | (cols[None, :] < w)      either is enough
#pragma once

#include "compiler/pipeline/MaskAdvice.h"
#include "compiler/pipeline/RowMask.h"
#include "compiler/syntax/Ast.h"

#include <optional>

namespace tilescope::compiler {

/// Writes `rows.condition` in the place of such a mask. Nothing where the mask says something that the condition does
/// not: that would be lost. No fix where the strides may be exchanged instead.
std::optional<MaskAdvice> wholeMask(const ast::SyntaxTree &tree, const ast::Call &access,
                                    const ast::Expr &mask, const RowMask &rows,
                                    const KernelSizes &sizes);

} // namespace tilescope::compiler
