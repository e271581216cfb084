// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/LaunchAdvice.h"

#include "compiler/support/NearestName.h"
#include "compiler/support/Text.h"
#include "profiler/data/Dtype.h"
#include "profiler/package/PythonForms.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tilescope::profiler {

static std::string dtypeNames() {
  std::string names;
  for (const compiler::ScalarInfo &type : allDtypes())
    names += (names.empty() ? "" : ", ") + std::string(type.signatureName);
  return names;
}

static constexpr std::string_view kInitKinds =
    "empty, zeros, ones, full, arange, rand, randn, randint";

/// The kind of initial data that a word of NumPy and its like stands for, or a misspelled one.
static std::string_view meantInit(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kForeign[] = {
      {"random", "randn"}, {"normal", "randn"}, {"gaussian", "randn"}, {"uniform", "rand"},
      {"zero", "zeros"},   {"one", "ones"},     {"range", "arange"},   {"nan", "empty"},
      {"none", "empty"},   {"constant", "full"}};
  for (const auto &[foreign, kind] : kForeign)
    if (name == foreign)
      return kind;
  return closestInList(name, kInitKinds);
}

/// Of a word in quotes that is none of those that are known.
static LaunchProblem unknownWord(const LaunchExpression &word, const std::string &what,
                                 const std::string &known, std::string_view meant) {
  LaunchProblem problem{word.range, "`" + word.text + "` " + what, known, true};
  if (meant.empty())
    return problem;
  problem.replacement = "\"" + std::string(meant) + "\"";
  problem.hint = "did you mean `" + problem.replacement + "`? " + known;
  return problem;
}

LaunchProblem unknownDtype(const LaunchExpression &dtype) {
  const std::optional<Dtype> meant = meantDtype(dtype.text);
  return unknownWord(dtype, "is not an element type", "element types are " + dtypeNames(),
                     meant ? dtypeName(*meant) : std::string_view());
}

LaunchProblem unknownInit(const LaunchExpression &init) {
  return unknownWord(init, "is not a kind of initial data", "kinds are " + std::string(kInitKinds),
                     meantInit(init.text));
}

/// Of an extent that is a fraction: `n / BLOCK` is meant to be rounded up.
static std::string roundedUp(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos || text.find('/', slash + 1) != std::string_view::npos ||
      text.find_first_of(",()") != std::string_view::npos)
    return {};
  return "cdiv(" + std::string(trimmed(text.substr(0, slash))) + ", " +
         std::string(trimmed(text.substr(slash + 1))) + ")";
}

void offerRounding(const LaunchExpression &extent, LaunchProblem &problem) {
  const std::string code = roundedUp(extent.text);
  if (code.empty() || problem.range != extent.range)
    return;
  problem.hint = "`" + code + "` rounds up";
  problem.replacement = "\"" + code + "\"";
}

std::optional<LaunchProblem> arrayInScript(const LaunchArgument &argument) {
  const std::string meant = describedArray(argument.value.text);
  if (meant.empty())
    return std::nullopt;
  return LaunchProblem{argument.value.range,
                       "`" + argument.value.text +
                           "` makes an array, which a launch block describes",
                       "write `" + argument.name + " = " + meant + "`", true, meant};
}

LaunchProblem otherThanSize(const LaunchArgument &argument, const LaunchValue &value,
                            const LaunchValue &size) {
  return {argument.value.range,
          "the kernel gets `" + value.text + "` for `" + argument.name +
              "`, and shapes and the grid use the size of that name, `" + size.text + "`",
          "without this line, the argument takes the size", false};
}

std::optional<LaunchProblem> calledOtherwise(const LaunchBlock &block,
                                             const std::vector<LaunchParameter> &parameters,
                                             const std::string &name) {
  std::vector<std::string_view> unused;
  for (const LaunchArgument &arg : block.args)
    if (std::ranges::find(parameters, arg.name, &LaunchParameter::name) == parameters.end())
      unused.push_back(arg.name);
  const auto ending = std::ranges::find_if(unused, [&](std::string_view key) {
    return name == std::string(key) + "_ptr" || key == name + "_ptr";
  });
  const std::string_view key = ending == unused.end() ? closestName(name, unused) : *ending;
  if (key.empty())
    return std::nullopt;
  const auto arg = std::ranges::find(block.args, key, &LaunchArgument::name);
  return LaunchProblem{arg->nameRange,
                       "the kernel has no parameter `" + arg->name + "`: it is called `" + name +
                           "`",
                       "", true, name};
}

} // namespace tilescope::profiler
