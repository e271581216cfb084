// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/LaunchDifference.h"

#include "app/launch/ArrayShapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilescope::app {

using profiler::PlanArgument;

static std::string valueText(const PlanArgument &argument) {
  if (const profiler::PlanTensor *tensor = argument.tensor())
    return fmt::format("{}{}", profiler::dtypeName(tensor->dtype), shapeText(tensor->shape));
  return std::visit([](const auto &value) { return fmt::format("{}", value); },
                    argument.scalar()->value);
}

std::string launchDifference(const profiler::LaunchPlan &before,
                             const profiler::LaunchPlan &after) {
  std::string text;
  const auto add = [&](const std::string &name, const std::string &old, const std::string &now) {
    if (old != now)
      text += fmt::format("{}{} {} → {}", text.empty() ? "" : ", ", name, old, now);
  };
  add("grid", fmt::format("{}", fmt::join(before.grid, " × ")),
      fmt::format("{}", fmt::join(after.grid, " × ")));
  for (const PlanArgument &argument : before.args)
    if (const PlanArgument *other = after.argument(argument.name))
      add(argument.name, valueText(argument), valueText(*other));
  return text;
}

} // namespace tilescope::app
