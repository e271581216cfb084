// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/PlanValues.h"

#include "compiler/constant/Evaluate.h"

namespace tilescope::app {

namespace constant = compiler::constant;
using constant::Value;

static Value scalarValue(const profiler::PlanScalar &scalar) {
  return std::visit(
      [](auto number) {
        using Number = decltype(number);
        if constexpr (std::is_same_v<Number, bool>)
          return Value::boolean(number);
        else if constexpr (std::is_same_v<Number, double>)
          return Value::real(number);
        else
          return Value::integer(int64_t(number));
      },
      scalar.value);
}

std::map<std::string, Value, std::less<>> planValues(const profiler::LaunchPlan &plan) {
  std::map<std::string, Value, std::less<>> values;
  for (const auto *literals : {&plan.sizes, &plan.constexprs})
    for (const auto &[name, literal] : *literals)
      if (const constant::ValueOrError value = constant::evaluateText(literal, {}))
        values.insert_or_assign(name, *value);
  for (const profiler::PlanArgument &argument : plan.args)
    if (const profiler::PlanScalar *scalar = argument.scalar())
      values.insert_or_assign(argument.name, scalarValue(*scalar));
  return values;
}

} // namespace tilescope::app
