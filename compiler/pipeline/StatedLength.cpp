// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/StatedLength.h"

#include "compiler/support/Text.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace tilescope::compiler {

/// The extents in the only line `# array = { … shape = [ … ] … }`; empty: there is none, or there are several.
static std::vector<std::string> statedShape(const ast::SyntaxTree &tree, std::string_view array) {
  std::vector<std::string> extents;
  bool isFound = false;
  for (const SourceRange &comment : tree.comments) {
    std::string_view text = trimmed(tree.text(comment).substr(1));
    if (!text.starts_with(array) || !trimmed(text.substr(array.size())).starts_with("="))
      continue;
    if (isFound)
      return {};
    isFound = true;
    const size_t shape = text.find("shape");
    const size_t begin = text.find('[', shape), end = text.find(']', shape);
    if (shape == text.npos || begin == text.npos || end == text.npos || end < begin)
      continue;
    std::string_view rest = text.substr(begin + 1, end - begin - 1);
    while (!rest.empty()) {
      // A call in quotes may have commas of its own.
      const bool isQuoted = trimmed(rest).starts_with('"');
      const size_t open = isQuoted ? rest.find('"') : 0;
      const size_t close = isQuoted ? rest.find('"', open + 1) : 0;
      if (close == rest.npos)
        return {};
      const size_t comma = rest.find(',', close);
      const std::string_view part =
          isQuoted ? rest.substr(open + 1, close - open - 1) : trimmed(rest.substr(0, comma));
      extents.emplace_back(part);
      rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
    }
  }
  return extents;
}

static bool isNumber(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c); });
}

/// The only expression of a text; null where it is something else.
static const ast::Expr *expressionOf(const ast::SyntaxTree &tree) {
  const auto *statement =
      tree.module->body.size() == 1 ? ast::as<ast::ExprStmt>(tree.module->body.front()) : nullptr;
  return statement && tree.diagnostics.empty() ? statement->value : nullptr;
}

StatedLength statedLength(const ast::SyntaxTree &tree, std::string_view array, int64_t extent,
                          const IndexReader &reader) {
  const std::vector<std::string> shape = statedShape(tree, array);
  StatedLength length;
  std::string code;
  for (const std::string &each : shape) {
    length.hasNames |= !isNumber(each);
    const bool isPlain = each.find(' ') == std::string::npos || shape.size() == 1;
    code += (code.empty() ? "" : " * ") + (isPlain ? each : "(" + each + ")");
  }
  if (!length.hasNames)
    return length;
  const auto parsed = ast::parseModule(code + "\n");
  const ast::Expr *expression = expressionOf(*parsed);
  bool isArithmetic = expression != nullptr;
  if (expression)
    ast::walk(*expression, [&](const ast::Node &node) {
      isArithmetic &= !ast::is<ast::Call>(&node) && !ast::is<ast::Subscript>(&node);
      return isArithmetic;
    });
  const std::optional<IndexSpan> span = isArithmetic ? reader.range(*expression) : std::nullopt;
  if (span && span->first == extent && span->last == extent)
    length.code = code;
  return length;
}

} // namespace tilescope::compiler
