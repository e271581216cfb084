// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/PlanBounds.h"

#include "profiler/data/OutputFolder.h"

#include <set>

namespace tilescope::profiler {

static Error refuse(const std::string &why) { return {ErrorCode::InvalidInput, why, ""}; }

static Status checkArgument(const PlanArgument &argument) {
  if (Status status = checkFileName("argument", argument.name); !status)
    return status;
  if (const PlanTensor *tensor = argument.tensor();
      tensor && !tensorBytes(tensor->dtype, tensor->shape))
    return refuse("tensor `" + argument.name + "` is too large");
  if (const PlanScalar *scalar = argument.scalar(); scalar && !parseDtype(scalar->type))
    return refuse("argument `" + argument.name + "` has the unknown type `" + scalar->type + "`");
  return {};
}

Status checkPlan(const LaunchPlan &plan) {
  for (size_t axis = 0; axis < plan.grid.size(); ++axis)
    if (plan.grid[axis] < 0 || plan.grid[axis] > kGridLimits[axis])
      return refuse("grid extent " + std::to_string(plan.grid[axis]) + " of axis " +
                    std::to_string(axis) + " is not between 0 and " +
                    std::to_string(kGridLimits[axis]));
  if (plan.args.size() > kMostArguments)
    return refuse("a launch has " + std::to_string(plan.args.size()) +
                  " arguments; the most allowed is " + std::to_string(kMostArguments));
  std::set<std::string_view> names;
  for (const PlanArgument &argument : plan.args) {
    if (Status status = checkArgument(argument); !status)
      return status;
    if (!names.insert(argument.name).second)
      return refuse("argument `" + argument.name + "` is listed twice");
  }
  return {};
}

} // namespace tilescope::profiler
