// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/DescriptorShapes.h"

#include "compiler/support/WholeNumber.h"
#include "compiler/syntax/AccessArguments.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;
using profiler::LaunchPlan;

/// The number that an extent is in the launch; nothing: the source does not show it.
static std::optional<int64_t> extentIn(const LaunchPlan &plan, const ast::Expr &expr) {
  if (const auto *constant = ast::as<ast::Constant>(&expr))
    return constant->intValue;
  const std::string name(KernelText::nameOf(&expr));
  const profiler::PlanArgument *argument = name.empty() ? nullptr : plan.argument(name);
  if (argument && argument->scalar())
    if (const auto *number = std::get_if<int64_t>(&argument->scalar()->value))
      return *number;
  const auto constant = plan.constexprs.find(name);
  return constant == plan.constexprs.end() ? std::nullopt : wholeNumber(constant->second);
}

static std::vector<const ast::Expr *> elementsOf(const ast::Expr *expr) {
  if (const auto *list = expr ? ast::as<ast::List>(expr) : nullptr)
    return {list->elts.begin(), list->elts.end()};
  if (const auto *tuple = expr ? ast::as<ast::Tuple>(expr) : nullptr)
    return {tuple->elts.begin(), tuple->elts.end()};
  return {};
}

void explainDescriptorShapes(const KernelText &kernel, const LaunchPlan &plan,
                             const profiler::OutputResult &output,
                             compiler::Diagnostic &diagnostic) {
  if (!output.comparison || !output.comparison->isWithExpected)
    return;
  kernel.walk([&](const ast::Node &node) {
    const ast::Call *descriptor = KernelText::callOf(&node, "make_tensor_descriptor");
    const ast::Call *made = descriptor ? descriptor : KernelText::callOf(&node, "make_block_ptr");
    const std::string array(made ? KernelText::nameOf(compiler::argument(*made, 0, "base"))
                                 : std::string_view());
    const profiler::PlanArgument *argument = array.empty() ? nullptr : plan.argument(array);
    const ast::Expr *shape = made ? compiler::argument(*made, 1, "shape") : nullptr;
    const std::vector<const ast::Expr *> extents = elementsOf(shape);
    if (!argument || !argument->tensor() || extents.size() != 2 ||
        argument->tensor()->shape.size() != 2)
      return;
    const std::optional<int64_t> rows = extentIn(plan, *extents[0]);
    const std::optional<int64_t> columns = extentIn(plan, *extents[1]);
    const std::vector<int64_t> &stated = argument->tensor()->shape;
    if (!rows || !columns || rows == columns || stated != std::vector{*columns, *rows})
      return;
    const std::string first(kernel.text(*extents[0])), second(kernel.text(*extents[1]));
    diagnostic.labels.push_back(
        {shape->range, fmt::format("`{}` has the shape [{}] in the launch block, not [{}, {}]",
                                   array, fmt::join(stated, ", "), *rows, *columns)});
    diagnostic.fixes.push_back({{extents[0]->range.begin, extents[1]->range.end},
                                second + ", " + first,
                                "write `" + second + ", " + first + "`"});
  });
}

} // namespace tilescope::app
