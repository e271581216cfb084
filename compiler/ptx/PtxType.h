// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilescope::compiler {

/// A PTX type: `u32`, `f16x2`, `pred` …
struct PtxType {
  enum class Kind : uint8_t { Bits, Unsigned, Signed, Float, BFloat, Float8E4M3, Float8E5M2, Pred };
  Kind kind = Kind::Bits;
  /// Bits of one element.
  int32_t bits = 32;
  /// 2 for packed types such as `f16x2`.
  int32_t lanes = 1;

  bool isFloat() const { return kind >= Kind::Float && kind <= Kind::Float8E5M2; }
  bool isSigned() const { return kind == Kind::Signed; }
};

/// The type that a modifier names, or nothing when the modifier is not a type.
std::optional<PtxType> parsePtxType(std::string_view modifier);

/// Value of a floating-point element given by its bits.
double floatFromBits(uint64_t bits, PtxType type);
/// Rounds to the type, to nearest even, or toward zero.
uint64_t floatToBits(double value, PtxType type, bool towardZero = false);

/// The lowest `bits` bits of `value`.
uint64_t maskBits(uint64_t value, int32_t bits);
/// The integer that the lowest `bits` bits of `value` hold in two's complement.
int64_t signExtend(uint64_t value, int32_t bits);
/// The same as `floatFromBits`, of a register whose upper bits may hold something else.
double elementOf(uint64_t bits, PtxType type);

} // namespace tilescope::compiler
