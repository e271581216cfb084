// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/DiagonalStores.h"

#include "app/commands/KernelText.h"
#include "compiler/syntax/ExpressionParts.h"
#include "profiler/data/Tensor.h"

#include <algorithm>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;
using profiler::OutputResult;

/// The assignment of `tl.arange(…)`, or of a sum with it, of one axis; null for other names.
static const ast::Assign *lineOf(const KernelText &kernel, std::string_view name) {
  const ast::Assign *assign = name.empty() ? nullptr : kernel.onlyAssignment(name);
  int ranges = 0;
  bool hasAxes = false;
  if (assign)
    ast::walk(*assign->value, [&](const ast::Node &node) {
      ranges += KernelText::callOf(&node, "arange") != nullptr;
      hasAxes |= ast::is<ast::Subscript>(&node) || KernelText::callOf(&node, "expand_dims") ||
                 KernelText::callOf(&node, "reshape");
      return true;
    });
  return ranges == 1 && !hasAxes ? assign : nullptr;
}

/// The block of one axis that an addend is, or is a multiple of.
static const ast::Assign *lineIn(const KernelText &kernel, const ast::Expr &addend) {
  const auto *product = ast::as<ast::BinOp>(&addend);
  if (!product || product->op != ast::BinaryOpKind::Mult)
    return lineOf(kernel, KernelText::nameOf(&addend));
  const ast::Assign *left = lineOf(kernel, KernelText::nameOf(product->left));
  const ast::Assign *right = lineOf(kernel, KernelText::nameOf(product->right));
  return left && right ? nullptr : left ? left : right;
}

namespace {
/// `tl.store(out_ptr + i * n + j, …)`.
struct Diagonal {
  const ast::Call *store = nullptr;
  const ast::Assign *rows = nullptr;
  const ast::Assign *columns = nullptr;
};
} // namespace

static std::optional<Diagonal> diagonalIn(const KernelText &kernel, const ast::Call &store,
                                          const std::string &output) {
  if (store.args.empty())
    return std::nullopt;
  std::vector<const ast::Expr *> parts = ast::summands(*store.args.front());
  if (KernelText::nameOf(parts.front()) != output)
    return std::nullopt;
  // `o = i * n + j` in front of `out_ptr + o`.
  if (const ast::Assign *offsets =
          parts.size() == 2 ? kernel.onlyAssignment(KernelText::nameOf(parts.back())) : nullptr;
      offsets && !lineOf(kernel, KernelText::nameOf(parts.back())))
    parts = ast::summands(*offsets->value);
  Diagonal found{&store};
  for (const ast::Expr *part : parts) {
    const ast::Assign *line = lineIn(kernel, *part);
    if (!line)
      continue;
    // The one that a stride multiplies counts rows.
    const ast::Assign *&place =
        ast::is<ast::BinOp>(part) && !found.rows ? found.rows : found.columns;
    if (place)
      return std::nullopt;
    place = line;
  }
  const bool isPair = found.rows && found.columns && found.rows != found.columns;
  return isPair ? std::optional(found) : std::nullopt;
}

/// Gives both blocks their axes, in one edit.
static compiler::DiagnosticFix withAxes(const KernelText &kernel, const Diagonal &diagonal) {
  const auto code = [&](const ast::Assign *assign) {
    const std::string value(kernel.text(*assign->value));
    const bool isCall = ast::is<ast::Call>(assign->value);
    return (isCall ? value : "(" + value + ")") +
           (assign == diagonal.rows ? "[:, None]" : "[None, :]");
  };
  const bool isInOrder = diagonal.rows->range.begin < diagonal.columns->range.begin;
  const ast::Assign *first = isInOrder ? diagonal.rows : diagonal.columns;
  const ast::Assign *last = isInOrder ? diagonal.columns : diagonal.rows;
  const std::string_view one = kernel.text(*first->value), other = kernel.text(*last->value);
  const char *end = one.data() + one.size();
  const std::string between(end, static_cast<size_t>(other.data() - end));
  return {{first->value->range.begin, last->value->range.end},
          code(first) + between + code(last),
          "write `" + code(first) + "` and `" + code(last) + "`"};
}

std::optional<compiler::Diagnostic> diagonalStore(std::string_view text, const std::string &kernel,
                                                  const OutputResult &output) {
  const int64_t total = profiler::numElements(output.shape);
  const int64_t unwritten = output.neverWritten.value_or(0);
  if (output.shape.size() != 2 || unwritten == total || unwritten * 2 < total)
    return std::nullopt;
  const KernelText source(text, kernel);
  std::optional<Diagonal> found;
  source.walk([&](const ast::Node &node) {
    if (const ast::Call *store = KernelText::callOf(&node, "store"); store && !found)
      found = diagonalIn(source, *store, output.name);
  });
  if (!found)
    return std::nullopt;
  const std::string rows(KernelText::nameOf(found->rows->targets.front()));
  const std::string columns(KernelText::nameOf(found->columns->targets.front()));
  compiler::Diagnostic diagnostic;
  diagnostic.kind = compiler::DiagnosticKind::RunUndefined;
  diagnostic.severity = compiler::Severity::Warning;
  diagnostic.cause.subject = output.name;
  diagnostic.range = found->store->range;
  diagnostic.message = std::to_string(unwritten) + " of " + std::to_string(total) +
                       " elements of `" + output.name + "` were never written: `" + rows +
                       "` and `" + columns +
                       "` have one axis each, so that they are added element by element, and only "
                       "the diagonal of a block is stored";
  diagnostic.notes = {"`" + rows + "[:, None]` and `" + columns +
                      "[None, :]` make a block with a row for each of the one and a column for "
                      "each of the other"};
  diagnostic.fixes = {withAxes(source, *found)};
  return diagnostic;
}

} // namespace tilescope::app
