// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Ast.h"

#include <functional>
#include <optional>
#include <string>

namespace tilescope::app {

/// A part of an expression, and what stands in its place.
struct Rewrite {
  const compiler::ast::Expr *part = nullptr;
  std::string code;
};

/// An expression with parts written otherwise, the outermost first, until `find` names none: for each node it returns
/// what to write in its place, or nothing. What is not an expression is returned as it is.
std::string
rewriteParts(std::string text,
             const std::function<std::optional<Rewrite>(const compiler::ast::SyntaxTree &tree,
                                                        const compiler::ast::Node &node)> &find);

} // namespace tilescope::app
