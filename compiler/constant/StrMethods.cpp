// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Methods of str.
#include "compiler/constant/Internal.h"
#include "compiler/constant/Operators.h"

#include <algorithm>
#include <cctype>

namespace tilescope::compiler::constant {

using Items = Value::Items;

static constexpr std::string_view kSpace = " \t\n\r\f\v";

static std::string mapCase(std::string text, int (*convert)(int)) {
  for (char &c : text)
    if (c >= 0)
      c = static_cast<char>(convert(c));
  return text;
}

static std::string strip(std::string_view text, const Items &args, bool left, bool right) {
  std::string_view set =
      args.empty() || args[0].isNone() ? kSpace : std::string_view(args[0].str());
  size_t first = left ? text.find_first_not_of(set) : 0;
  if (first == std::string_view::npos)
    return {};
  size_t last = right ? text.find_last_not_of(set) : text.size() - 1;
  if (last == std::string_view::npos || text.empty())
    return {};
  return std::string(text.substr(first, last - first + 1));
}

static ValueOrError split(const std::string &text, const Items &args) {
  Items parts;
  int64_t limit = args.size() > 1 ? args[1].toInt64().value_or(-1) : -1;
  auto full = [&] { return limit >= 0 && static_cast<int64_t>(parts.size()) >= limit; };
  if (args.empty() || args[0].isNone()) {
    for (size_t at = text.find_first_not_of(kSpace); at != std::string::npos;) {
      size_t end = full() ? std::string::npos : text.find_first_of(kSpace, at);
      parts.push_back(Value::string(text.substr(at, end == std::string::npos ? end : end - at)));
      at = text.find_first_not_of(kSpace, end);
      if (end == std::string::npos)
        break;
    }
    return Value::list(std::move(parts));
  }
  if (!args[0].isStr())
    return typeError("must be str or None, not " + args[0].typeName());
  const std::string &separator = args[0].str();
  if (separator.empty())
    return valueError("empty separator");
  size_t at = 0;
  while (true) {
    size_t next = full() ? std::string::npos : text.find(separator, at);
    parts.push_back(Value::string(text.substr(at, next == std::string::npos ? next : next - at)));
    if (next == std::string::npos)
      return Value::list(std::move(parts));
    at = next + separator.size();
  }
}

static ValueOrError join(const std::string &separator, const Value &list) {
  OrError<Items> items = iterate(list);
  if (!items)
    return typeError("can only join an iterable");
  std::string text;
  for (size_t i = 0; i < items->size(); ++i) {
    const Value &item = items.value()[i];
    if (!item.isStr())
      return typeError("sequence item " + std::to_string(i) + ": expected str instance, " +
                       item.typeName() + " found");
    text += (i ? separator : "") + item.str();
  }
  return Value::string(std::move(text));
}

static ValueOrError replace(const std::string &text, const Items &args) {
  if (args.size() < 2 || !args[0].isStr() || !args[1].isStr())
    return typeError("replace() needs two str arguments");
  int64_t limit = args.size() > 2 ? args[2].toInt64().value_or(-1) : -1;
  const std::string &from = args[0].str(), &to = args[1].str();
  std::string result;
  size_t at = 0;
  for (int64_t count = 0; limit < 0 || count < limit; ++count) {
    size_t next = text.find(from, at);
    // An empty pattern matches between characters, which would need code points; no kernel asks for
    // it.
    if (from.empty() || next == std::string::npos)
      break;
    result += text.substr(at, next - at) + to;
    at = next + from.size();
    if (static_cast<int64_t>(result.size()) > kMaxElements)
      return tooLarge();
  }
  return Value::string(result + text.substr(at));
}

static ValueOrError startsOrEndsWith(const std::string &text, const Items &args, bool atStart) {
  std::string name = atStart ? "startswith" : "endswith";
  Items candidates = args[0].isTuple() ? args[0].items() : Items{args[0]};
  for (const Value &candidate : candidates) {
    if (!candidate.isStr())
      return typeError(name + " first arg must be str or a tuple of str, not " +
                       candidate.typeName());
    if (atStart ? text.starts_with(candidate.str()) : text.ends_with(candidate.str()))
      return Value::boolean(true);
  }
  return Value::boolean(false);
}

/// `find`, `rfind`, `index`, `count` with positions in code points.
static ValueOrError findText(std::string_view name, const std::string &text, const Value &needle) {
  if (!needle.isStr())
    return typeError("must be str, not " + needle.typeName());
  std::u32string haystack = codePoints(text), pattern = codePoints(needle.str());
  if (name == "count") {
    if (pattern.empty())
      return Value::integer(static_cast<int64_t>(haystack.size()) + 1);
    int64_t count = 0;
    for (size_t at = haystack.find(pattern); at != std::u32string::npos; ++count)
      at = haystack.find(pattern, at + pattern.size());
    return Value::integer(count);
  }
  size_t at = name == "rfind" ? haystack.rfind(pattern) : haystack.find(pattern);
  if (at == std::u32string::npos && name == "index")
    return valueError("substring not found");
  return Value::integer(at == std::u32string::npos ? -1 : static_cast<int64_t>(at));
}

static bool allOf(const std::string &text, int (*test)(int)) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return test(static_cast<unsigned char>(c)) != 0;
  });
}

static ValueOrError formatMethod(const std::string &pattern, const Items &args,
                                 const Keywords &keywords) {
  std::string out;
  size_t nextIndex = 0;
  for (size_t at = 0; at < pattern.size(); ++at) {
    char c = pattern[at];
    if (c != '{' && c != '}') {
      out += c;
      continue;
    }
    if (at + 1 < pattern.size() && pattern[at + 1] == c) {
      out += c;
      ++at;
      continue;
    }
    if (c == '}')
      return valueError("Single '}' encountered in format string");
    size_t end = pattern.find('}', at);
    if (end == std::string::npos)
      return valueError("expected '}' before end of string");
    std::string_view field = std::string_view(pattern).substr(at + 1, end - at - 1);
    at = end;
    size_t colon = field.find(':');
    std::string_view spec = colon == std::string_view::npos ? "" : field.substr(colon + 1);
    field = field.substr(0, colon);
    char conversion = '\0';
    if (size_t mark = field.find('!'); mark != std::string_view::npos) {
      conversion = mark + 1 < field.size() ? field[mark + 1] : 's';
      field = field.substr(0, mark);
    }
    std::optional<Value> value;
    std::optional<Int> index =
        field.empty() ? Int(static_cast<int64_t>(nextIndex++)) : Int::parse(field);
    if (index) {
      size_t position = static_cast<size_t>(index->toInt64().value_or(-1));
      if (position >= args.size())
        return PythonError{"IndexError", "Replacement index " + index->toString() +
                                             " out of range for positional args tuple"};
      value = args[position];
    } else {
      for (const auto &[key, keywordValue] : keywords)
        if (key == field)
          value = keywordValue;
      if (!value)
        return PythonError{"KeyError", "'" + std::string(field) + "'"};
    }
    OrError<std::string> text =
        conversion == 'r' ? format(Value::string(repr(*value)), spec) : format(*value, spec);
    if (!text)
      return text.error();
    out += *text;
  }
  return Value::string(std::move(out));
}

std::optional<ValueOrError> strMethod(const Value &value, std::string_view name, const Items &args,
                                      const Keywords &keywords) {
  const std::string &text = value.str();
  if (name == "upper")
    return Value::string(mapCase(text, std::toupper));
  if (name == "lower" || name == "casefold")
    return Value::string(mapCase(text, std::tolower));
  if (name == "strip" || name == "lstrip" || name == "rstrip") {
    if (!args.empty() && !args[0].isNone() && !args[0].isStr())
      return ValueOrError(typeError(std::string(name) + " arg must be None or str"));
    return Value::string(strip(text, args, name != "rstrip", name != "lstrip"));
  }
  if (name == "split")
    return split(text, args);
  if (name == "replace")
    return replace(text, args);
  if (name == "format")
    return formatMethod(text, args, keywords);
  if (name == "isdigit" || name == "isdecimal" || name == "isnumeric")
    return Value::boolean(allOf(text, std::isdigit));
  if (name == "isalpha")
    return Value::boolean(allOf(text, std::isalpha));
  if (name == "isalnum")
    return Value::boolean(allOf(text, std::isalnum));
  if (name == "isupper" || name == "islower") {
    std::string upper = mapCase(text, std::toupper), lower = mapCase(text, std::tolower);
    return Value::boolean(upper != lower && text == (name == "isupper" ? upper : lower));
  }
  if (name == "capitalize") {
    std::string lower = mapCase(text, std::tolower);
    return Value::string(mapCase(lower.substr(0, 1), std::toupper) +
                         (lower.empty() ? "" : lower.substr(1)));
  }
  if (args.empty())
    return std::nullopt;
  if (name == "join")
    return join(text, args[0]);
  if (name == "startswith" || name == "endswith")
    return startsOrEndsWith(text, args, name == "startswith");
  if (name == "find" || name == "rfind" || name == "index" || name == "count")
    return findText(name, text, args[0]);
  if ((name == "removeprefix" || name == "removesuffix") && args[0].isStr()) {
    const std::string &part = args[0].str();
    if (name == "removeprefix")
      return Value::string(text.starts_with(part) ? text.substr(part.size()) : text);
    return Value::string(text.ends_with(part) ? text.substr(0, text.size() - part.size()) : text);
  }
  return std::nullopt;
}

} // namespace tilescope::compiler::constant
