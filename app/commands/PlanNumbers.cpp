// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/PlanNumbers.h"

#include "compiler/support/WholeNumber.h"

#include <string>

namespace tilescope::app {

std::optional<int64_t> constexprNumber(const profiler::LaunchPlan &plan, std::string_view name) {
  const auto stated = plan.constexprs.find(std::string(name));
  return stated == plan.constexprs.end() ? std::nullopt : wholeNumber(stated->second);
}

std::optional<int64_t> planNumber(const profiler::LaunchPlan &plan, std::string_view name) {
  if (const std::optional<int64_t> number = constexprNumber(plan, name))
    return number;
  const profiler::PlanArgument *argument =
      name.empty() ? nullptr : plan.argument(std::string(name));
  const profiler::PlanScalar *scalar = argument ? argument->scalar() : nullptr;
  const auto *number = scalar ? std::get_if<int64_t>(&scalar->value) : nullptr;
  return number ? std::optional(*number) : std::nullopt;
}

} // namespace tilescope::app
