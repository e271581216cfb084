// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Ast.h"

#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {

/// Whether a name stands in an expression or a statement.
bool mentions(const Node &code, std::string_view name);

/// The summands of `p + a * b + c`, in their order; of what is no sum, itself. A difference is one summand.
std::vector<const Expr *> summands(const Expr &expr);

/// The items of a tuple or a list; of anything else, and of null, none.
Seq<Expr> itemsOf(const Expr *expr);

} // namespace tilescope::compiler::ast
