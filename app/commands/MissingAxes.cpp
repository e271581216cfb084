// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/MissingAxes.h"

#include "app/commands/RowWiseAdvice.h"
#include "compiler/syntax/ExpressionParts.h"
#include "compiler/syntax/VectorAxes.h"

#include <map>
#include <optional>
#include <string>

namespace tilescope::app {

namespace ast = compiler::ast;

/// Name of a block of one axis -> the index that gives it a second one: `[:, None]`. One that is given both is empty.
using AddedAxes = std::map<std::string, std::string, std::less<>>;

/// The axes that blocks get in the address of a store to the output.
static AddedAxes axesIn(const KernelText &kernel, const ast::Call &store,
                        const std::string &output) {
  AddedAxes axes;
  const auto collect = [&](const ast::Node &node) {
    const auto *index = ast::as<ast::Subscript>(&node);
    const std::optional<ast::VectorAxis> axis = index ? ast::axisOf(*index) : std::nullopt;
    const std::string_view name = index ? KernelText::nameOf(index->value) : std::string_view();
    if (name.empty() || !axis)
      return true;
    const std::string code(ast::indexOf(*axis));
    const auto [place, isNew] = axes.try_emplace(std::string(name), code);
    if (!isNew && place->second != code)
      place->second.clear();
    return true;
  };
  bool isOfOutput = false;
  for (const ast::Expr *part : ast::summands(*store.args.front())) {
    isOfOutput |= KernelText::nameOf(part) == output;
    const ast::Assign *assign = kernel.onlyAssignment(KernelText::nameOf(part));
    if (assign)
      isOfOutput |= ast::mentions(*assign->value, output);
    ast::walk(assign ? *assign->value : *part, collect);
  }
  return isOfOutput ? axes : AddedAxes();
}

/// The index that a value lacks: a load with one of the blocks as its only one. Empty: it has its axes, or none of them is known.
static std::string lackedBy(const KernelText &kernel, const AddedAxes &axes,
                            const ast::Expr &value) {
  const std::string_view name = KernelText::nameOf(&value);
  const ast::Assign *assign = name.empty() ? nullptr : kernel.onlyAssignment(name);
  const ast::Call *load = KernelText::callOf(assign ? assign->value : &value, "load");
  if (!load || load->args.empty())
    return "";
  std::string found;
  int numBlocks = 0;
  ast::walk(*load->args.front(), [&](const ast::Node &node) {
    const auto *block = ast::as<ast::Name>(&node);
    const auto axis = block ? axes.find(std::string_view(block->id)) : axes.end();
    if (axis != axes.end()) {
      found = axis->second;
      ++numBlocks;
    }
    numBlocks += 2 * static_cast<int>(ast::is<ast::Subscript>(&node));
    return true;
  });
  return numBlocks == 1 ? found : std::string();
}

static void addPair(const KernelText &kernel, const ast::BinOp &pair, const std::string &left,
                    const std::string &right, compiler::Diagnostic &diagnostic) {
  const std::string first(kernel.text(*pair.left)), second(kernel.text(*pair.right));
  const std::string whole(kernel.text(pair));
  const auto between = whole.size() - first.size() - second.size();
  if (whole.find('\n') != std::string::npos || !whole.starts_with(first) ||
      !whole.ends_with(second))
    return;
  const std::string code = first + left + whole.substr(first.size(), between) + second + right;
  diagnostic.labels.push_back(
      {pair.range, "`" + first + "` and `" + second +
                       "` have one axis each and are combined element by element: each row of the "
                       "block that is stored holds the same"});
  diagnostic.fixes.push_back({pair.range, code, "write `" + code + "`"});
}

/// A row of numbers beside a matrix goes along its columns.
static void addRows(const KernelText &kernel, const ast::Expr &rows,
                    compiler::Diagnostic &diagnostic) {
  makeColumn(kernel, rows, "goes along the columns of the block that is stored", diagnostic);
}

/// `tl.load(b_ptr + cols)[:, None]`, where the block that is stored has `cols[None, :]`.
static void turnAxis(const KernelText &kernel, const AddedAxes &axes, const ast::Subscript &index,
                     compiler::Diagnostic &diagnostic) {
  const std::optional<ast::VectorAxis> axis = ast::axisOf(index);
  const std::string meant = axis ? lackedBy(kernel, axes, *index.value) : std::string();
  if (meant.empty() || meant == ast::indexOf(*axis))
    return;
  const SourceRange behind{index.value->range.end, index.range.end, index.range.file};
  diagnostic.labels.push_back({behind, std::string("this goes ") +
                                           (*axis == ast::VectorAxis::Down ? "down" : "along") +
                                           " the block that is stored, where what it is loaded by "
                                           "has `" +
                                           meant + "`"});
  diagnostic.fixes.push_back(
      {behind, meant, "write `" + meant + "` in line " + std::to_string(behind.begin.line + 1)});
}

void explainMissingAxes(const KernelText &kernel, const profiler::OutputResult &output,
                        compiler::Diagnostic &diagnostic) {
  if (!output.comparison || !output.comparison->isWithExpected)
    return;
  AddedAxes axes;
  kernel.walk([&](const ast::Node &node) {
    const ast::Call *store = KernelText::callOf(&node, "store");
    if (store && !store->args.empty() && axes.empty())
      axes = axesIn(kernel, *store, output.name);
  });
  // Each is a run of the whole launch.
  constexpr size_t kMost = 3;
  const size_t most = diagnostic.fixes.size() + kMost;
  kernel.walk([&](const ast::Node &node) {
    if (const auto *index = ast::as<ast::Subscript>(&node); index && diagnostic.fixes.size() < most)
      turnAxis(kernel, axes, *index, diagnostic);
    const auto *pair = ast::as<ast::BinOp>(&node);
    if (!pair || axes.empty() || diagnostic.fixes.size() >= most)
      return;
    const std::string left = lackedBy(kernel, axes, *pair->left);
    const std::string right = lackedBy(kernel, axes, *pair->right);
    if (!left.empty() && !right.empty() && left != right)
      addPair(kernel, *pair, left, right, diagnostic);
    else if (left == "[:, None]" && right.empty())
      addRows(kernel, *pair->left, diagnostic);
    else if (right == "[:, None]" && left.empty())
      addRows(kernel, *pair->right, diagnostic);
  });
}

} // namespace tilescope::app
