// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/RewriteParts.h"

#include "app/launch/SourceOffset.h"
#include "compiler/syntax/Parser.h"

namespace tilescope::app {

namespace ast = compiler::ast;

std::string rewriteParts(
    std::string text,
    const std::function<std::optional<Rewrite>(const ast::SyntaxTree &, const ast::Node &)> &find) {
  for (;;) {
    const ast::ParsedExpression parsed = ast::parseExpression(text);
    std::optional<Rewrite> found;
    if (parsed.expr)
      ast::walk(*parsed.expr, [&](const ast::Node &node) {
        if (!found)
          found = find(*parsed.tree, node);
        return !found;
      });
    if (!found)
      return text;
    const size_t begin = offsetOf(*parsed.tree, found->part->range.begin);
    const size_t end = offsetOf(*parsed.tree, found->part->range.end);
    text.replace(begin, end - begin, found->code);
  }
}

} // namespace tilescope::app
