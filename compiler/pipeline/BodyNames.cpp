// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/BodyNames.h"

#include "compiler/syntax/ModuleIndex.h"
#include "compiler/syntax/Parser.h"

namespace tilescope::compiler {

static void addNames(const ast::Node &part, std::set<std::string> &names) {
  ast::walk(part, [&](const ast::Node &node) {
    if (const auto *name = ast::as<ast::Name>(&node))
      names.emplace(name->id);
    return true;
  });
}

/// Whether other constexprs may leave a part out or take another path through it: conditions, loops, and functions
/// that have some.
static bool isChosen(const ast::Node &node) {
  switch (node.kind) {
  case ast::NodeKind::If:
  case ast::NodeKind::IfExp:
  case ast::NodeKind::For:
  case ast::NodeKind::While:
  case ast::NodeKind::BoolOp:
  case ast::NodeKind::ListComp:
  case ast::NodeKind::GeneratorExp:
    return true;
  default:
    break;
  }
  const auto *call = ast::as<ast::Call>(&node);
  const auto *member = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  const auto *module = member ? ast::as<ast::Name>(member->value) : nullptr;
  return call && !(module && module->id == "tl");
}

static bool returns(const ast::Node &part) {
  bool isFound = false;
  ast::walk(part, [&](const ast::Node &node) {
    isFound |= ast::is<ast::Return>(&node);
    return !isFound;
  });
  return isFound;
}

static BodyNames namesOf(const ast::FunctionDef &function) {
  BodyNames names;
  bool isRestChosen = false;
  for (const ast::Stmt *statement : function.body) {
    addNames(*statement, names.all);
    if (isRestChosen)
      addNames(*statement, names.chosen);
    ast::walk(*statement, [&](const ast::Node &node) {
      if (isChosen(node))
        addNames(node, names.chosen);
      return true;
    });
    isRestChosen |= returns(*statement);
  }
  return names;
}

std::optional<BodyNames> bodyNames(const CompileResult &result) {
  if (result.files.empty())
    return std::nullopt;
  const auto tree = ast::parseModule(result.files.front().text);
  const ast::ModuleIndex functions = ast::indexModule(*tree);
  const ast::JitFunction *function = functions.findFunction(result.kernel);
  if (!function)
    return std::nullopt;
  return namesOf(*function->def);
}

} // namespace tilescope::compiler
