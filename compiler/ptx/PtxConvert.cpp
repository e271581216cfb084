// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/ptx/PtxArithmetic.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tilescope::compiler {

using Kind = PtxType::Kind;

static uint64_t floatToInteger(double value, PtxType to) {
  if (std::isnan(value))
    return 0;
  if (to.isSigned()) {
    double limit = std::ldexp(1.0, to.bits - 1);
    if (value >= limit)
      return (uint64_t(1) << (to.bits - 1)) - 1;
    if (value < -limit)
      return uint64_t(1) << (to.bits - 1);
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  }
  if (value >= std::ldexp(1.0, to.bits))
    return maskBits(~uint64_t(0), to.bits);
  return value <= 0 ? 0 : static_cast<uint64_t>(value);
}

static double roundToInteger(const PtxInstruction &instruction, double value) {
  if (instruction.has("rzi"))
    return std::trunc(value);
  if (instruction.has("rmi"))
    return std::floor(value);
  if (instruction.has("rpi"))
    return std::ceil(value);
  return instruction.has("rni") ? std::nearbyint(value) : value;
}

std::optional<uint64_t> evaluateConvert(const PtxInstruction &instruction, const uint64_t *inputs) {
  size_t count = instruction.modifiers.size();
  if (count < 2)
    return std::nullopt;
  std::optional<PtxType> to = parsePtxType(instruction.modifiers[count - 2]);
  std::optional<PtxType> from = parsePtxType(instruction.modifiers[count - 1]);
  if (!to || !from)
    return std::nullopt;
  bool towardZero = instruction.has("rz");
  if (to->lanes == 2 &&
      from->lanes == 1) // Two scalars to a pair; the first operand is the upper half.
    return floatToBits(elementOf(inputs[0], *from), *to, towardZero) << to->bits |
           floatToBits(elementOf(inputs[1], *from), *to, towardZero);
  if (to->lanes == 2) {
    uint64_t result = 0;
    for (int lane = 0; lane < 2; ++lane)
      result |= floatToBits(elementOf(inputs[0] >> (lane * from->bits), *from), *to, towardZero)
                << (lane * to->bits);
    return result;
  }
  if (instruction.modifiers[count - 2] == "tf32") {
    uint64_t bits = maskBits(inputs[0], 32);
    if (std::isnan(std::bit_cast<float>(static_cast<uint32_t>(bits))))
      return 0x7fffffff;
    return (instruction.has("rna") ? bits + 0x1000 : bits) & ~uint64_t(0x1fff);
  }
  if (from->isFloat()) {
    double value =
        roundToInteger(instruction, flushDenormal(instruction, *from, elementOf(inputs[0], *from)));
    if (!to->isFloat())
      return floatToInteger(value, *to);
    if (instruction.has("sat"))
      value = std::isnan(value) ? 0.0 : std::min(std::max(value, 0.0), 1.0);
    return floatToBits(value, *to, towardZero);
  }
  uint64_t raw = maskBits(inputs[0], from->bits);
  if (to->isFloat()) {
    // Straight to the target: going through double would round twice.
    if (to->bits == 32 && to->kind == Kind::Float && !towardZero) {
      float value = from->isSigned() ? static_cast<float>(signExtend(raw, from->bits))
                                     : static_cast<float>(raw);
      return std::bit_cast<uint32_t>(value);
    }
    double value = from->isSigned() ? static_cast<double>(signExtend(raw, from->bits))
                                    : static_cast<double>(raw);
    return floatToBits(value, *to, towardZero);
  }
  int64_t extended = from->isSigned() ? signExtend(raw, from->bits) : static_cast<int64_t>(raw);
  if (instruction.has("sat")) {
    __int128 value = from->isSigned() ? extended : static_cast<__int128>(raw);
    __int128 high = to->isSigned() ? (static_cast<__int128>(1) << (to->bits - 1)) - 1
                                   : (static_cast<__int128>(1) << to->bits) - 1;
    __int128 low = to->isSigned() ? -high - 1 : 0;
    return static_cast<uint64_t>(std::min(std::max(value, low), high));
  }
  // A type narrower than the register fills it with the sign, or with zeros.
  uint64_t narrow = maskBits(static_cast<uint64_t>(extended), to->bits);
  return to->isSigned() ? static_cast<uint64_t>(signExtend(narrow, to->bits)) : narrow;
}
} // namespace tilescope::compiler
