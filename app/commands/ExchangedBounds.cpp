// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ExchangedBounds.h"

#include "app/commands/SeveralChanges.h"
#include "compiler/syntax/ExpressionParts.h"
#include "profiler/package/LaunchBlock.h"
#include "profiler/package/PlannedBlock.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;
using compiler::Diagnostic;
using profiler::LaunchPlan;

/// The two parameters that a matrix has as its extents, by the launch block.
static std::optional<std::array<std::string, 2>> extentsOf(const KernelText &kernel,
                                                           std::string_view text,
                                                           const LaunchPlan &plan,
                                                           std::string_view matrix) {
  for (const profiler::LaunchBlock &block : profiler::parseLaunchBlocks(text).blocks)
    for (const profiler::LaunchArgument &argument : block.args)
      if (profiler::isOfPlan(block, plan) && argument.name == matrix &&
          argument.shape.size() == 2 && kernel.parameter(argument.shape[0].text) &&
          kernel.parameter(argument.shape[1].text) &&
          argument.shape[0].text != argument.shape[1].text)
        return std::array{argument.shape[0].text, argument.shape[1].text};
  return std::nullopt;
}

/// The name that an index begins with: `r` of `r[:, None]`.
static std::string_view vectorOf(const ast::Expr &expr) {
  const auto *index = ast::as<ast::Subscript>(&expr);
  return KernelText::nameOf(index ? index->value : &expr);
}

/// The indices of rows and of columns in `x_ptr + r * columns + c`; empty: it is no such address.
static std::pair<std::string_view, std::string_view>
indicesOf(const std::vector<const ast::Expr *> &terms, std::string_view columns) {
  for (const size_t at : {size_t(1), size_t(2)}) {
    const auto *product = terms.size() == 3 ? ast::as<ast::BinOp>(terms[at]) : nullptr;
    if (product && product->op == ast::BinaryOpKind::Mult &&
        KernelText::nameOf(product->right) == columns)
      return {vectorOf(*product->left), vectorOf(*terms[3 - at])};
  }
  return {};
}

/// Bounds `index < wrong` in the kernel, to be `index < right`.
static void addBounds(const KernelText &kernel, std::string_view index, std::string_view wrong,
                      const std::string &right, std::vector<Change> &changes) {
  kernel.walk([&](const ast::Node &node) {
    const auto *compare = ast::as<ast::Compare>(&node);
    if (!index.empty() && compare && compare->ops.size() == 1 &&
        compare->ops[0] == ast::CompareOpKind::Lt && vectorOf(*compare->left) == index &&
        KernelText::nameOf(compare->comparators[0]) == wrong)
      changes.push_back({compare->comparators[0]->range, right});
  });
}

void explainExchangedBounds(const KernelText &kernel, std::string_view text, const LaunchPlan &plan,
                            Diagnostic &diagnostic) {
  kernel.walk([&](const ast::Node &node) {
    const ast::Call *load = KernelText::callOf(&node, "load");
    const ast::Call *access = load ? load : KernelText::callOf(&node, "store");
    if (!access || access->args.empty())
      return;
    const std::vector<const ast::Expr *> terms = ast::summands(*access->args.front());
    const std::string array(KernelText::nameOf(terms.front()));
    const auto extents = extentsOf(kernel, text, plan, array);
    if (!extents)
      return;
    const auto &[rows, columns] = *extents;
    const auto [row, column] = indicesOf(terms, columns);
    std::vector<Change> changes;
    addBounds(kernel, row, columns, rows, changes);
    addBounds(kernel, column, rows, columns, changes);
    if (changes.empty())
      return;
    const SourceRange first = changes.front().range;
    compiler::DiagnosticFix fix =
        together(kernel, std::move(changes),
                 "compare `" + std::string(row) + "` with `" + rows + "` and `" +
                     std::string(column) + "` with `" + columns + "`");
    if (std::ranges::find(diagnostic.fixes, fix) != diagnostic.fixes.end())
      return;
    diagnostic.labels.push_back(
        {first, "`" + std::string(row) + "` counts rows of `" + array + "`, of which there are `" +
                    rows + "`, and `" + std::string(column) + "` its `" + columns + "` columns"});
    diagnostic.fixes.push_back(std::move(fix));
  });
}

} // namespace tilescope::app
