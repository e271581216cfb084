// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// repr, str and format. `%` is in PercentFormat.cpp.
#include "compiler/constant/FormatSpec.h"
#include "compiler/constant/Internal.h"
#include "compiler/constant/Operators.h"
#include "compiler/syntax/PythonText.h"

#include <cmath>
#include <cstdio>

namespace tilescope::compiler::constant {

using Kind = Value::Kind;

static std::string joinRepr(const Value::Items &items) {
  std::string text;
  for (const Value &item : items)
    text += (text.empty() ? "" : ", ") + repr(item);
  return text;
}

std::string repr(const Value &value) {
  switch (value.kind()) {
  case Kind::None:
    return "None";
  case Kind::Bool:
    return value.boolean() ? "True" : "False";
  case Kind::Int:
    return value.integer().toString();
  case Kind::Float:
    return pythonRepr(value.real());
  case Kind::Str:
    return pythonRepr(std::string_view(value.str()));
  case Kind::Tuple:
    return "(" + joinRepr(value.items()) + (value.items().size() == 1 ? ",)" : ")");
  case Kind::List:
    return "[" + joinRepr(value.items()) + "]";
  case Kind::Set:
    return value.items().empty() ? "set()" : "{" + joinRepr(value.items()) + "}";
  case Kind::Dict: {
    std::string text;
    for (const auto &entry : value.entries())
      text += (text.empty() ? "" : ", ") + repr(entry.first) + ": " + repr(entry.second);
    return "{" + text + "}";
  }
  case Kind::Slice:
    return "slice(" + joinRepr(value.items()) + ")";
  case Kind::Ellipsis:
    return "Ellipsis";
  case Kind::DType:
    return value.dtype().name();
  case Kind::Builtin:
    return "<built-in function " + value.str() + ">";
  case Kind::Extension:
    return value.extension().repr();
  }
  return {};
}

std::string str(const Value &value) { return value.isStr() ? value.str() : repr(value); }

static bool isAlign(char32_t c) { return c == '<' || c == '>' || c == '=' || c == '^'; }

static OrError<FormatSpec> parseSpec(std::string_view text, const Value &value) {
  std::u32string spec = codePoints(text);
  FormatSpec result;
  size_t at = 0;
  auto peek = [&](size_t ahead = 0) { return at + ahead < spec.size() ? spec[at + ahead] : U'\0'; };
  auto readNumber = [&]() -> std::optional<int64_t> {
    if (peek() < '0' || peek() > '9')
      return std::nullopt;
    int64_t number = 0;
    for (; peek() >= '0' && peek() <= '9'; ++at)
      number = std::min<int64_t>(number * 10 + (peek() - '0'), kMaxWidth + 1);
    return number;
  };
  if (spec.size() > 1 && isAlign(spec[1])) {
    result.fill = spec[0];
    result.align = static_cast<char>(spec[1]);
    at = 2;
  } else if (isAlign(peek())) {
    result.align = static_cast<char>(spec[at++]);
  }
  if (peek() == '+' || peek() == '-' || peek() == ' ')
    result.sign = static_cast<char>(spec[at++]);
  if (peek() == 'z')
    ++at;
  if (peek() == '#') {
    result.alternate = true;
    ++at;
  }
  if (peek() == '0' && !result.align) {
    if (!value.isStr())
      result.align = '=';
    result.fill = '0';
    ++at;
  }
  result.width = readNumber().value_or(0);
  if (peek() == ',' || peek() == '_')
    result.grouping = static_cast<char>(spec[at++]);
  if (peek() == '.') {
    ++at;
    std::optional<int64_t> precision = readNumber();
    if (!precision)
      return valueError("Format specifier missing precision");
    result.precision = static_cast<int>(*precision);
  }
  if (at < spec.size())
    result.type = static_cast<char>(spec[at++]);
  if (at < spec.size())
    return valueError("Invalid format specifier '" + std::string(text) + "' for object of type '" +
                      value.typeName() + "'");
  if (result.width > kMaxWidth || result.precision.value_or(0) > kMaxWidth)
    return tooLarge();
  return result;
}

static std::string pad(const std::string &prefix, const std::string &body, const FormatSpec &spec,
                       char defaultAlign) {
  int64_t length = static_cast<int64_t>(codePoints(prefix).size() + codePoints(body).size());
  int64_t missing = std::max<int64_t>(0, spec.width - length);
  char align = spec.align ? spec.align : defaultAlign;
  int64_t left = align == '>' ? missing : align == '^' ? missing / 2 : 0;
  int64_t middle = align == '=' ? missing : 0;
  auto fill = [&](int64_t count) {
    return fromCodePoints(std::u32string(static_cast<size_t>(count), spec.fill));
  };
  return fill(left) + prefix + fill(middle) + body + fill(missing - left - middle);
}

/// Separates the digits before the point; with `0` filling, the zeros are grouped too.
static std::string group(std::string digits, const FormatSpec &spec, size_t prefixLength) {
  if (!spec.grouping)
    return digits;
  size_t every = spec.grouping == '_' && (spec.type == 'x' || spec.type == 'X' ||
                                          spec.type == 'b' || spec.type == 'o')
                     ? 4
                     : 3;
  size_t wholeEnd = digits.find_first_not_of("0123456789abcdefABCDEF");
  if (spec.type != 'x' && spec.type != 'X')
    wholeEnd = digits.find_first_not_of("0123456789");
  std::string whole = digits.substr(0, wholeEnd);
  std::string rest = wholeEnd == std::string::npos ? "" : digits.substr(wholeEnd);
  auto grouped = [&](const std::string &plain) {
    std::string result;
    for (size_t i = 0; i < plain.size(); ++i) {
      if (i > 0 && (plain.size() - i) % every == 0)
        result += spec.grouping;
      result += plain[i];
    }
    return result;
  };
  std::string result = grouped(whole);
  bool zeroFilled = spec.fill == '0' && spec.align == '=';
  while (zeroFilled &&
         static_cast<int64_t>(prefixLength + result.size() + rest.size()) < spec.width) {
    whole.insert(whole.begin(), '0');
    result = grouped(whole);
  }
  return result + rest;
}

static std::string signText(bool negative, char sign) {
  return negative ? "-" : sign == '+' ? "+" : sign == ' ' ? " " : "";
}

OrError<std::string> formatInt(const Int &value, const FormatSpec &spec) {
  std::string prefix = signText(value.isNegative(), spec.sign);
  if (spec.precision)
    return valueError("Precision not allowed in integer format specifier");
  int base = spec.type == 'x' || spec.type == 'X' ? 16
             : spec.type == 'o'                   ? 8
             : spec.type == 'b'                   ? 2
                                                  : 10;
  if (spec.alternate && base != 10)
    prefix += std::string("0") + spec.type;
  std::string digits = (value.isNegative() ? -value : value).toString(base);
  if (spec.type == 'X')
    for (char &c : digits)
      c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return pad(prefix, group(digits, spec, prefix.size()), spec, '>');
}

static std::string printFloat(double value, char type, int precision, bool alternate) {
  char format[8];
  std::snprintf(format, sizeof format, alternate ? "%%#.*%c" : "%%.*%c", type);
  int size = std::snprintf(nullptr, 0, format, precision, value);
  std::string text(size + 1, '\0');
  std::snprintf(text.data(), text.size(), format, precision, value);
  text.resize(size);
  return text;
}

OrError<std::string> formatFloat(double value, FormatSpec spec) {
  bool isPercent = spec.type == '%';
  if (isPercent)
    value *= 100;
  std::string prefix = signText(std::signbit(value) && !std::isnan(value), spec.sign);
  double magnitude = std::abs(value);
  std::string digits;
  if (!std::isfinite(value)) {
    digits = std::isnan(value) ? "nan" : "inf";
    if (spec.type == 'F' || spec.type == 'E' || spec.type == 'G')
      digits = std::isnan(value) ? "NAN" : "INF";
  } else if (spec.type == '\0' && !spec.precision) {
    digits = pythonRepr(magnitude);
  } else if (spec.type == '\0') {
    int precision = std::max(1, *spec.precision);
    digits = printFloat(magnitude, 'g', precision, spec.alternate);
    // Like `g`, but one digit follows the point, and the exponent starts one earlier.
    if (digits.find('e') == std::string::npos && digits.find('.') == std::string::npos) {
      if (static_cast<int>(digits.size()) >= precision)
        digits = printFloat(magnitude, 'e', precision - 1, spec.alternate);
      else
        digits += ".0";
    }
  } else {
    char type = isPercent || spec.type == 'n' ? (isPercent ? 'f' : 'g') : spec.type;
    static constexpr int kDefaultPrecision = 6;
    digits =
        printFloat(magnitude, type, spec.precision.value_or(kDefaultPrecision), spec.alternate);
  }
  if (isPercent)
    digits += '%';
  return pad(prefix, group(digits, spec, prefix.size()), spec, '>');
}

OrError<std::string> formatStr(const std::string &text, const FormatSpec &spec) {
  if (spec.sign != '-')
    return valueError("Sign not allowed in string format specifier");
  if (spec.align == '=')
    return valueError("'=' alignment not allowed in string format specifier");
  std::string body = text;
  if (spec.precision) {
    std::u32string points = codePoints(text);
    body = fromCodePoints(points.substr(0, *spec.precision));
  }
  return pad("", body, spec, '<');
}

static PythonError unknownCode(const FormatSpec &spec, const Value &value) {
  return valueError(std::string("Unknown format code '") + spec.type + "' for object of type '" +
                    value.typeName() + "'");
}

OrError<std::string> format(const Value &value, std::string_view text) {
  if (text.empty())
    return str(value);
  if (!value.isStr() && !value.isNumber())
    return typeError("unsupported format string passed to " + value.typeName() + ".__format__");
  OrError<FormatSpec> spec = parseSpec(text, value);
  if (!spec)
    return spec.error();
  static constexpr std::string_view kFloatTypes = "eEfFgG%";
  char type = spec->type;
  bool isFloatType = type && kFloatTypes.find(type) != std::string_view::npos;
  if (value.isStr()) {
    if (type && type != 's')
      return unknownCode(*spec, value);
    return formatStr(value.str(), *spec);
  }
  if (value.isFloat()) {
    if (type && !isFloatType && type != 'n')
      return unknownCode(*spec, value);
    return formatFloat(value.real(), *spec);
  }
  if (isFloatType) {
    OrError<double> number = toDouble(value);
    if (!number)
      return number.error();
    return formatFloat(*number, *spec);
  }
  if (type == 'c') {
    std::string character;
    appendUtf8(character, static_cast<char32_t>(value.toInt64().value_or(0xFFFD)));
    FormatSpec plain = *spec;
    return pad("", character, plain, '<');
  }
  if (type && type != 'd' && type != 'x' && type != 'X' && type != 'o' && type != 'b' &&
      type != 'n')
    return unknownCode(*spec, value);
  return formatInt(value.integer(), *spec);
}

} // namespace tilescope::compiler::constant
