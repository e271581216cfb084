// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/ArrayParts.h"

namespace tilescope::app {

/// Whether an expression makes an array without naming a tensor: `arange(n) // 2`.
bool makesRange(const compiler::ast::Expr &expr);

/// Brackets with an array of indices, `q_ptr[:, arange(n) // 2]`, as `take` of what the other items
/// leave, `q_ptr[:, :]`, along this axis. Two arrays and nothing else, `x_ptr[arange(m), y_ptr]`, have an
/// element for each pair: the second ones along the rows that the first ones take. Nothing: there is no such
/// array, there are others, or NumPy would put its axes elsewhere (`x_ptr[0, :, arange(n)]`). `texts` are the
/// items as written; `isTensor` as of `findArrayPart`.
std::optional<ArrayPart>
indicesOf(const compiler::ast::SyntaxTree &tree, const compiler::ast::Expr &operand,
          const std::vector<const compiler::ast::Expr *> &texts,
          const std::vector<ArrayPart::Item> &items,
          const std::function<bool(const compiler::ast::Expr &)> &isTensor);

} // namespace tilescope::app
