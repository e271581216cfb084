// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/LaunchAdvice.h"

#include "compiler/support/NearestName.h"
#include "compiler/support/Text.h"
#include "compiler/support/WholeNumber.h"
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
    "empty, zeros, ones, full, arange, rand, randn, randint, offsets";

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

/// What a call says beside its kind, as keys of a tensor: `low = 0, high = 16` of `randint(0, 16)`.
static std::string keysOf(std::string_view kind, const std::vector<std::string_view> &arguments) {
  const auto isNumber = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("+-.0123456789e") == std::string_view::npos;
  };
  const auto key = [&](std::string_view name, std::string_view value) {
    return ", " + std::string(name) + " = " +
           (isNumber(value) ? std::string(value) : "\"" + std::string(value) + "\"");
  };
  if (std::ranges::any_of(arguments, [](std::string_view each) {
        return each.find_first_of("=([\"'") != std::string_view::npos;
      }))
    return {};
  if (kind == "randint" && arguments.size() == 1)
    return key("low", "0") + key("high", arguments[0]);
  if (kind == "randint" && arguments.size() > 1)
    return key("low", arguments[0]) + key("high", arguments[1]);
  return kind == "full" && !arguments.empty() ? key("value", arguments.back()) : std::string();
}

/// `randint(0, 16)`: a kind with what it takes in brackets. Nothing: it is no call of one.
static std::optional<LaunchProblem> calledInit(const LaunchArgument &argument) {
  const LaunchExpression &init = argument.init;
  const size_t open = init.text.find('(');
  if (open == std::string::npos || !init.text.ends_with(')'))
    return std::nullopt;
  std::string_view name = std::string_view(init.text).substr(0, open);
  name.remove_prefix(name.rfind('.') + 1);
  TensorInit::Kind known{};
  const std::string_view kind = parseInit(name, known) ? name : meantInit(name);
  if (kind.empty())
    return std::nullopt;
  const std::string_view inside =
      std::string_view(init.text).substr(open + 1, init.text.size() - open - 2);
  const std::string keys = keysOf(kind, itemsOf(inside));
  const std::string meant = "\"" + std::string(kind) + "\"";
  LaunchProblem problem{init.range, "`" + init.text + "` is a call, and `init` a word",
                        kind == "randint" ? "bounds are the keys `low` and `high`"
                        : kind == "full"  ? "the number is the key `value`"
                                          : "the shape is the key `shape`",
                        true};
  // Keys stand beside it where the whole table is in its line, and none of them is there already.
  const bool isInline = argument.nameRange.begin.line == init.range.begin.line;
  if (argument.initOptions.empty() ? isInline || keys.empty() : keys.empty()) {
    problem.replacement = meant + keys;
    problem.hint += ": write `init = " + problem.replacement + "`";
  }
  return problem;
}

LaunchProblem unknownInit(const LaunchArgument &argument) {
  if (std::optional<LaunchProblem> called = calledInit(argument))
    return *called;
  return unknownWord(argument.init, "is not a kind of initial data",
                     "kinds are " + std::string(kInitKinds), meantInit(argument.init.text));
}

/// An item of what a function of `parameter` returns, in the words of a launch block:
/// `cdiv(n, BLOCK)` of `triton.cdiv(n, meta["BLOCK"])`.
static std::string itemReturned(std::string_view item, const std::string &parameter) {
  std::string code(item);
  const std::string call = "triton.cdiv(";
  for (size_t at = 0; (at = code.find(call)) != std::string::npos;)
    code.replace(at, call.size(), "cdiv(");
  for (const char quote : {'"', '\''})
    for (size_t at = 0; (at = code.find(parameter + '[' + quote)) != std::string::npos;) {
      const size_t name = at + parameter.size() + 2, end = code.find(std::string{quote, ']'}, name);
      if (end == std::string::npos)
        return {};
      code.replace(at, end + 2 - at, code.substr(name, end - name));
    }
  const bool isPlain = std::ranges::count(code, '(') == std::ranges::count(code, ')') &&
                       code.find_first_of("\"'[]{}") == std::string::npos;
  return isPlain ? code : std::string();
}

std::vector<std::string> returnedBy(std::string_view text) {
  const size_t colon = text.find(':');
  if (!text.starts_with("lambda ") || colon == std::string_view::npos)
    return {};
  const std::string parameter(trimmed(text.substr(7, colon - 7)));
  const std::string_view returned = trimmed(text.substr(colon + 1));
  std::vector<std::string_view> items = sequenceItems(returned);
  if (items.empty())
    items = itemsOf(returned);
  std::vector<std::string> codes;
  for (const std::string_view item : items) {
    codes.push_back(itemReturned(item, parameter));
    if (codes.back().empty())
      return {};
  }
  return codes;
}

/// Both sides of the only `/`; nothing: there is none, or several.
static std::optional<std::pair<std::string, std::string>> quotient(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos || text.find('/', slash + 1) != std::string_view::npos)
    return std::nullopt;
  return std::pair(std::string(trimmed(text.substr(0, slash))),
                   std::string(trimmed(text.substr(slash + 1))));
}

/// What a call that rounds up is applied to: `n / BLOCK` of `math.ceil(n / BLOCK)`; else the text.
static std::string_view insideCeil(std::string_view text) {
  for (const std::string_view call :
       {"ceil(", "math.ceil(", "np.ceil(", "numpy.ceil(", "torch.ceil("})
    if (text.starts_with(call) && text.ends_with(')'))
      return text.substr(call.size(), text.size() - call.size() - 1);
  return text;
}

/// Of an extent that is a fraction: `n / BLOCK` is meant to be rounded up.
static std::string roundedUp(std::string_view text) {
  const std::string_view inside = insideCeil(trimmed(text));
  const auto parts = quotient(inside);
  return parts && inside.find_first_of(",()") == std::string_view::npos
             ? "cdiv(" + parts->first + ", " + parts->second + ")"
             : std::string();
}

static void offer(const std::string &code, const std::string &hint, LaunchProblem &problem) {
  problem.hint = hint;
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

void offerGridExtent(const LaunchExpression &extent, LaunchProblem &problem) {
  if (problem.range != extent.range)
    return;
  if (extent.text.starts_with("lambda ")) {
    problem.message =
        "`" + extent.text + "` is a function: a grid has the numbers of programs themselves";
    problem.hint = "write what it returns";
    if (const std::vector<std::string> codes = returnedBy(extent.text); codes.size() == 1)
      offer(codes.front(), "write what it returns, `" + codes.front() + "`", problem);
  } else if (const std::string code = roundedUp(extent.text); !code.empty()) {
    offer(code, "`" + code + "` rounds up", problem);
  }
}

std::optional<LaunchProblem> emptyGrid(const LaunchExpression &extent, int64_t number,
                                       const std::map<std::string, std::string> &sizes) {
  const bool isNumber = wholeNumber(extent.text) == 0;
  const auto isZero = [](const auto &size) { return size.second == "0"; };
  if (number != 0 || (!isNumber && std::ranges::any_of(sizes, isZero)))
    return std::nullopt;
  LaunchProblem problem{
      extent.range,
      isNumber ? "a grid of 0 has no programs: nothing runs"
               : "`" + extent.text + "` is 0: the grid has no programs, and nothing runs",
      isNumber ? "write how many programs there are, e.g. `grid = [\"cdiv(n, BLOCK)\"]`" : "",
      isNumber};
  const size_t slash = extent.text.find("//");
  LaunchExpression divided = extent;
  if (slash != std::string::npos)
    divided.text.erase(slash, 1);
  if (const std::string code = roundedUp(divided.text); slash != std::string::npos && !code.empty())
    offer(code, "`" + code + "` rounds up", problem);
  return problem;
}

void offerExtent(const LaunchExpression &extent, LaunchProblem &problem) {
  if (problem.range != extent.range)
    return;
  if (const auto parts = quotient(extent.text)) {
    const std::string code = parts->first + " // " + parts->second;
    offer(code, "`" + code + "` is a whole number", problem);
  }
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

std::optional<LaunchProblem>
constexprCalledOtherwise(const LaunchBlock &block, const std::vector<LaunchParameter> &parameters,
                         const std::string &name) {
  const auto named = std::ranges::find(parameters, name, &LaunchParameter::name);
  if (named == parameters.end() || !named->isConstexpr)
    return std::nullopt;
  std::vector<std::string_view> unused;
  for (const LaunchEntry &entry : block.constexprs)
    if (std::ranges::find(parameters, entry.name, &LaunchParameter::name) == parameters.end())
      unused.push_back(entry.name);
  const auto longer =
      std::ranges::find_if(unused, [&](std::string_view key) { return extendsName(key, name); });
  std::string_view key = longer == unused.end() ? closestName(name, unused) : *longer;
  // The only key without a parameter is meant for the only parameter without a key.
  const auto isMissing = [&](const LaunchParameter &each) {
    return each.isConstexpr && !each.defaultValue &&
           std::ranges::find(block.constexprs, each.name, &LaunchEntry::name) ==
               block.constexprs.end();
  };
  if (key.empty() && unused.size() == 1 && std::ranges::count_if(parameters, isMissing) == 1)
    key = unused.front();
  if (key.empty())
    return std::nullopt;
  const auto entry = std::ranges::find(block.constexprs, key, &LaunchEntry::name);
  return LaunchProblem{entry->nameRange,
                       "the kernel has no `" + entry->name + "`: its constexpr is called `" + name +
                           "`",
                       "", true, name};
}

std::optional<LaunchProblem> missingConstexpr(const LaunchBlock &block,
                                              const std::vector<LaunchParameter> &parameters,
                                              const LaunchExpression &expression,
                                              const std::string &name) {
  const auto named = std::ranges::find(parameters, name, &LaunchParameter::name);
  const auto has = [&](const std::vector<LaunchEntry> &entries) {
    return std::ranges::find(entries, name, &LaunchEntry::name) != entries.end();
  };
  if (named == parameters.end() || !named->isConstexpr || has(block.constexprs) || has(block.sizes))
    return std::nullopt;
  LaunchProblem problem{expression.range,
                        "`" + name + "` has no value: the kernel takes it as a constexpr",
                        "write e.g. `" + name + " = 1024` under `[constexprs]`", true};
  problem.missingArgument = name;
  return problem;
}

} // namespace tilescope::profiler
