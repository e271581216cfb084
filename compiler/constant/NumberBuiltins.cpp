// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/constant/NumberBuiltins.h"

#include "compiler/constant/Internal.h"
#include "compiler/constant/Operators.h"
#include "compiler/support/Text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace tilescope::compiler::constant {

using ast::BinaryOpKind;
using Items = Value::Items;

ValueOrError callInt(const Items &args, const Keywords &keywords) {
  if (args.empty())
    return Value::integer(0);
  std::optional<Value> base = findKeyword(keywords, "base");
  if (args.size() > 1)
    base = args[1];
  if (args[0].isStr()) {
    int64_t radix = base ? base->toInt64().value_or(-1) : 10;
    if (radix != 0 && (radix < 2 || radix > 36))
      return valueError("int() base must be >= 2 and <= 36, or 0");
    std::optional<Int> number = Int::parse(args[0].str(), static_cast<int>(radix));
    if (!number)
      return valueError("invalid literal for int() with base " + std::to_string(radix) + ": " +
                        repr(args[0]));
    return Value::integer(*number);
  }
  if (base)
    return typeError("int() can't convert non-string with explicit base");
  if (isIntegral(args[0]))
    return Value::integer(args[0].integer());
  if (!args[0].isFloat())
    return typeError("int() argument must be a string, a bytes-like object or a real number, not " +
                     quotedType(args[0]));
  double value = args[0].real();
  if (std::isnan(value))
    return valueError("cannot convert float NaN to integer");
  if (std::isinf(value))
    return overflow("cannot convert float infinity to integer");
  return Value::integer(*Int::fromDouble(value));
}

static std::optional<double> parseFloat(std::string_view text) {
  text = trimmed(text);
  bool negative = text.starts_with('-');
  if (negative || text.starts_with('+'))
    text.remove_prefix(1);
  std::string lower;
  for (char c : text)
    if (c != '_')
      lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  double value = 0;
  if (lower == "inf" || lower == "infinity") {
    value = std::numeric_limits<double>::infinity();
  } else if (lower == "nan") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else {
    bool startsWell =
        !lower.empty() && (std::isdigit(static_cast<unsigned char>(lower[0])) || lower[0] == '.');
    auto [end, error] = std::from_chars(lower.data(), lower.data() + lower.size(), value);
    if (!startsWell || end != lower.data() + lower.size() || error == std::errc::invalid_argument)
      return std::nullopt;
    if (error == std::errc::result_out_of_range)
      value = lower.find("e-") != std::string::npos ? 0 : std::numeric_limits<double>::infinity();
  }
  return negative ? -value : value;
}

ValueOrError callFloat(const Items &args) {
  if (args.empty())
    return Value::real(0);
  if (args[0].isStr()) {
    std::optional<double> number = parseFloat(args[0].str());
    if (!number)
      return valueError("could not convert string to float: " + repr(args[0]));
    return Value::real(*number);
  }
  if (!args[0].isNumber())
    return typeError("float() argument must be a string or a real number, not " +
                     quotedType(args[0]));
  OrError<double> number = toDouble(args[0]);
  if (!number)
    return number.error();
  return Value::real(*number);
}

ValueOrError callRound(const Items &args, const Keywords &keywords) {
  const Value &value = args[0];
  if (!value.isNumber())
    return typeError("type " + value.typeName() + " doesn't define __round__ method");
  Value digits = args.size() > 1 ? args[1] : findKeyword(keywords, "ndigits").value_or(Value());
  if (!digits.isNone() && !isIntegral(digits))
    return typeError(quotedType(digits) + " object cannot be interpreted as an integer");
  if (isIntegral(value)) {
    int64_t places = digits.isNone() ? 0 : digits.toInt64().value_or(0);
    if (places >= 0)
      return Value::integer(value.integer());
    std::optional<Int> unit = Int::pow(Int(10), Int(-places));
    if (!unit)
      return Value::integer(0);
    // Half to even, in units of a power of ten.
    Int number = value.integer();
    Int quotient = Int::floorDiv(number, *unit), rest = Int::mod(number, *unit);
    Int twice = rest + rest;
    bool odd = !Int::mod(quotient, Int(2)).isZero();
    if (twice > *unit || (twice == *unit && odd))
      quotient = quotient + Int(1);
    return Value::integer(quotient * *unit);
  }
  double number = value.real();
  if (digits.isNone()) {
    if (!std::isfinite(number))
      return callInt({value}, {});
    return Value::integer(*Int::fromDouble(std::nearbyint(number)));
  }
  if (!std::isfinite(number))
    return value;
  int64_t places = std::clamp<int64_t>(digits.toInt64().value_or(0), -400, 400);
  if (places >= 0) {
    // Decimal digits are correctly rounded by the printer; reading them back is what Python does.
    OrError<std::string> text = format(value, "." + std::to_string(places) + "f");
    if (!text)
      return text.error();
    return callFloat({Value::string(*text)});
  }
  double unit = std::pow(10.0, static_cast<double>(-places));
  return Value::real(std::isinf(unit) ? 0.0 : std::nearbyint(number / unit) * unit);
}

/// Bits of the exponent times bits of the modulus.
static constexpr int64_t kMaxPowerWork = 10'000'000;

ValueOrError callPow(const Items &args) {
  if (args.size() == 2)
    return applyBinary(BinaryOpKind::Pow, args[0], args[1]);
  for (const Value &arg : args)
    if (!isIntegral(arg))
      return typeError("pow() 3rd argument not allowed unless all arguments are integers");
  Int base = args[0].integer(), exponent = args[1].integer(), modulus = args[2].integer();
  if (modulus.isZero())
    return valueError("pow() 3rd argument cannot be 0");
  if (exponent.bitLength() * modulus.bitLength() > kMaxPowerWork)
    return tooLarge();
  if (exponent.isNegative())
    return valueError("pow() with a negative exponent and a modulus is not supported here");
  Int result = Int::mod(Int(1), modulus);
  base = Int::mod(base, modulus);
  for (; !exponent.isZero(); exponent = Int::shiftRight(exponent, Int(1))) {
    if (!(exponent & Int(1)).isZero())
      result = Int::mod(result * base, modulus);
    base = Int::mod(base * base, modulus);
  }
  return Value::integer(result);
}

ValueOrError callDivMod(const Items &args) {
  bool isFloat = args[0].isFloat() || args[1].isFloat();
  if (args[0].isNumber() && args[1].isNumber() && isFloat && !truth(args[1]))
    return zeroDivision("float divmod()");
  ValueOrError quotient = applyBinary(BinaryOpKind::FloorDiv, args[0], args[1]);
  if (!quotient)
    return quotient;
  ValueOrError remainder = applyBinary(BinaryOpKind::Mod, args[0], args[1]);
  if (!remainder)
    return remainder;
  return Value::tuple({*quotient, *remainder});
}

ValueOrError callBase(const Value &value, int base, const char *prefix) {
  if (!isIntegral(value))
    return typeError(quotedType(value) + " object cannot be interpreted as an integer");
  Int number = value.integer();
  Int magnitude = number.isNegative() ? -number : number;
  return Value::string((number.isNegative() ? "-" : "") + (prefix + magnitude.toString(base)));
}

ValueOrError callAbs(const Value &value) {
  if (isIntegral(value)) {
    Int number = value.integer();
    return Value::integer(number.isNegative() ? -number : number);
  }
  if (value.isFloat())
    return Value::real(std::abs(value.real()));
  return typeError("bad operand type for abs(): " + quotedType(value));
}

} // namespace tilescope::compiler::constant
