// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/NarrowAdvice.h"

#include "app/commands/LanguageNames.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;

/// The argument of one or two bytes whose elements a load reads; null: it reads others.
static const profiler::PlanArgument *narrowArgument(const profiler::LaunchPlan &plan,
                                                    const ast::Call &load) {
  const profiler::PlanArgument *found = nullptr;
  if (load.args.empty())
    return nullptr;
  ast::walk(*load.args.front(), [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    const profiler::PlanArgument *argument = name ? plan.argument(std::string(name->id)) : nullptr;
    const profiler::PlanTensor *tensor = argument ? argument->tensor() : nullptr;
    if (!found && tensor && tensor->dtype != profiler::Dtype::Int1 &&
        !profiler::isFloat(tensor->dtype) && profiler::dtypeSize(tensor->dtype) <= 2)
      found = argument;
    return !found;
  });
  return found;
}

void explainNarrow(const profiler::LaunchPlan &plan, const KernelText &kernel,
                   compiler::Diagnostic &diagnostic) {
  std::set<const ast::Node *> converted;
  kernel.walk([&](const ast::Node &node) {
    if (const auto *member = ast::as<ast::Attribute>(&node); member && member->attr == "to")
      converted.insert(member->value);
  });
  const profiler::PlanArgument *first = nullptr;
  kernel.walk([&](const ast::Node &node) {
    const ast::Call *load = KernelText::callOf(&node, "load");
    const profiler::PlanArgument *argument = load ? narrowArgument(plan, *load) : nullptr;
    if (!argument || converted.contains(load))
      return;
    const auto *module = ast::as<ast::Name>(ast::as<ast::Attribute>(load->func)->value);
    const std::string conversion =
        ".to(" + std::string(module ? module->id : std::string_view("tl")) + ".int32)";
    diagnostic.fixes.push_back(
        {{load->range.end, load->range.end},
         conversion,
         "add `" + conversion + "` to the load of `" + argument->name + "`"});
    first = first ? first : argument;
  });
  if (!first)
    return;
  const profiler::Dtype dtype = first->tensor()->dtype;
  const size_t bits = 8 * profiler::dtypeSize(dtype);
  diagnostic.notes.push_back(
      fmt::format("`{}` holds {}, so arithmetic on it keeps only {} bits and wraps around at {}; "
                  "`.to(tl.int32)` behind the load computes with 32 bits",
                  first->name, languageName(dtype), bits, int64_t{1} << bits));
}

} // namespace tilescope::app
