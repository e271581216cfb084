// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Ast.h"

#include <memory>
#include <string>

namespace tilescope::compiler::ast {

struct ParseOptions {
  /// Put into every range.
  uint32_t file = 0;
  /// Deeper nesting of expressions and blocks is reported instead of followed.
  int maxDepth = 200;
  /// After this many errors the rest is parsed silently.
  int maxErrors = 100;
};

/// Parses a whole file of Python 3.13. Never fails: errors are in the tree's diagnostics, and what
/// surrounds them is parsed.
std::shared_ptr<const SyntaxTree> parseModule(std::string source, const ParseOptions &options = {});

/// Parses one expression, e.g. of a launch block. `expr` is null when there is an error.
struct ParsedExpression {
  std::shared_ptr<const SyntaxTree> tree;
  const Expr *expr = nullptr;
};
ParsedExpression parseExpression(std::string source, const ParseOptions &options = {});

} // namespace tilescope::compiler::ast
