// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/constant/Int.h"

#include "compiler/constant/BigInt.h"
#include "compiler/constant/Internal.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilescope::compiler::constant {

using boost::multiprecision::cpp_int;

static cpp_int toBig(const Int &value) { return value.big().value; }

static Int fromBigValue(cpp_int value) { return Int::fromBig(BigInt{std::move(value)}); }

Int Int::fromBig(BigInt big) {
  static const cpp_int kMin = std::numeric_limits<int64_t>::min();
  static const cpp_int kMax = std::numeric_limits<int64_t>::max();
  if (big.value >= kMin && big.value <= kMax)
    return Int(static_cast<int64_t>(big.value));
  Int result;
  result.m_big = std::make_shared<const BigInt>(std::move(big));
  return result;
}

Int Int::fromUint64(uint64_t value) { return fromBigValue(cpp_int(value)); }

BigInt Int::big() const { return m_big ? *m_big : BigInt{cpp_int(m_small)}; }

static int digitValue(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'z' ? lower - 'a' + 10 : 99;
}

/// More decimal digits than these are refused, as Python does: reading them takes time that grows
/// with the square of their number.
static constexpr size_t kMaxDecimalDigits = 4300;

/// Digits with single underscores between them; `text` has no sign and no prefix.
static std::optional<Int> readDigits(std::string_view text, int base) {
  if (text.empty() || text.size() > (base == 10 ? kMaxDecimalDigits : kMaxIntBits))
    return std::nullopt;
  cpp_int value = 0;
  int64_t small = 0;
  bool isSmall = true, lastWasDigit = false;
  for (char c : text) {
    if (c == '_' && lastWasDigit) {
      lastWasDigit = false;
      continue;
    }
    int digit = digitValue(c);
    if (digit >= base)
      return std::nullopt;
    lastWasDigit = true;
    if (isSmall && small < (std::numeric_limits<int64_t>::max() - base) / base) {
      small = small * base + digit;
      continue;
    }
    if (isSmall) {
      value = small;
      isSmall = false;
    }
    value = value * base + digit;
  }
  if (!lastWasDigit)
    return std::nullopt;
  return isSmall ? Int(small) : fromBigValue(std::move(value));
}

static int prefixBase(std::string_view text) {
  if (text.size() < 2 || text[0] != '0')
    return 0;
  switch (text[1] | 0x20) {
  case 'x':
    return 16;
  case 'o':
    return 8;
  case 'b':
    return 2;
  default:
    return 0;
  }
}

std::optional<Int> Int::fromLiteral(std::string_view text) {
  int base = prefixBase(text);
  return base ? readDigits(text.substr(2), base) : readDigits(text, 10);
}

std::optional<Int> Int::parse(std::string_view text, int base) {
  static constexpr std::string_view kSpace = " \t\n\r\f\v";
  size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos)
    return std::nullopt;
  text = text.substr(first, text.find_last_not_of(kSpace) - first + 1);
  bool negative = text[0] == '-';
  if (negative || text[0] == '+')
    text.remove_prefix(1);
  int prefix = prefixBase(text);
  if (prefix && (base == 0 || base == prefix)) {
    base = prefix;
    text.remove_prefix(2);
    if (!text.empty() && text[0] == '_')
      text.remove_prefix(1);
  } else if (base == 0) {
    base = 10;
    if (text.size() > 1 && text[0] == '0' && text.find_first_not_of("0_") != std::string_view::npos)
      return std::nullopt;
  }
  std::optional<Int> value = readDigits(text, base);
  return value && negative ? -*value : value;
}

std::optional<Int> Int::fromDouble(double value) {
  if (!std::isfinite(value))
    return std::nullopt;
  value = std::trunc(value);
  if (std::abs(value) < 9.0e18)
    return Int(static_cast<int64_t>(value));
  return fromBigValue(cpp_int(value));
}

bool Int::isNegative() const { return m_big ? m_big->value < 0 : m_small < 0; }

std::optional<int64_t> Int::toInt64() const {
  if (m_big)
    return std::nullopt;
  return m_small;
}

std::optional<uint64_t> Int::toUint64() const {
  if (!m_big)
    return m_small < 0 ? std::nullopt : std::optional<uint64_t>(m_small);
  if (m_big->value < 0 || m_big->value > cpp_int(std::numeric_limits<uint64_t>::max()))
    return std::nullopt;
  return static_cast<uint64_t>(m_big->value);
}

std::optional<double> Int::toDouble() const {
  if (!m_big)
    return static_cast<double>(m_small);
  return trueDiv(*this, Int(1));
}

std::string Int::toString(int base) const {
  cpp_int value = toBig(*this);
  bool negative = value < 0;
  if (negative)
    value = -value;
  std::string digits;
  if (base == 10) {
    digits = value.str();
  } else {
    static constexpr char kDigits[] = "0123456789abcdef";
    int shift = base == 16 ? 4 : base == 8 ? 3 : 1;
    do {
      digits += kDigits[static_cast<int>(value & (base - 1))];
      value >>= shift;
    } while (value != 0);
    std::reverse(digits.begin(), digits.end());
  }
  return negative ? "-" + digits : digits;
}

int64_t Int::bitLength() const {
  cpp_int value = abs(toBig(*this));
  return value == 0 ? 0 : static_cast<int64_t>(msb(value)) + 1;
}

std::strong_ordering operator<=>(const Int &a, const Int &b) {
  if (!a.m_big && !b.m_big)
    return a.m_small <=> b.m_small;
  int order = toBig(a).compare(toBig(b));
  return order <=> 0;
}

Int operator+(const Int &a, const Int &b) {
  int64_t result;
  if (!a.m_big && !b.m_big && !__builtin_add_overflow(a.m_small, b.m_small, &result))
    return result;
  return fromBigValue(toBig(a) + toBig(b));
}

Int operator-(const Int &a, const Int &b) {
  int64_t result;
  if (!a.m_big && !b.m_big && !__builtin_sub_overflow(a.m_small, b.m_small, &result))
    return result;
  return fromBigValue(toBig(a) - toBig(b));
}

Int operator*(const Int &a, const Int &b) {
  int64_t result;
  if (!a.m_big && !b.m_big && !__builtin_mul_overflow(a.m_small, b.m_small, &result))
    return result;
  return fromBigValue(toBig(a) * toBig(b));
}

Int operator-(const Int &a) { return Int(0) - a; }
Int operator~(const Int &a) { return Int(-1) - a; }

/// Bitwise operators on two's complement of enough bits, since the big type only knows magnitudes.
template <typename Op> static Int bitwise(const Int &a, const Int &b, Op op) {
  cpp_int modulus = cpp_int(1) << (std::max(a.bitLength(), b.bitLength()) + 1);
  auto wrap = [&](const Int &value) {
    cpp_int big = toBig(value);
    return big < 0 ? cpp_int(big + modulus) : big;
  };
  cpp_int result = op(wrap(a), wrap(b));
  if (result >= modulus / 2)
    result -= modulus;
  return fromBigValue(std::move(result));
}

Int operator&(const Int &a, const Int &b) {
  if (!a.m_big && !b.m_big)
    return a.m_small & b.m_small;
  return bitwise(a, b, [](const cpp_int &x, const cpp_int &y) { return cpp_int(x & y); });
}
Int operator|(const Int &a, const Int &b) {
  if (!a.m_big && !b.m_big)
    return a.m_small | b.m_small;
  return bitwise(a, b, [](const cpp_int &x, const cpp_int &y) { return cpp_int(x | y); });
}
Int operator^(const Int &a, const Int &b) {
  if (!a.m_big && !b.m_big)
    return a.m_small ^ b.m_small;
  return bitwise(a, b, [](const cpp_int &x, const cpp_int &y) { return cpp_int(x ^ y); });
}

Int Int::floorDiv(const Int &a, const Int &b) {
  bool overflows = a.m_small == std::numeric_limits<int64_t>::min() && b.m_small == -1;
  if (!a.m_big && !b.m_big && !overflows) {
    int64_t quotient = a.m_small / b.m_small;
    bool inexact = a.m_small % b.m_small != 0;
    return inexact && (a.m_small < 0) != (b.m_small < 0) ? quotient - 1 : quotient;
  }
  cpp_int quotient, remainder;
  divide_qr(toBig(a), toBig(b), quotient, remainder);
  if (remainder != 0 && (remainder < 0) != b.isNegative())
    quotient -= 1;
  return fromBigValue(std::move(quotient));
}

Int Int::mod(const Int &a, const Int &b) { return a - floorDiv(a, b) * b; }

std::optional<Int> Int::pow(const Int &base, const Int &exponent) {
  if (exponent.isZero())
    return Int(1);
  if (base == Int(0) || base == Int(1))
    return base;
  if (base == Int(-1))
    return mod(exponent, Int(2)).isZero() ? Int(1) : base;
  std::optional<int64_t> count = exponent.toInt64();
  if (!count || *count > kMaxIntBits || base.bitLength() * *count > kMaxIntBits)
    return std::nullopt;
  return fromBigValue(boost::multiprecision::pow(toBig(base), static_cast<unsigned>(*count)));
}

std::optional<Int> Int::shiftLeft(const Int &a, const Int &count) {
  if (a.isZero())
    return Int(0);
  std::optional<int64_t> bits = count.toInt64();
  if (!bits || *bits > kMaxIntBits || a.bitLength() + *bits > kMaxIntBits)
    return std::nullopt;
  cpp_int magnitude = abs(toBig(a)) << static_cast<unsigned>(*bits);
  return fromBigValue(a.isNegative() ? cpp_int(-magnitude) : magnitude);
}

Int Int::shiftRight(const Int &a, const Int &count) {
  std::optional<int64_t> bits = count.toInt64();
  if (!bits || *bits >= a.bitLength())
    return a.isNegative() ? Int(-1) : Int(0);
  if (!a.m_big)
    return a.m_small >> *bits;
  return floorDiv(a, fromBigValue(cpp_int(1) << static_cast<unsigned>(*bits)));
}

/// The quotient with enough bits that rounding it once more to a double's precision is exact: a
/// double's 53 bits, one to round, and a sticky bit for what was cut off.
std::optional<double> Int::trueDiv(const Int &a, const Int &b) {
  if (a.isZero())
    return b.isNegative() ? -0.0 : 0.0;
  cpp_int numerator = abs(toBig(a)), denominator = abs(toBig(b));
  bool negative = a.isNegative() != b.isNegative();
  static constexpr int64_t kBits = 66;
  int64_t shift = kBits - (a.bitLength() - b.bitLength());
  // Results below the smallest normal number have fewer bits to round to.
  static constexpr int64_t kMaxShift = 1074 + 2;
  if (shift > kMaxShift)
    shift = kMaxShift;
  if (shift > 0)
    numerator <<= static_cast<unsigned>(shift);
  else
    denominator <<= static_cast<unsigned>(-shift);
  cpp_int quotient, remainder;
  divide_qr(numerator, denominator, quotient, remainder);
  // Round the integer quotient half to even to 53 bits by hand, so that ldexp is exact.
  int64_t numBits = quotient == 0 ? 0 : static_cast<int64_t>(msb(quotient)) + 1;
  int64_t drop = std::max<int64_t>(numBits - 53, shift - 1074);
  if (drop > 0) {
    cpp_int half = cpp_int(1) << static_cast<unsigned>(drop - 1);
    cpp_int low = quotient & ((half << 1) - 1);
    quotient >>= static_cast<unsigned>(drop);
    bool up = low > half || (low == half && (remainder != 0 || (quotient & 1) != 0));
    if (up)
      quotient += 1;
  } else {
    drop = 0;
  }
  double value = std::ldexp(static_cast<double>(quotient), static_cast<int>(drop - shift));
  if (std::isinf(value))
    return std::nullopt;
  return negative ? -value : value;
}

} // namespace tilescope::compiler::constant
