// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Arithmetic. Comparison and sequences are in Sequences.cpp, text in Format.cpp.
#include "compiler/constant/Operators.h"

#include "compiler/constant/Internal.h"

#include <cmath>

namespace tilescope::compiler::constant {

using ast::BinaryOpKind;
using ast::UnaryOpKind;

OrError<double> toDouble(const Value &value) {
  if (value.isFloat())
    return value.real();
  if (std::optional<double> number = value.integer().toDouble())
    return *number;
  return overflow("int too large to convert to float");
}

static PythonError unsupported(BinaryOpKind op, const Value &left, const Value &right) {
  std::string text(ast::opText(op));
  if (op == BinaryOpKind::Pow)
    text = "** or pow()";
  return typeError("unsupported operand type(s) for " + text + ": " + quotedType(left) + " and " +
                       quotedType(right),
                   Need::Nothing, {&left, &right});
}

ValueOrError applyUnary(UnaryOpKind op, const Value &operand) {
  if (op == UnaryOpKind::Not)
    return Value::boolean(!truth(operand));
  if (isIntegral(operand)) {
    Int value = operand.integer();
    switch (op) {
    case UnaryOpKind::USub:
      return Value::integer(-value);
    case UnaryOpKind::Invert:
      return Value::integer(~value);
    default:
      return Value::integer(value);
    }
  }
  if (operand.isFloat() && op != UnaryOpKind::Invert)
    return Value::real(op == UnaryOpKind::USub ? -operand.real() : operand.real());
  return typeError("bad operand type for unary " + std::string(ast::opText(op)) + ": " +
                       quotedType(operand),
                   Need::Nothing, {&operand});
}

static ValueOrError intPower(const Int &base, const Int &exponent) {
  if (!exponent.isNegative()) {
    if (std::optional<Int> result = Int::pow(base, exponent))
      return Value::integer(*result);
    return tooLarge();
  }
  if (base.isZero())
    return zeroDivision("0.0 cannot be raised to a negative power");
  std::optional<double> a = base.toDouble(), b = exponent.toDouble();
  if (!a || !b)
    return overflow("int too large to convert to float");
  return Value::real(std::pow(*a, *b));
}

static ValueOrError intBinary(BinaryOpKind op, const Value &left, const Value &right) {
  Int a = left.integer(), b = right.integer();
  switch (op) {
  case BinaryOpKind::Add:
    return Value::integer(a + b);
  case BinaryOpKind::Sub:
    return Value::integer(a - b);
  case BinaryOpKind::Mult:
    if (!a.toInt64() && !b.toInt64() && a.bitLength() + b.bitLength() > kMaxIntBits)
      return tooLarge();
    return Value::integer(a * b);
  case BinaryOpKind::Div: {
    if (b.isZero())
      return zeroDivision("division by zero");
    std::optional<double> quotient = Int::trueDiv(a, b);
    if (!quotient)
      return overflow("integer division result too large for a float");
    return Value::real(*quotient);
  }
  case BinaryOpKind::FloorDiv:
    if (b.isZero())
      return zeroDivision("integer division or modulo by zero");
    return Value::integer(Int::floorDiv(a, b));
  case BinaryOpKind::Mod:
    if (b.isZero())
      return zeroDivision("integer modulo by zero");
    return Value::integer(Int::mod(a, b));
  case BinaryOpKind::Pow:
    return intPower(a, b);
  case BinaryOpKind::LShift: {
    if (b.isNegative())
      return valueError("negative shift count");
    std::optional<Int> shifted = Int::shiftLeft(a, b);
    if (!shifted)
      return tooLarge();
    return Value::integer(*shifted);
  }
  case BinaryOpKind::RShift:
    if (b.isNegative())
      return valueError("negative shift count");
    return Value::integer(Int::shiftRight(a, b));
  case BinaryOpKind::BitAnd:
  case BinaryOpKind::BitOr:
  case BinaryOpKind::BitXor: {
    Int result = op == BinaryOpKind::BitAnd ? a & b : op == BinaryOpKind::BitOr ? a | b : a ^ b;
    if (left.isBool() && right.isBool())
      return Value::boolean(!result.isZero());
    return Value::integer(result);
  }
  case BinaryOpKind::MatMult:
    break;
  }
  return unsupported(op, left, right);
}

/// The remainder with the divisor's sign, and the floored quotient that belongs to it.
static std::pair<double, double> floatDivMod(double a, double b) {
  double mod = std::fmod(a, b);
  double div = (a - mod) / b;
  if (mod != 0) {
    if ((b < 0) != (mod < 0)) {
      mod += b;
      div -= 1;
    }
  } else {
    mod = std::copysign(0.0, b);
  }
  double floored = div != 0 ? std::floor(div) : std::copysign(0.0, a / b);
  if (div != 0 && div - floored > 0.5)
    floored += 1;
  return {floored, mod};
}

static ValueOrError floatPower(double a, double b) {
  if (a == 0 && b < 0)
    return zeroDivision("0.0 cannot be raised to a negative power");
  if (a < 0 && std::isfinite(a) && std::isfinite(b) && b != std::floor(b))
    return valueError("the result is complex, which kernels do not have");
  double result = std::pow(a, b);
  if (std::isinf(result) && std::isfinite(a) && std::isfinite(b))
    return overflow("(34, 'Numerical result out of range')");
  return Value::real(result);
}

static ValueOrError floatBinary(BinaryOpKind op, const Value &left, const Value &right) {
  OrError<double> leftNumber = toDouble(left);
  if (!leftNumber)
    return leftNumber.error();
  OrError<double> rightNumber = toDouble(right);
  if (!rightNumber)
    return rightNumber.error();
  double a = *leftNumber, b = *rightNumber;
  switch (op) {
  case BinaryOpKind::Add:
    return Value::real(a + b);
  case BinaryOpKind::Sub:
    return Value::real(a - b);
  case BinaryOpKind::Mult:
    return Value::real(a * b);
  case BinaryOpKind::Div:
    if (b == 0)
      return zeroDivision("float division by zero");
    return Value::real(a / b);
  case BinaryOpKind::FloorDiv:
    if (b == 0)
      return zeroDivision("float floor division by zero");
    return Value::real(floatDivMod(a, b).first);
  case BinaryOpKind::Mod:
    if (b == 0)
      return zeroDivision("float modulo by zero");
    return Value::real(floatDivMod(a, b).second);
  case BinaryOpKind::Pow:
    return floatPower(a, b);
  default:
    return unsupported(op, left, right);
  }
}

static ValueOrError repeat(const Value &sequence, const Value &count) {
  if (!isIntegral(count))
    return typeError("can't multiply sequence by non-int of type " + quotedType(count));
  bool isNegative = count.integer().isNegative();
  std::optional<int64_t> times = isNegative ? 0 : count.integer().toInt64();
  int64_t size = sequence.isStr() ? sequence.str().size() : sequence.items().size();
  if (!times || (size > 0 && *times > kMaxElements / size))
    return tooLarge();
  if (sequence.isStr()) {
    std::string text;
    text.reserve(size * *times);
    for (int64_t i = 0; i < *times && size > 0; ++i)
      text += sequence.str();
    return Value::string(std::move(text));
  }
  Value::Items items;
  items.reserve(size * *times);
  for (int64_t i = 0; i < *times && size > 0; ++i)
    items.insert(items.end(), sequence.items().begin(), sequence.items().end());
  return sequence.isTuple() ? Value::tuple(std::move(items)) : Value::list(std::move(items));
}

static ValueOrError concatenate(const Value &left, const Value &right) {
  if (left.kind() != right.kind())
    return typeError("can only concatenate " + left.typeName() + " (not \"" + right.typeName() +
                     "\") to " + left.typeName());
  if (left.isStr())
    return Value::string(left.str() + right.str());
  Value::Items items = left.items();
  items.insert(items.end(), right.items().begin(), right.items().end());
  return left.isTuple() ? Value::tuple(std::move(items)) : Value::list(std::move(items));
}

/// `|`, `&`, `-`, `^` of sets.
static ValueOrError setBinary(BinaryOpKind op, const Value &left, const Value &right) {
  auto holds = [](const Value &set, const Value &item) {
    for (const Value &other : set.items())
      if (equal(item, other))
        return true;
    return false;
  };
  Value::Items items;
  for (const Value &item : left.items())
    if (op == BinaryOpKind::BitOr || holds(right, item) == (op == BinaryOpKind::BitAnd))
      items.push_back(item);
  if (op == BinaryOpKind::BitOr || op == BinaryOpKind::BitXor)
    for (const Value &item : right.items())
      if (!holds(left, item))
        items.push_back(item);
  return Value::set(std::move(items));
}

ValueOrError applyBinary(BinaryOpKind op, const Value &left, const Value &right) {
  if (isIntegral(left) && isIntegral(right))
    return intBinary(op, left, right);
  if (left.isNumber() && right.isNumber())
    return floatBinary(op, left, right);
  auto isRepeatable = [](const Value &value) { return value.isStr() || value.isSequence(); };
  switch (op) {
  case BinaryOpKind::Add:
    if (isRepeatable(left))
      return concatenate(left, right);
    break;
  case BinaryOpKind::Mult:
    if (isRepeatable(left))
      return repeat(left, right);
    if (isRepeatable(right))
      return repeat(right, left);
    break;
  case BinaryOpKind::Mod:
    if (left.isStr()) {
      OrError<std::string> text = formatPercent(left.str(), right);
      if (!text)
        return text.error();
      return Value::string(*text);
    }
    break;
  case BinaryOpKind::BitOr:
    if (left.isDict() && right.isDict()) {
      Value::Entries entries = left.entries();
      entries.insert(entries.end(), right.entries().begin(), right.entries().end());
      return Value::dict(std::move(entries));
    }
    [[fallthrough]];
  case BinaryOpKind::BitAnd:
  case BinaryOpKind::BitXor:
  case BinaryOpKind::Sub:
    if (left.kind() == Value::Kind::Set && right.kind() == Value::Kind::Set)
      return setBinary(op, left, right);
    break;
  default:
    break;
  }
  return unsupported(op, left, right);
}

} // namespace tilescope::compiler::constant
