// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/PythonForms.h"

#include "compiler/support/Text.h"
#include "profiler/data/Dtype.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

namespace tilescope::profiler {

std::vector<std::string_view> itemsOf(std::string_view text) {
  std::vector<std::string_view> items;
  int depth = 0;
  char quote = 0;
  size_t begin = 0;
  const auto add = [&](size_t end) {
    items.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote) {
      quote = c == quote ? '\0' : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      add(i);
    }
  }
  if (!trimmed(text.substr(std::min(begin, text.size()))).empty())
    add(text.size());
  return items;
}

/// The text between a bracket that it begins with and the one that it ends with, if these are a pair.
static std::optional<std::string_view> between(std::string_view text, char open, char close) {
  if (text.size() < 2 || text.front() != open || text.back() != close)
    return std::nullopt;
  int depth = 0;
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    depth += (text[i] == open) - (text[i] == close);
    if (depth == 0)
      return std::nullopt;
  }
  return text.substr(1, text.size() - 2);
}

std::vector<std::string_view> sequenceItems(std::string_view text) {
  text = trimmed(text);
  if (const auto list = between(text, '[', ']'))
    return itemsOf(*list);
  const auto tuple = between(text, '(', ')');
  if (!tuple)
    return {};
  std::vector<std::string_view> items = itemsOf(*tuple);
  const bool isTuple = items.size() > 1 || trimmed(*tuple).ends_with(',');
  return isTuple ? items : std::vector<std::string_view>();
}

static bool isNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

/// Of an expression that may be in quotes already.
static std::string tomlItem(std::string_view item) {
  if (isNumber(item) || item.starts_with('"'))
    return std::string(item);
  std::string text(item);
  std::ranges::replace(text, '"', '\'');
  return "\"" + text + "\"";
}

std::string tomlItems(const std::vector<std::string_view> &items) {
  std::string text;
  for (const std::string_view item : items)
    text += (text.empty() ? "" : ", ") + tomlItem(item);
  return text;
}

namespace {
/// `torch.full((n, m), 3, dtype=torch.float16)`.
struct Call {
  /// Behind the last dot.
  std::string_view function;
  std::vector<std::string_view> positional;
  std::map<std::string_view, std::string_view> named;
};
} // namespace

/// Nothing: the text is no call of a function of a library of arrays.
static std::optional<Call> readCall(std::string_view text) {
  text = trimmed(text);
  const size_t open = text.find('(');
  if (open == std::string_view::npos)
    return std::nullopt;
  const auto arguments = between(text.substr(open), '(', ')');
  const std::string_view callee = text.substr(0, open);
  static constexpr std::string_view kLibraries[] = {"torch.", "np.",   "numpy.",
                                                    "cp.",    "cupy.", "jnp."};
  if (!arguments || std::ranges::none_of(kLibraries, [&](std::string_view library) {
        return callee.starts_with(library);
      }))
    return std::nullopt;
  Call call;
  call.function = callee.substr(callee.rfind('.') + 1);
  for (const std::string_view item : itemsOf(*arguments)) {
    const size_t equals = item.find('=');
    const std::string_view name = trimmed(item.substr(0, equals));
    const bool isNamed = equals != std::string_view::npos && wordsIn(name).size() == 1 &&
                         wordsIn(name).front() == name && !item.substr(equals).starts_with("==");
    if (isNamed)
      call.named[name] = trimmed(item.substr(equals + 1));
    else
      call.positional.push_back(item);
  }
  return call;
}

namespace {
/// A function that makes an array, and what its arguments in front of the shape, or behind it, are.
struct Maker {
  std::string_view name;
  bool isInteger = false;
  /// `value` of the second argument, or `low` and `high` of those before the last.
  bool hasValue = false, hasRange = false;
};
} // namespace

static constexpr Maker kMakers[] = {{"empty"},        {"zeros"},
                                    {"ones"},         {"rand"},
                                    {"randn"},        {"full", false, true},
                                    {"arange", true}, {"randint", true, false, true}};

std::string describedArray(std::string_view text) {
  const std::optional<Call> call = readCall(text);
  if (!call)
    return {};
  const auto maker = std::ranges::find(kMakers, call->function, &Maker::name);
  if (maker == std::end(kMakers))
    return {};
  std::vector<std::string_view> shape = call->positional;
  std::string options;
  if (const auto size = call->named.find("size"); size != call->named.end())
    shape.push_back(size->second);
  if (maker->hasValue) {
    if (shape.size() != 2)
      return {};
    options = ", value = " + tomlItem(shape[1]);
    shape.pop_back();
  }
  if (maker->hasRange) {
    if (shape.size() != 2 && shape.size() != 3)
      return {};
    if (shape.size() == 3)
      options = ", low = " + tomlItem(shape[0]);
    options += ", high = " + tomlItem(shape[shape.size() - 2]);
    shape.erase(shape.begin(), shape.end() - 1);
  }
  if (shape.size() == 1)
    if (const std::vector<std::string_view> items = sequenceItems(shape[0]); !items.empty())
      shape = items;
  // A range has a beginning and a step, too, which a block cannot say.
  if (shape.empty() || (maker->name == "arange" && shape.size() != 1))
    return {};
  const auto stated = call->named.find("dtype");
  const std::optional<Dtype> dtype =
      stated == call->named.end() ? std::nullopt : meantDtype(stated->second);
  return "{ dtype = \"" +
         std::string(dtypeName(dtype.value_or(maker->isInteger ? Dtype::Int64 : Dtype::Fp32))) +
         "\", shape = [" + tomlItems(shape) + "], init = \"" + std::string(maker->name) + "\"" +
         options + " }";
}

} // namespace tilescope::profiler
