// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/DescriptorShapes.h"

#include "app/commands/PlanNumbers.h"
#include "compiler/syntax/AccessArguments.h"
#include "compiler/syntax/ExpressionParts.h"

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
  return planNumber(plan, KernelText::nameOf(&expr));
}

void explainDescriptorShapes(const KernelText &kernel, const LaunchPlan &plan,
                             compiler::Diagnostic &diagnostic) {
  kernel.walk([&](const ast::Node &node) {
    const ast::Call *descriptor = KernelText::callOf(&node, "make_tensor_descriptor");
    const ast::Call *made = descriptor ? descriptor : KernelText::callOf(&node, "make_block_ptr");
    const std::string array(made ? KernelText::nameOf(compiler::argument(*made, 0, "base"))
                                 : std::string_view());
    const profiler::PlanArgument *argument = array.empty() ? nullptr : plan.argument(array);
    const ast::Expr *shape = made ? compiler::argument(*made, 1, "shape") : nullptr;
    const ast::Seq<ast::Expr> extents = ast::itemsOf(shape);
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
