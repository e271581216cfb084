// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Ast.h"

namespace tilescope::compiler::frontend {

/// The node of type `Node` in the function's body that is at `range`, of whichever file; null when
/// there is none.
template <typename Node>
const Node *nodeAt(const ast::FunctionDef &function, const SourceRange &range) {
  const Node *found = nullptr;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *candidate = ast::as<Node>(&node);
      if (candidate && node.range.begin == range.begin && node.range.end == range.end)
        found = candidate;
      return !found;
    });
  return found;
}

} // namespace tilescope::compiler::frontend
