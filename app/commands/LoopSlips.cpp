// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/LoopSlips.h"

#include "app/commands/SharedTurns.h"
#include "compiler/syntax/ExpressionParts.h"
#include "profiler/package/LaunchBlock.h"
#include "profiler/package/PlannedBlock.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;
using compiler::Diagnostic;

/// `acc = tl.dot(a, b)` in a loop, of what begins with zeros in front of it.
static void explainOverwrittenSums(const KernelText &kernel, const ast::For &loop,
                                   Diagnostic &diagnostic) {
  for (const ast::Stmt *statement : loop.body) {
    const auto *assign = ast::as<ast::Assign>(statement);
    const std::string name(assign ? KernelText::nameOf(assign->targets.front()) : "");
    if (name.empty() || assign->targets.size() != 1 || ast::mentions(*assign->value, name))
      continue;
    bool beginsBefore = false;
    kernel.walk([&](const ast::Node &node) {
      const auto *first = ast::as<ast::Assign>(&node);
      beginsBefore |=
          first && first->range.end <= loop.range.begin &&
          KernelText::nameOf(first->targets.front()) == name &&
          (KernelText::callOf(first->value, "zeros") || ast::is<ast::Constant>(first->value));
    });
    if (!beginsBefore)
      continue;
    diagnostic.labels.push_back({assign->range, "each turn of the loop replaces `" + name +
                                                    "`, so that only the last one counts"});
    const SourceRange sign{assign->targets.front()->range.end, assign->value->range.begin,
                           assign->range.file};
    diagnostic.fixes.push_back({sign, " += ", "write `" + name + " += …`"});
  }
}

/// The extent of a block that is added to a loop's variable; empty: none, or several.
static std::string blockFrom(const KernelText &kernel, const ast::For &loop,
                             std::string_view variable) {
  std::vector<std::string> extents;
  for (const ast::Stmt *statement : loop.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *sum = ast::as<ast::BinOp>(&node);
      if (!sum || sum->op != ast::BinaryOpKind::Add)
        return true;
      const bool isLeft = KernelText::nameOf(sum->left) == variable;
      if (!isLeft && KernelText::nameOf(sum->right) != variable)
        return true;
      const ast::Expr *other = isLeft ? sum->right : sum->left;
      const ast::Assign *assign = kernel.onlyAssignment(KernelText::nameOf(other));
      const ast::Call *block = KernelText::callOf(assign ? assign->value : other, "arange");
      if (block && block->args.size() == 2)
        extents.emplace_back(kernel.text(*block->args[1]));
      return true;
    });
  const bool isOne = !extents.empty() && std::ranges::count(extents, extents.front()) ==
                                             static_cast<ptrdiff_t>(extents.size());
  return isOne ? extents.front() : std::string();
}

/// `for k in range(K)` or `range(0, K)`, of blocks that begin at `k`.
static void explainSteps(const KernelText &kernel, const ast::For &loop, Diagnostic &diagnostic) {
  const auto *range = ast::as<ast::Call>(loop.iter);
  const std::string_view variable = KernelText::nameOf(loop.target);
  if (!range || range->args.empty() || range->args.size() > 2 || !range->keywords.empty() ||
      variable.empty())
    return;
  const std::string block = blockFrom(kernel, loop, variable);
  if (block.empty())
    return;
  const std::string begin(range->args.size() == 2 ? kernel.text(*range->args[0]) : "0");
  const std::string code =
      begin + ", " + std::string(kernel.text(*range->args.back())) + ", " + block;
  const std::string function(kernel.text(*range->func));
  diagnostic.labels.push_back({range->range, "`" + std::string(variable) +
                                                 "` goes on by 1, and a block of `" + block +
                                                 "` begins at each: they overlap"});
  diagnostic.fixes.push_back(
      {{range->args.front()->range.begin, range->args.back()->range.end, range->range.file},
       code,
       "write `" + function + "(" + code + ")`"});
}

/// Whether a name is the value of a load whose address has two axes.
static bool isLoadedMatrix(const KernelText &kernel, const ast::Expr &expr) {
  const ast::Assign *assign = kernel.onlyAssignment(KernelText::nameOf(&expr));
  const ast::Call *load = assign ? KernelText::callOf(assign->value, "load") : nullptr;
  bool hasAxes = false;
  if (load && !load->args.empty())
    ast::walk(*load->args.front(), [&](const ast::Node &node) {
      hasAxes |= ast::is<ast::Subscript>(&node);
      return !hasAxes;
    });
  return hasAxes;
}

/// `a * b` of two matrices where a product of matrices is expected.
static void explainStars(const KernelText &kernel, std::string_view expected,
                         Diagnostic &diagnostic) {
  if (expected.find('@') == std::string_view::npos &&
      expected.find("dot(") == std::string_view::npos &&
      expected.find("matmul(") == std::string_view::npos)
    return;
  bool hasDot = false;
  kernel.walk(
      [&](const ast::Node &node) { hasDot |= KernelText::callOf(&node, "dot") != nullptr; });
  kernel.walk([&](const ast::Node &node) {
    const auto *product = ast::as<ast::BinOp>(&node);
    if (hasDot || !product || product->op != ast::BinaryOpKind::Mult ||
        !isLoadedMatrix(kernel, *product->left) || !isLoadedMatrix(kernel, *product->right))
      return;
    const std::string left(kernel.text(*product->left)), right(kernel.text(*product->right));
    diagnostic.labels.push_back(
        {product->range, "`*` multiplies element by element; `tl.dot` is the product of matrices"});
    diagnostic.fixes.push_back({product->range, "tl.dot(" + left + ", " + right + ")",
                                "write `tl.dot(" + left + ", " + right + ")`"});
  });
}

/// The parameter that is the number of columns of a matrix by the launch block; empty: none is.
static std::string columnsIn(const KernelText &kernel, std::string_view text,
                             const profiler::LaunchPlan &plan, std::string_view matrix) {
  for (const profiler::LaunchBlock &block : profiler::parseLaunchBlocks(text).blocks)
    for (const profiler::LaunchArgument &argument : block.args)
      if (profiler::isOfPlan(block, plan) && argument.name == matrix && argument.shape.size() == 2)
        return kernel.parameter(argument.shape[1].text) ? argument.shape[1].text : std::string();
  return "";
}

/// The name that an index begins with: `rm` of `rm[:, None]`.
static std::string_view vectorOf(const ast::Expr &expr) {
  const auto *index = ast::as<ast::Subscript>(&expr);
  return KernelText::nameOf(index ? index->value : &expr);
}

/// Whether the kernel has a comparison `index < extent`.
static bool isBoundedBy(const KernelText &kernel, std::string_view index, std::string_view extent) {
  bool found = false;
  kernel.walk([&](const ast::Node &node) {
    const auto *compare = ast::as<ast::Compare>(&node);
    found |= compare && compare->ops.size() == 1 && compare->ops[0] == ast::CompareOpKind::Lt &&
             vectorOf(*compare->left) == index &&
             KernelText::nameOf(compare->comparators[0]) == extent;
  });
  return found;
}

/// `x_ptr + row + c * cols`, where `c` counts columns: rows lie `cols` apart. Whether it is so.
static bool explainTurnedIndices(const KernelText &kernel, std::string_view array,
                                 const std::vector<const ast::Expr *> &terms,
                                 std::string_view columns, Diagnostic &diagnostic) {
  for (const size_t at : {size_t(1), size_t(2)}) {
    const auto *product = ast::as<ast::BinOp>(terms[at]);
    const ast::Expr &other = *terms[3 - at];
    if (!product || product->op != ast::BinaryOpKind::Mult || ast::is<ast::BinOp>(&other) ||
        KernelText::nameOf(product->right) != columns ||
        !isBoundedBy(kernel, vectorOf(*product->left), columns) ||
        isBoundedBy(kernel, vectorOf(other), columns))
      continue;
    const std::string index(kernel.text(*product->left)), row(kernel.text(other));
    const std::string rows = row + " * " + std::string(columns);
    const std::string code = at == 1 ? index + " + " + rows : rows + " + " + index;
    const SourceRange both{terms[1]->range.begin, terms[2]->range.end, product->range.file};
    diagnostic.labels.push_back({both, "`" + index + "` counts columns of `" + std::string(array) +
                                           "`, and `" + std::string(columns) +
                                           "` elements lie between its rows: `" + code + "`"});
    diagnostic.fixes.push_back({both, code, "write `" + code + "`"});
    return true;
  }
  return false;
}

/// `x_ptr + row + cols`, where `row` is a program's number: rows lie a row apart.
static void explainRowStarts(const KernelText &kernel, std::string_view text,
                             const profiler::LaunchPlan &plan, Diagnostic &diagnostic) {
  kernel.walk([&](const ast::Node &node) {
    const ast::Call *load = KernelText::callOf(&node, "load");
    const ast::Call *access = load ? load : KernelText::callOf(&node, "store");
    if (!access || access->args.empty())
      return;
    const std::vector<const ast::Expr *> terms = ast::summands(*access->args.front());
    const std::string array(KernelText::nameOf(terms.front()));
    const std::string columns = terms.size() == 3 ? columnsIn(kernel, text, plan, array) : "";
    if (columns.empty() || explainTurnedIndices(kernel, array, terms, columns, diagnostic))
      return;
    for (const ast::Expr *term : terms) {
      const std::string_view name = KernelText::nameOf(term);
      const ast::Assign *assign = name.empty() ? nullptr : kernel.onlyAssignment(name);
      const ast::Expr *value = assign ? assign->value : term;
      if (!KernelText::callOf(value, "program_id"))
        continue;
      const std::string row(kernel.text(*term));
      const SourceRange behind{term->range.end, term->range.end, term->range.file};
      diagnostic.labels.push_back(
          {term->range, "rows of `" + array + "` lie `" + columns + "` elements apart, not 1"});
      diagnostic.fixes.push_back(
          {behind, " * " + columns, "write `" + row + " * " + columns + "`"});
    }
  });
}

void explainLoopSlips(const KernelText &kernel, std::string_view text,
                      const profiler::LaunchPlan &plan, const profiler::OutputResult &output,
                      Diagnostic &diagnostic) {
  const profiler::PlanArgument *argument = plan.argument(output.name);
  if (!output.comparison || !output.comparison->isWithExpected || !argument || !argument->tensor())
    return;
  kernel.walk([&](const ast::Node &node) {
    if (const auto *loop = ast::as<ast::For>(&node)) {
      explainOverwrittenSums(kernel, *loop, diagnostic);
      explainSteps(kernel, *loop, diagnostic);
    }
  });
  explainSharedTurns(kernel, diagnostic);
  explainStars(kernel, argument->tensor()->expected, diagnostic);
  explainRowStarts(kernel, text, plan, diagnostic);
}

} // namespace tilescope::app
