// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayErrors.h"

#include "app/launch/ArrayAxes.h"
#include "app/launch/ArrayFunctions.h"
#include "app/launch/ArrayJoins.h"
#include "app/launch/ArrayReductions.h"
#include "app/launch/ArrayShapes.h"
#include "app/launch/ComposedFunctions.h"
#include "app/launch/OperatorCalls.h"
#include "compiler/support/NearestName.h"
#include "compiler/syntax/FunctionText.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace tilescope::app {

Error expressionError(std::string what) { return {ErrorCode::InvalidInput, std::move(what), ""}; }

Status checkSize(const std::vector<int64_t> &shape) {
  constexpr int64_t kMostElements = 4 << 20;
  if (shape.size() > profiler::kMostDimensions)
    return expressionError("an expression is evaluated for at most " +
                           std::to_string(profiler::kMostDimensions) +
                           " dimensions; this one has " + std::to_string(shape.size()));
  // Of elements of one byte.
  const std::optional<int64_t> count = profiler::tensorBytes(profiler::Dtype::Int8, shape);
  if (count && *count <= kMostElements)
    return {};
  return expressionError("an expression is evaluated for at most " + std::to_string(kMostElements) +
                         " elements; this one has " +
                         (count ? std::to_string(*count) : "the shape " + shapeText(shape)) +
                         ": make a size smaller");
}

/// The names that an expression can use.
static std::vector<std::string_view> knownNames(const profiler::LaunchPlan &plan) {
  std::vector<std::string_view> names;
  const auto add = [&](const std::string &name) {
    if (std::ranges::find(names, name) == names.end())
      names.push_back(name);
  };
  for (const profiler::PlanArgument &argument : plan.args)
    add(argument.name);
  for (const auto *values : {&plan.sizes, &plan.constexprs})
    for (const auto &[name, value] : *values)
      add(name);
  return names;
}

/// `maximum, minimum` as names.
static std::vector<std::string_view> namesOf(std::string_view list) {
  std::vector<std::string_view> names;
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find_first_of(",;: ", begin), list.size());
    if (end > begin)
      names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

/// The name that is meant: a pointer without its ending, else the one that is nearest. May be empty.
static std::string_view meantName(std::string_view name,
                                  const std::vector<std::string_view> &candidates) {
  for (const std::string_view ending : {"_ptr", "ptr", "_pointer", "_p"})
    for (const std::string_view candidate : candidates)
      if (candidate.starts_with(name) && candidate.substr(name.size()) == ending)
        return candidate;
  return closestName(name, candidates);
}

std::string withKnownNames(const std::string &expected, const profiler::LaunchPlan &plan) {
  const std::vector<std::string_view> known = knownNames(plan);
  std::string result;
  for (size_t begin = 0; begin < expected.size();) {
    size_t end = begin + 1;
    while (end < expected.size() && compiler::ast::isWordByte(expected[begin]) &&
           compiler::ast::isWordByte(expected[end]))
      ++end;
    const std::string_view word = std::string_view(expected).substr(begin, end - begin);
    // Numbers, attributes, functions and names of arguments, as in `axis=1`, are what they are.
    const size_t next = expected.find_first_not_of(' ', end);
    const char behind = next == expected.npos ? ' ' : expected[next];
    const bool isName = compiler::ast::isWordByte(word.front()) &&
                        !std::isdigit(static_cast<unsigned char>(word.front())) &&
                        (begin == 0 || expected[begin - 1] != '.') && behind != '(' &&
                        behind != '.' && !(behind == '=' && expected.substr(next, 2) != "==") &&
                        std::ranges::find(known, word) == known.end();
    const std::string_view meant = isName ? meantName(word, known) : std::string_view();
    result += meant.empty() ? word : meant;
    begin = end;
  }
  return result == expected ? std::string() : result;
}

/// `; did you mean …?`; empty: nothing is near.
static std::string suggestion(const std::string &name,
                              const std::vector<std::string_view> &candidates) {
  const std::string_view nearest = meantName(name, candidates);
  return nearest.empty() ? "" : "; did you mean `" + std::string(nearest) + "`?";
}

std::string callText(const compiler::ast::Expr &expr) {
  std::string text;
  compiler::ast::walk(expr, [&](const compiler::ast::Node &node) {
    if (const auto *call = compiler::ast::as<compiler::ast::Call>(&node))
      text += std::string(arrayFunctionName(*call)) + "(";
    return true;
  });
  return text;
}

bool isOutOfDomain(const compiler::constant::PythonError &error) {
  return error.type == "ZeroDivisionError" || error.type == "ValueError" ||
         error.type == "OverflowError";
}

/// The first function that an expression calls and that is an operator; empty: none is.
static std::string operatorCall(const std::string &text) {
  for (size_t open = text.find('('); open != std::string::npos; open = text.find('(', open + 1)) {
    size_t begin = open;
    while (begin > 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) ||
                         text[begin - 1] == '_' || text[begin - 1] == '.'))
      --begin;
    const std::string function = text.substr(begin, open - begin);
    if (!operatorOf(function).empty())
      return function;
  }
  return {};
}

Error inWordsOfBlock(const std::string &text, const compiler::constant::PythonError &error,
                     const profiler::LaunchPlan &plan) {
  const std::string reductions = "; over an axis, or over all elements: " + reductionNames();
  const std::string functions = arrayFunctionNames() + reductions + "; of whole tensors: matmul, " +
                                joinNames() + ", " + axesFunctionNames();
  const std::string &name = error.cause.subject;
  if (const ComposedFunction *composed = composedFunction(text, error)) {
    // Parts that were worked out have names that no user knows.
    const std::string written =
        text.find("__") == std::string::npos ? withFormulas(text) : std::string();
    return expressionError(
        "`" + std::string(composed->name) + "` is not a function that can be used here; " +
        (written.empty() ? "for an array `x` it is `" + std::string(composed->formula)
                         : "write `" + written) +
        "`");
  }
  if (const std::string function = error.type == "AttributeError" ? operatorCall(text) : "";
      !function.empty())
    return expressionError("`" + function + "` is not a function that can be used here; write `a " +
                           std::string(operatorOf(function)) + " b`");
  const std::vector<std::string_view> all = namesOf(functions);
  if (error.type == "NameError") {
    const bool isCalled = text.find(name + "(") != std::string::npos;
    if (const std::string_view sign = operatorOf(name); isCalled && !sign.empty())
      return expressionError("`" + name + "` is not a function that can be used here; write `a " +
                             std::string(sign) + " b`");
    if (isCalled && std::ranges::find(all, name) != all.end())
      return expressionError("`" + name + "` cannot be used in this place");
    if (isCalled)
      return expressionError("`" + name + "` is not a function that can be used here; use one of " +
                             functions + suggestion(name, all));
    const std::vector<std::string_view> known = knownNames(plan);
    std::string list;
    for (const std::string_view each : known)
      list += (list.empty() ? "`" : ", `") + std::string(each) + "`";
    return expressionError("`" + name + "` is not defined; the names here are " + list +
                           suggestion(name, known));
  }
  if (error.type != "AttributeError")
    return expressionError(error.text());
  if (std::ranges::find(all, name) != all.end())
    return expressionError("`." + name + "` cannot be used here: write it as a function, as in `" +
                           name + "(x)`");
  return expressionError(name.empty()
                             ? error.message + reductions
                             : "`." + name + "` cannot be used here; use one of " + functions);
}

Status checkNumber(const compiler::constant::Value &value) {
  const std::string type = value.typeName();
  if (type != "tuple" && type != "list" && type != "str")
    return {};
  return expressionError("each element is not a number, but of the type `" + type + "`");
}

} // namespace tilescope::app
