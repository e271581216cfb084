// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Ast.h"

#include <string_view>

namespace tilescope::compiler::frontend {

/// Whether a name stands in an expression.
inline bool mentions(const ast::Expr &expr, std::string_view name) {
  bool found = false;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *used = ast::as<ast::Name>(&node);
    found |= used && used->id == name;
    return !found;
  });
  return found;
}

} // namespace tilescope::compiler::frontend
