// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/RowWiseAdvice.h"

#include "compiler/syntax/AccessArguments.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;

/// Each is a run of the whole launch.
static constexpr size_t kMostPlaces = 3;

/// What a name is given, in all statements of the kernel.
static std::vector<const ast::Expr *> valuesOf(const KernelText &kernel, std::string_view name) {
  std::vector<const ast::Expr *> values;
  kernel.walk([&](const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    const auto *update = ast::as<ast::AugAssign>(&node);
    if (assign && KernelText::nameOf(assign->targets.front()) == name)
      values.push_back(assign->value);
    else if (update && KernelText::nameOf(update->target) == name)
      values.push_back(update->value);
  });
  return values;
}

/// `tl.sum(x, axis=1)`, which has an element for each row.
static bool isOfRows(const ast::Node &node) {
  for (const std::string_view reduction : {"sum", "max", "min"})
    if (const ast::Call *call = KernelText::callOf(&node, reduction)) {
      const auto *axis = ast::as<ast::Constant>(compiler::argument(*call, 1, "axis"));
      return axis && axis->intValue == 1 && call->args.size() <= 2 &&
             !compiler::argument(*call, call->args.size(), "keep_dims");
    }
  return false;
}

/// Whether an expression has rows and columns by what stands in it: a product of matrices, an index that adds an axis, a
/// shape of two extents.
static bool showsMatrix(const ast::Expr &expr) {
  if (isOfRows(expr))
    return false;
  bool found = false;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *index = ast::as<ast::Subscript>(&node);
    const auto *axes = index ? ast::as<ast::Tuple>(index->slice) : nullptr;
    found |= (axes && axes->elts.size() == 2) || KernelText::callOf(&node, "dot");
    for (const std::string_view filled : {"zeros", "full"})
      if (const ast::Call *call = KernelText::callOf(&node, filled)) {
        const ast::Expr *shape = compiler::argument(*call, 0, "shape");
        const auto *list = shape ? ast::as<ast::List>(shape) : nullptr;
        const auto *tuple = shape ? ast::as<ast::Tuple>(shape) : nullptr;
        found |= (list && list->elts.size() == 2) || (tuple && tuple->elts.size() == 2);
      }
    return !found;
  });
  return found;
}

static bool isMatrix(const KernelText &kernel, const ast::Expr &expr) {
  const std::string_view name = KernelText::nameOf(&expr);
  return name.empty() ? showsMatrix(expr)
                      : std::ranges::any_of(valuesOf(kernel, name), [](const ast::Expr *value) {
                          return showsMatrix(*value);
                        });
}

/// Whether an expression is, or a name is given, what has one element for each row.
static bool isRowWise(const KernelText &kernel, const ast::Expr &expr) {
  const std::string_view name = KernelText::nameOf(&expr);
  if (name.empty())
    return isOfRows(expr);
  bool found = false;
  for (const ast::Expr *value : valuesOf(kernel, name))
    ast::walk(*value, [&](const ast::Node &node) {
      found |= isOfRows(node);
      return !found;
    });
  return found && !isMatrix(kernel, expr);
}

void makeColumn(const KernelText &kernel, const ast::Expr &rows, const std::string &wrong,
                compiler::Diagnostic &diagnostic) {
  const std::string code(kernel.text(rows));
  const SourceRange behind{rows.range.end, rows.range.end, rows.range.file};
  diagnostic.labels.push_back(
      {rows.range, "`" + code + "` has an element for each row, but " + wrong});
  diagnostic.fixes.push_back({behind, "[:, None]", "write `" + code + "[:, None]`"});
}

static void addAxis(const KernelText &kernel, const ast::Expr &rows,
                    compiler::Diagnostic &diagnostic) {
  if (kernel.text(rows).find('\n') == std::string_view::npos)
    makeColumn(kernel, rows, "is combined along the last axis, which happens to be as long",
               diagnostic);
}

void explainRowWise(const KernelText &kernel, const profiler::OutputResult &output,
                    compiler::Diagnostic &diagnostic) {
  if (!output.comparison || !output.comparison->isWithExpected)
    return;
  const size_t most = diagnostic.fixes.size() + kMostPlaces;
  kernel.walk([&](const ast::Node &node) {
    const auto *operation = ast::as<ast::BinOp>(&node);
    const auto *update = ast::as<ast::AugAssign>(&node);
    const ast::Expr *left = operation ? operation->left : update ? update->target : nullptr;
    const ast::Expr *right = operation ? operation->right : update ? update->value : nullptr;
    if (!left || !right || diagnostic.fixes.size() >= most)
      return;
    if (isRowWise(kernel, *right) && isMatrix(kernel, *left))
      addAxis(kernel, *right, diagnostic);
    else if (operation && isRowWise(kernel, *left) && isMatrix(kernel, *right))
      addAxis(kernel, *left, diagnostic);
  });
}

} // namespace tilescope::app
