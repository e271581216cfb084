// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/AccessCalls.h"

namespace tilescope::compiler {

const ast::Call *findAccess(const ast::SyntaxTree &tree, const SourceRange &range) {
  const ast::Call *found = nullptr;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    if (range.begin < node.range.begin || node.range.end < range.end)
      return node.kind == ast::NodeKind::Module;
    if (const auto *call = ast::as<ast::Call>(&node))
      if (ast::is<ast::Attribute>(call->func))
        found = call;
    return true;
  });
  return found;
}

DiagnosticFix addArgument(const ast::Call &access, const std::string &argument) {
  SourceRange last = access.args.empty() ? access.range : access.args.back()->range;
  for (const ast::Keyword *keyword : access.keywords)
    if (last.end < keyword->range.end || access.args.empty())
      last = keyword->range;
  last.begin = last.end;
  return {last, ", " + argument, "add `" + argument + "`"};
}

MaskAdvice addMask(const ast::Call &access, const std::string &mask) {
  return {"add `" + mask + "`", {addArgument(access, mask)}, {}};
}

} // namespace tilescope::compiler
