// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/AccessCalls.h"

#include "compiler/syntax/NameBinding.h"

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

std::string maskCodeAt(const ast::SyntaxTree &tree, const ast::Call &load,
                       const SourceRange &place) {
  const ast::Expr *mask = argument(load, 1, "mask");
  std::string code(mask ? tree.text(mask->range) : std::string_view());
  const bool isShown = mask && code.find('\n') == std::string::npos &&
                       ast::isUnchanged(tree, *mask, mask->range, place);
  return isShown ? code : std::string();
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

const ast::Node &functionAround(const ast::SyntaxTree &tree, const SourceRange &access) {
  const ast::Node *around = tree.module;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    if (ast::is<ast::FunctionDef>(&node) && node.range.contains(access.begin))
      around = &node;
    return true;
  });
  return *around;
}

std::vector<const ast::Assign *> assignmentsOf(const ast::SyntaxTree &tree, const ast::Call &access,
                                               const ast::Expr &mask) {
  std::vector<const ast::Assign *> found;
  if (const auto *name = ast::as<ast::Name>(&mask))
    ast::walk(functionAround(tree, access.range), [&](const ast::Node &node) {
      const auto *assign = ast::as<ast::Assign>(&node);
      const auto *target = assign && assign->targets.size() == 1
                               ? ast::as<ast::Name>(assign->targets.front())
                               : nullptr;
      if (target && target->id == name->id)
        found.push_back(assign);
      return true;
    });
  return found;
}

} // namespace tilescope::compiler
