// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/ArrayParts.h"

namespace tilescope::app {

/// Brackets with an array of indices, `q_ptr[:, arange(n) // 2]`, as `take` of what the other items
/// leave, `q_ptr[:, :]`, along this axis. Nothing: there is no such array, there are several, or
/// NumPy would put its axes elsewhere (`x_ptr[0, :, arange(n)]`). `texts` are the items as written;
/// `isTensor` as of `findArrayPart`.
std::optional<ArrayPart>
indicesOf(const compiler::ast::SyntaxTree &tree, const compiler::ast::Expr &operand,
          const std::vector<const compiler::ast::Expr *> &texts,
          const std::vector<ArrayPart::Item> &items,
          const std::function<bool(const compiler::ast::Expr &)> &isTensor);

} // namespace tilescope::app
