// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/BodyNames.h"

#include "compiler/syntax/ModuleIndex.h"
#include "compiler/syntax/Parser.h"

namespace tilescope::compiler {

std::optional<std::set<std::string>> bodyNames(const CompileResult &result) {
  if (result.files.empty())
    return std::nullopt;
  const auto tree = ast::parseModule(result.files.front().text);
  const ast::ModuleIndex functions = ast::indexModule(*tree);
  const ast::JitFunction *function = functions.findFunction(result.kernel);
  if (!function)
    return std::nullopt;
  std::set<std::string> names;
  for (const ast::Stmt *statement : function->def->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      if (const auto *name = ast::as<ast::Name>(&node))
        names.emplace(name->id);
      return true;
    });
  return names;
}

} // namespace tilescope::compiler
