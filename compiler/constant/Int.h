// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tilescope::compiler::constant {

struct BigInt;

/// A Python integer of any size. Values that fit 64 bits are held in place.
class Int {
public:
  Int() = default;
  Int(int64_t value) : m_small(value) {}
  static Int fromUint64(uint64_t value);
  static Int fromBig(BigInt value);
  /// A literal as written in source, with prefix `0x`, `0o`, `0b` or none, without underscores.
  static std::optional<Int> fromLiteral(std::string_view text);
  /// What Python's `int(text, base)` accepts, spaces and underscores included.
  static std::optional<Int> parse(std::string_view text, int base = 10);
  /// Truncates; nothing for infinities and NaN.
  static std::optional<Int> fromDouble(double value);

  bool isNegative() const;
  bool isZero() const { return !m_big && m_small == 0; }
  std::optional<int64_t> toInt64() const;
  std::optional<uint64_t> toUint64() const;
  /// Nearest double; nothing when it is out of range.
  std::optional<double> toDouble() const;
  /// Digits in `base` (2, 8, 10 or 16), lower case, with a minus sign, without prefix.
  std::string toString(int base = 10) const;
  /// `int.bit_length()`.
  int64_t bitLength() const;
  /// The value as BigInt, for the operators.
  BigInt big() const;

  friend bool operator==(const Int &a, const Int &b) { return (a <=> b) == 0; }
  friend std::strong_ordering operator<=>(const Int &a, const Int &b);
  friend Int operator+(const Int &a, const Int &b);
  friend Int operator-(const Int &a, const Int &b);
  friend Int operator*(const Int &a, const Int &b);
  friend Int operator&(const Int &a, const Int &b);
  friend Int operator|(const Int &a, const Int &b);
  friend Int operator^(const Int &a, const Int &b);
  friend Int operator-(const Int &a);
  friend Int operator~(const Int &a);

  /// Python's `//` and `%`; the divisor must not be zero.
  static Int floorDiv(const Int &a, const Int &b);
  static Int mod(const Int &a, const Int &b);
  /// The exponent must not be negative. Nothing when the result would have over a million bits.
  static std::optional<Int> pow(const Int &base, const Int &exponent);
  /// Counts must not be negative. Nothing when the result would have over a million bits.
  static std::optional<Int> shiftLeft(const Int &a, const Int &count);
  static Int shiftRight(const Int &a, const Int &count);
  /// Exactly rounded `a / b`, as Python has it; nothing when out of range. `b` must not be zero.
  static std::optional<double> trueDiv(const Int &a, const Int &b);

private:
  int64_t m_small = 0;
  /// Only for values that do not fit `m_small`.
  std::shared_ptr<const BigInt> m_big;
};

} // namespace tilescope::compiler::constant
