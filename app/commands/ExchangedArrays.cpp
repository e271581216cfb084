// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ExchangedArrays.h"

#include "app/commands/SeveralChanges.h"
#include "compiler/syntax/ExpressionParts.h"

#include <string>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;

void explainExchangedArrays(const KernelText &kernel, const profiler::LaunchPlan &plan,
                            compiler::Diagnostic &diagnostic) {
  std::vector<const ast::Expr *> arrays;
  kernel.walk([&](const ast::Node &node) {
    if (const ast::Call *load = KernelText::callOf(&node, "load"); load && !load->args.empty())
      arrays.push_back(ast::summands(*load->args.front()).front());
  });
  if (arrays.size() != 2)
    return;
  const std::string first(KernelText::nameOf(arrays[0])), second(KernelText::nameOf(arrays[1]));
  const profiler::PlanArgument *one = first.empty() ? nullptr : plan.argument(first);
  const profiler::PlanArgument *other = second.empty() ? nullptr : plan.argument(second);
  if (first == second || !one || !other || !one->tensor() || !other->tensor() ||
      one->tensor()->shape != other->tensor()->shape ||
      one->tensor()->dtype != other->tensor()->dtype)
    return;
  const std::string both = "`" + first + "` and `" + second + "`";
  diagnostic.labels.push_back({arrays[0]->range, both + " stand in each other's place"});
  diagnostic.fixes.push_back(together(
      kernel, {{arrays[0]->range, second}, {arrays[1]->range, first}}, "exchange " + both));
}

} // namespace tilescope::app
