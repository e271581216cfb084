// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/ExpressionProblem.h"

#include "compiler/support/NearestName.h"
#include "compiler/support/Text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <vector>

namespace tilescope::profiler {

bool isBlank(const LaunchExpression &expression) {
  return expression.text.find_first_not_of(" \t") == std::string::npos;
}

/// `n`, `m` or `BLOCK`: what an expression can use.
static std::string namesText(const LaunchNames &names) {
  std::string text;
  size_t left = names.size();
  for (const auto &[name, value] : names) {
    text += text.empty() ? "`" : left == 1 ? " or `" : ", `";
    text += name + "`";
    --left;
  }
  return text;
}

LaunchProblem missingValue(const LaunchExpression &expression, const std::string &name,
                           const LaunchNames &names) {
  return {expression.range,
          "`" + name + "` needs a value: a number" +
              (names.empty() ? " such as `4096`"
                             : " or an expression such as `2 * " + names.begin()->first + "`"),
          "", true};
}

/// Offers the name that was meant, in place of the first word that is none.
static void offerNearName(const LaunchExpression &expression, const std::string &name,
                          const LaunchNames &names, LaunchProblem &problem) {
  std::vector<std::string_view> known;
  for (const auto &[each, value] : names)
    known.push_back(each);
  const std::string_view near = closestName(name, known);
  if (near.empty() || !expression.textBegin)
    return;
  for (const std::string_view word : wordsIn(expression.text))
    if (word == name) {
      const auto at = static_cast<uint32_t>(word.data() - expression.text.data());
      const Position begin{expression.textBegin->line, expression.textBegin->column + at};
      problem.range = {begin,
                       {begin.line, begin.column + static_cast<uint32_t>(name.size())},
                       problem.range.file};
      problem.hint = "did you mean `" + std::string(near) + "`?";
      problem.replacement = near;
      return;
    }
}

LaunchProblem expressionProblem(const LaunchExpression &expression, const ExpressionFault &fault,
                                const LaunchNames &names) {
  const bool isCalled = expression.text.find(fault.name + "(") != std::string::npos;
  if (fault.kind == ExpressionFault::Kind::UndefinedName && isCalled && !fault.functions.empty())
    return {expression.range, "`" + fault.name + "` is not a function that can be used here",
            "use one of " + fault.functions, true};
  if (fault.kind == ExpressionFault::Kind::UndefinedName) {
    LaunchProblem problem{expression.range,
                          "`" + fault.name + "` is not defined: write a number" +
                              (names.empty() ? "" : ", or use " + namesText(names)),
                          "", true};
    offerNearName(expression, fault.name, names, problem);
    return problem;
  }
  if (isBlank(expression))
    return {expression.range, "a number or an expression is missing here", "", true};
  if (fault.kind == ExpressionFault::Kind::Syntax)
    return {expression.range, "`" + expression.text + "` is neither a number nor an expression",
            "e.g. `4096`, `2 * n`, `cdiv(n, BLOCK)`", true};
  return {expression.range, "`" + expression.text + "` cannot be worked out: " + fault.message, "",
          true};
}

std::optional<LaunchProblem> notFinite(const LaunchExpression &expression,
                                       const LaunchValue &value) {
  const auto *number = std::get_if<double>(&value.value);
  const bool isMeant = expression.text.find("nan") != std::string::npos ||
                       expression.text.find("inf") != std::string::npos;
  if (!number || std::isfinite(*number) || isMeant)
    return std::nullopt;
  return LaunchProblem{expression.range,
                       "`" + expression.text + "` is " +
                           (std::isnan(*number) ? "not a number" : "infinite") +
                           ": the kernel gets `" + value.text + "`",
                       "", false};
}

std::string wholeText(const LaunchValue &value) {
  constexpr double kMost = 1e15;
  const auto *number = std::get_if<double>(&value.value);
  const bool isWhole = number && *number == std::floor(*number) && std::abs(*number) < kMost;
  return isWhole ? std::to_string(static_cast<int64_t>(*number)) : std::string();
}

std::optional<LaunchProblem> constexprFraction(const LaunchEntry &entry, const LaunchValue &value,
                                               const LaunchExpression &extent) {
  const auto *number = std::get_if<double>(&value.value);
  if (!number)
    return std::nullopt;
  LaunchProblem problem{entry.value.range,
                        "`" + entry.name + "` must be a whole number, found `" + value.text + "`",
                        "`" + extent.text + "` uses it", true};
  problem.replacement = wholeText(value);
  return problem;
}

std::string extentFault(const LaunchValue &value) {
  if (const auto *number = std::get_if<int64_t>(&value.value))
    return *number < 0 ? "a size cannot be negative, found " + std::to_string(*number)
                       : std::string();
  if (std::holds_alternative<double>(value.value))
    return "a size must be a whole number, found `" + value.text + "`";
  return {};
}

} // namespace tilescope::profiler
