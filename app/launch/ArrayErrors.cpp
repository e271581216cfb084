// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayErrors.h"

#include "app/launch/ArrayAxes.h"
#include "app/launch/ArrayFunctions.h"
#include "app/launch/ArrayJoins.h"
#include "app/launch/ArrayReductions.h"

#include <set>

namespace tilescope::app {

Error expressionError(std::string what) { return {ErrorCode::InvalidInput, std::move(what), ""}; }

/// The names that an expression can use.
static std::string knownNames(const profiler::LaunchPlan &plan) {
  std::string text;
  std::set<std::string_view> listed;
  const auto add = [&](const std::string &name) {
    if (listed.insert(name).second)
      text += (text.empty() ? "`" : ", `") + name + "`";
  };
  for (const profiler::PlanArgument &argument : plan.args)
    add(argument.name);
  for (const auto *values : {&plan.sizes, &plan.constexprs})
    for (const auto &[name, value] : *values)
      add(name);
  return text;
}

Error inWordsOfBlock(const std::string &text, const compiler::constant::PythonError &error,
                     const profiler::LaunchPlan &plan) {
  const std::string reductions = "; over an axis, or over all elements: " + reductionNames();
  const std::string functions = arrayFunctionNames() + reductions + "; of whole tensors: matmul, " +
                                joinNames() + ", " + axesFunctionNames();
  const std::string &name = error.cause.subject;
  if (error.type == "NameError") {
    if (text.find(name + "(") != std::string::npos)
      return expressionError("`" + name + "` is not a function that can be used here; use one of " +
                             functions);
    return expressionError("`" + name + "` is not defined; the names here are " + knownNames(plan));
  }
  if (error.type != "AttributeError")
    return expressionError(error.text());
  return expressionError(name.empty()
                             ? error.message + reductions
                             : "`." + name + "` cannot be used here; use one of " + functions);
}

} // namespace tilescope::app
