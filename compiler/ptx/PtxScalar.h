// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/ptx/PtxModule.h"

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

/// Result bits of an instruction without memory, control or other lanes: `add.f32`, `prmt.b32`,
/// `cvt.…`. `inputs` are the source operands' bits. Nothing when the instruction is not known.
std::optional<uint64_t> evaluateScalar(const PtxInstruction &instruction, const uint64_t *inputs,
                                       size_t numInputs);

/// `setp`: whether the comparison named by the first modifier holds.
std::optional<bool> evaluateCompare(const PtxInstruction &instruction, uint64_t lhs, uint64_t rhs);

/// The new value that `atom`/`red` stores for the operation `op` (`add`, `min`, `exch`, `cas` …).
std::optional<uint64_t> evaluateAtomic(std::string_view op, PtxType type, uint64_t memory,
                                       uint64_t operand, uint64_t swap);

} // namespace tilescope::compiler
