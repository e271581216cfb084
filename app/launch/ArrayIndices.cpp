// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayIndices.h"

#include "app/launch/ArrayJoins.h"

#include <algorithm>

namespace tilescope::app {

namespace ast = compiler::ast;
using Item = ArrayPart::Item;

bool makesRange(const ast::Expr &expr) {
  bool found = false;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    found = found || (call && arrayFunctionName(*call) == "arange");
    return !found;
  });
  return found;
}

/// Whether the numbers among the items stand beside the array, so that NumPy leaves its axes there.
static bool isAdjacent(const std::vector<Item> &items, size_t array) {
  const auto isNumber = [&](size_t i) { return items[i].kind == Item::Kind::Number; };
  size_t first = array, last = array + 1;
  while (first > 0 && isNumber(first - 1))
    --first;
  while (last < items.size() && isNumber(last))
    ++last;
  for (size_t i = 0; i < items.size(); ++i)
    if (isNumber(i) && (i < first || i >= last))
      return false;
  return true;
}

/// `x[i, j]`: an element for each pair of indices.
static ArrayPart pairsOf(const ast::SyntaxTree &tree, const ast::Expr &operand,
                         const std::vector<const ast::Expr *> &texts) {
  const auto text = [&](const ast::Expr &expr) {
    return "(" + std::string(tree.text(expr.range)) + ")";
  };
  ArrayPart part;
  part.kind = ArrayPart::Kind::Axes;
  part.function = "ravel";
  part.operand = "take_along_axis(take(" + text(operand) + ", " + text(*texts[0]) + ", axis=0), " +
                 text(*texts[1]) + "[:, None], axis=1)";
  return part;
}

std::optional<ArrayPart> indicesOf(const ast::SyntaxTree &tree, const ast::Expr &operand,
                                   const std::vector<const ast::Expr *> &texts,
                                   const std::vector<Item> &items,
                                   const std::function<bool(const ast::Expr &)> &isTensor) {
  const auto isArray = [&](const Item &item) {
    return item.kind == Item::Kind::Number && (isTensor(*item.begin) || makesRange(*item.begin));
  };
  const auto found = std::ranges::find_if(items, isArray);
  const auto numArrays = std::ranges::count_if(items, isArray);
  if (numArrays == 2 && items.size() == 2)
    return pairsOf(tree, operand, texts);
  if (numArrays != 1)
    return std::nullopt;
  const auto place = static_cast<size_t>(found - items.begin());
  if (!isAdjacent(items, place))
    return std::nullopt;
  std::string others;
  int64_t before = 0, behind = 0;
  bool isBehindOpen = false;
  for (size_t i = 0; i < items.size(); ++i) {
    others += i == 0 ? "" : ", ";
    others += i == place ? ":" : tree.text(texts[i]->range);
    isBehindOpen = isBehindOpen || (i < place && items[i].kind == Item::Kind::Ellipsis);
    if (i != place && items[i].kind != Item::Kind::Number)
      ++(i < place ? before : behind);
  }
  ArrayPart part;
  part.kind = ArrayPart::Kind::Take;
  part.axisOfIndices = isBehindOpen ? -1 - behind : before;
  // The range of an operation leaves its parentheses out.
  part.operands.push_back("(" + std::string(tree.text(operand.range)) + ")[" + others + "]");
  part.operands.emplace_back(tree.text(texts[place]->range));
  return part;
}

} // namespace tilescope::app
