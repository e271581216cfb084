// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/DropArguments.h"

#include "compiler/syntax/Ast.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>

namespace tilescope::compiler {

static const ast::Call *callAt(const ast::SyntaxTree &tree, const SourceRange &place) {
  const ast::Call *found = nullptr;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    if (call && call->range.begin == place.begin && call->range.end == place.end)
      found = call;
    return true;
  });
  return found;
}

std::optional<DiagnosticFix> dropArguments(const std::string &text, const SourceRange &place,
                                           const std::vector<std::string> &names) {
  const std::shared_ptr<const ast::SyntaxTree> tree = ast::parseModule(text);
  const ast::Call *call = callAt(*tree, place);
  if (!call || call->args.empty())
    return std::nullopt;
  std::string dropped;
  // From the end of the argument before the first to the end of the last.
  Position begin = call->args.back()->range.end, end;
  bool isBehind = false;
  for (const ast::Keyword *keyword : call->keywords) {
    // `**options` has no name.
    const std::string name(keyword->arg.value_or(""));
    const bool isDropped = std::ranges::find(names, name) != names.end();
    if (isDropped && isBehind)
      return std::nullopt;
    if (isDropped) {
      dropped += (dropped.empty() ? "`" : ", `") + name + "`";
      end = keyword->range.end;
    } else if (dropped.empty()) {
      begin = keyword->range.end;
    } else {
      isBehind = true;
    }
  }
  if (dropped.empty())
    return std::nullopt;
  return DiagnosticFix{{begin, end, 0}, "", "leave out " + dropped};
}

} // namespace tilescope::compiler
