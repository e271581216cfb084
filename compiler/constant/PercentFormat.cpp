// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The operator `%` of str.
#include "compiler/constant/FormatSpec.h"
#include "compiler/constant/Internal.h"
#include "compiler/constant/Operators.h"

#include <cstdio>

namespace tilescope::compiler::constant {

/// One conversion of `%`, e.g. `%-5.2f`, whose flags are in `flags`.
static OrError<std::string> convertPercent(char type, const std::string &flags, int64_t width,
                                           std::optional<int> precision, const Value &value) {
  FormatSpec spec;
  spec.width = width;
  spec.align = '>';
  if (flags.find('0') != std::string::npos && type != 's' && type != 'r') {
    spec.fill = '0';
    spec.align = '=';
  }
  if (flags.find('-') != std::string::npos) {
    spec.fill = ' ';
    spec.align = '<';
  }
  if (flags.find(' ') != std::string::npos)
    spec.sign = ' ';
  if (flags.find('+') != std::string::npos)
    spec.sign = '+';
  spec.alternate = flags.find('#') != std::string::npos;
  spec.precision = precision;
  switch (type) {
  case 's':
  case 'r':
  case 'a':
    spec.sign = '-';
    return formatStr(type == 's' ? str(value) : repr(value), spec);
  case 'c':
    if (value.isStr())
      return formatStr(value.str(), spec);
    return format(value, "c");
  case 'd':
  case 'i':
  case 'u':
  case 'x':
  case 'X':
  case 'o': {
    bool isDecimal = type == 'd' || type == 'i' || type == 'u';
    if (!isIntegral(value) && !(isDecimal && value.isFloat()))
      return typeError(std::string("%") + type +
                       " format: " + (isDecimal ? "a real number" : "an integer") +
                       " is required, not " + value.typeName());
    std::optional<Int> number =
        value.isFloat() ? Int::fromDouble(value.real()) : std::optional<Int>(value.integer());
    if (!number)
      return valueError("cannot convert float to integer");
    spec.type = isDecimal ? 'd' : type;
    spec.precision.reset();
    return formatInt(*number, spec);
  }
  default: {
    if (!value.isNumber())
      return typeError("must be real number, not " + value.typeName());
    OrError<double> number = toDouble(value);
    if (!number)
      return number.error();
    spec.type = type;
    return formatFloat(*number, spec);
  }
  }
}

OrError<std::string> formatPercent(std::string_view pattern, const Value &arguments) {
  std::string out;
  size_t next = 0;
  size_t numArguments = arguments.isTuple() ? arguments.items().size() : 1;
  auto take = [&]() -> ValueOrError {
    if (next >= numArguments)
      return typeError("not enough arguments for format string");
    ++next;
    return arguments.isTuple() ? arguments.items()[next - 1] : arguments;
  };
  for (size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] != '%') {
      out += pattern[at];
      continue;
    }
    ++at;
    std::optional<Value> named;
    if (at < pattern.size() && pattern[at] == '(') {
      size_t end = pattern.find(')', at);
      if (end == std::string_view::npos)
        return valueError("incomplete format key");
      if (!arguments.isDict())
        return typeError("format requires a mapping");
      ValueOrError found =
          subscript(arguments, Value::string(std::string(pattern.substr(at + 1, end - at - 1))));
      if (!found)
        return found.error();
      named = *found;
      next = numArguments;
      at = end + 1;
    }
    std::string flags;
    while (at < pattern.size() && std::string_view("-+ #0").find(pattern[at]) != std::string::npos)
      flags += pattern[at++];
    auto readNumber = [&] {
      int64_t number = 0;
      while (at < pattern.size() && pattern[at] >= '0' && pattern[at] <= '9')
        number = std::min<int64_t>(number * 10 + (pattern[at++] - '0'), kMaxWidth);
      return number;
    };
    int64_t width = readNumber();
    std::optional<int> precision;
    if (at < pattern.size() && pattern[at] == '.') {
      ++at;
      precision = static_cast<int>(readNumber());
    }
    if (at >= pattern.size())
      return valueError("incomplete format");
    char type = pattern[at];
    if (type == '%') {
      out += '%';
      continue;
    }
    if (std::string_view("sracdiuxXoeEfFgG").find(type) == std::string_view::npos) {
      char code[8];
      std::snprintf(code, sizeof code, "0x%x", static_cast<unsigned char>(type));
      return valueError(std::string("unsupported format character '") + type + "' (" + code +
                        ") at index " + std::to_string(at));
    }
    ValueOrError value = named ? ValueOrError(*named) : take();
    if (!value)
      return value.error();
    OrError<std::string> text = convertPercent(type, flags, width, precision, *value);
    if (!text)
      return text;
    out += *text;
  }
  if (next < numArguments && !arguments.isDict())
    return typeError("not all arguments converted during string formatting");
  return out;
}

} // namespace tilescope::compiler::constant
