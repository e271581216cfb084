// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ExchangedArrays.h"

#include "app/commands/SeveralChanges.h"
#include "compiler/syntax/ExpressionParts.h"

#include <string>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;

/// Whether two arguments are arrays of one shape and one type.
static bool areAlike(const profiler::PlanArgument *one, const profiler::PlanArgument *other) {
  return one && other && one->tensor() && other->tensor() &&
         one->tensor()->shape == other->tensor()->shape &&
         one->tensor()->dtype == other->tensor()->dtype;
}

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
  if (first == second || !areAlike(one, other))
    return;
  const std::string both = "`" + first + "` and `" + second + "`";
  diagnostic.labels.push_back({arrays[0]->range, both + " stand in each other's place"});
  diagnostic.fixes.push_back(together(
      kernel, {{arrays[0]->range, second}, {arrays[1]->range, first}}, "exchange " + both));
}

namespace {
/// `y = tl.load(x_ptr + i)`
struct NamedLoad {
  std::string_view name;
  const ast::Call *load = nullptr;
  const ast::Expr *array = nullptr;
};
} // namespace

static std::vector<NamedLoad> namedLoads(const KernelText &kernel) {
  std::vector<NamedLoad> loads;
  kernel.walk([&](const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    const ast::Call *load = assign ? KernelText::callOf(assign->value, "load") : nullptr;
    if (load && !load->args.empty())
      loads.push_back({KernelText::nameOf(assign->targets.front()), load,
                       ast::summands(*load->args.front()).front()});
  });
  return loads;
}

/// Two descriptors of one array where another one like it has none. Whether there are.
static bool explainTwin(const KernelText &kernel, const profiler::LaunchPlan &plan,
                        const profiler::PlanArgument &unread, compiler::Diagnostic &diagnostic) {
  struct Made {
    std::string_view name;
    const ast::Expr *array = nullptr;
  };
  std::vector<Made> all;
  kernel.walk([&](const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    const ast::Call *make =
        assign ? KernelText::callOf(assign->value, "make_tensor_descriptor") : nullptr;
    if (make && !make->args.empty())
      all.push_back({KernelText::nameOf(assign->targets.front()), make->args.front()});
  });
  for (size_t i = 0; i + 1 < all.size(); ++i)
    for (size_t j = i + 1; j < all.size(); ++j) {
      const std::string array(KernelText::nameOf(all[i].array));
      if (array.empty() || array != KernelText::nameOf(all[j].array) || !plan.argument(array))
        continue;
      const bool isFirst = unread.name.starts_with(all[i].name) && !all[i].name.empty() &&
                           !unread.name.starts_with(all[j].name);
      const ast::Expr &place = *all[isFirst ? i : j].array;
      diagnostic.labels.push_back({place.range, "two descriptors are made of `" + array +
                                                    "`, and `" + unread.name + "` is never used"});
      diagnostic.fixes.push_back(replacing(kernel, place, unread.name));
      return true;
    }
  return false;
}

void explainUnreadArrays(const KernelText &kernel, const profiler::LaunchPlan &plan,
                         compiler::Diagnostic &diagnostic) {
  const std::vector<NamedLoad> loads = namedLoads(kernel);
  for (const profiler::PlanArgument &unread : plan.args) {
    bool isMentioned = false;
    kernel.walk([&](const ast::Node &node) {
      const auto *name = ast::as<ast::Name>(&node);
      isMentioned |= name && name->id == unread.name;
    });
    if (isMentioned || !unread.tensor() || !kernel.parameter(unread.name))
      continue;
    for (size_t i = 0; i + 1 < loads.size(); ++i)
      for (size_t j = i + 1; j < loads.size(); ++j) {
        const std::string array(KernelText::nameOf(loads[i].array));
        if (array.empty() || !areAlike(&unread, plan.argument(array)) ||
            kernel.text(*loads[i].load->args.front()) != kernel.text(*loads[j].load->args.front()))
          continue;
        // The name of what is loaded tells which of the two is meant, or else it is the second.
        const bool isFirst = unread.name.starts_with(loads[i].name) && !loads[i].name.empty() &&
                             !unread.name.starts_with(loads[j].name);
        const ast::Expr &place = *loads[isFirst ? i : j].array;
        diagnostic.labels.push_back({place.range, "`" + unread.name + "` is never read, and `" +
                                                      array +
                                                      "` is loaded twice from the same places"});
        diagnostic.fixes.push_back(replacing(kernel, place, unread.name));
        return;
      }
    if (explainTwin(kernel, plan, unread, diagnostic))
      return;
    if (unread.tensor()->init.kind != profiler::TensorInit::Kind::Poison)
      diagnostic.notes.push_back("the kernel never uses `" + unread.name + "`");
  }
}

} // namespace tilescope::app
