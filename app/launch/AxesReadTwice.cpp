// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/AxesReadTwice.h"

#include "compiler/syntax/ModuleIndex.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>

namespace tilescope::app {

namespace ast = compiler::ast;

/// N of `tl.program_id(N)` and of `tl.program_id(axis=N)`.
static const ast::Constant *programAxis(const ast::Node &node) {
  const auto *call = ast::as<ast::Call>(&node);
  const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  if (!callee || callee->attr != "program_id" || call->args.size() + call->keywords.size() != 1)
    return nullptr;
  return ast::as<ast::Constant>(call->args.empty() ? call->keywords.front()->value
                                                   : call->args.front());
}

std::map<int64_t, std::vector<SourceRange>> axesRead(const std::string &text,
                                                     const std::string &kernel) {
  const auto tree = ast::parseModule(text);
  const ast::ModuleIndex index = ast::indexModule(*tree);
  const ast::JitFunction *function = index.findFunction(kernel);
  std::map<int64_t, std::vector<SourceRange>> places;
  if (function)
    ast::walk(*function->def, [&](const ast::Node &node) {
      if (const ast::Constant *axis = programAxis(node); axis && axis->intValue)
        places[*axis->intValue].push_back(axis->range);
      return true;
    });
  return places;
}

std::vector<SourceRange> axesReadTwice(const std::string &text, const std::string &kernel) {
  const std::map<int64_t, std::vector<SourceRange>> places = axesRead(text, kernel);
  const auto twice =
      std::ranges::find_if(places, [](const auto &axis) { return axis.second.size() > 1; });
  return twice == places.end() ? std::vector<SourceRange>() : twice->second;
}

} // namespace tilescope::app
