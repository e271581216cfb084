// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/ptx/PtxArithmetic.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tilescope::compiler {

using Kind = PtxType::Kind;

namespace {

uint64_t permuteBytes(uint64_t a, uint64_t b, uint64_t selector) {
  uint64_t source = maskBits(a, 32) | b << 32, result = 0;
  for (int i = 0; i < 4; ++i) {
    uint64_t pick = selector >> (4 * i) & 0xf;
    uint64_t byte = source >> (8 * (pick & 7)) & 0xff;
    if (pick & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

uint64_t shift(const PtxInstruction &instruction, PtxType type, uint64_t value, uint64_t amount) {
  amount = maskBits(amount, 32);
  if (instruction.op == "shl")
    return amount >= static_cast<uint64_t>(type.bits) ? 0 : value << amount;
  if (type.isSigned())
    return static_cast<uint64_t>(signExtend(value, type.bits) >>
                                 std::min<uint64_t>(amount, type.bits - 1));
  return amount >= static_cast<uint64_t>(type.bits) ? 0 : maskBits(value, type.bits) >> amount;
}

/// Instructions that move bits rather than count with them.
std::optional<uint64_t> evaluateBits(const PtxInstruction &instruction, PtxType type,
                                     const std::array<uint64_t, 4> &in) {
  const std::string &op = instruction.op;
  const auto [a, b, c, d] = in;
  const int32_t bits = type.bits;
  if (op == "and")
    return a & b;
  if (op == "or")
    return a | b;
  if (op == "xor")
    return a ^ b;
  if (op == "not")
    return type.kind == Kind::Pred ? a ^ 1 : ~a;
  if (op == "shl" || op == "shr")
    return shift(instruction, type, a, b);
  if (op == "prmt")
    return permuteBytes(a, b, c);
  if (op == "popc")
    return std::popcount(maskBits(a, bits));
  if (op == "clz")
    return bits == 64 ? std::countl_zero(a) : std::countl_zero(static_cast<uint32_t>(a));
  if (op == "brev") {
    uint64_t result = 0;
    for (int32_t i = 0; i < bits; ++i)
      result |= (a >> i & 1) << (bits - 1 - i);
    return result;
  }
  if (op == "bfe") {
    const uint64_t position = b & 0xff, length = c & 0xff;
    const uint64_t value = position >= 64 ? 0 : maskBits(a, bits) >> position;
    if (length == 0)
      return 0;
    return type.isSigned() ? static_cast<uint64_t>(signExtend(value, std::min<int>(length, 64)))
                           : maskBits(value, static_cast<int32_t>(length));
  }
  if (op == "bfi") {
    const uint64_t position = c & 0xff, length = d & 0xff;
    const uint64_t field = maskBits(~uint64_t(0), static_cast<int32_t>(length)) << position;
    return (b & ~field) | ((a << position) & field);
  }
  if (op == "shf") {
    const uint64_t both = maskBits(a, 32) | b << 32;
    const uint64_t amount =
        instruction.has("wrap") ? c & 31 : std::min<uint64_t>(maskBits(c, 32), 32);
    return instruction.has("l") ? both << amount >> 32 : both >> amount;
  }
  if (op == "lop3") {
    uint64_t result = 0;
    for (int i = 0; i < 32; ++i)
      result |= (d >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
    return result;
  }
  return std::nullopt;
}

} // namespace

std::optional<uint64_t> evaluateInteger(const PtxInstruction &instruction, PtxType type,
                                        const uint64_t *inputs, size_t numInputs) {
  const std::string &op = instruction.op;
  const int32_t bits = type.bits;
  const bool isSigned = type.isSigned();
  auto wide = [&](uint64_t value) {
    return isSigned ? static_cast<__int128>(signExtend(value, bits))
                    : static_cast<__int128>(maskBits(value, bits));
  };
  std::array<uint64_t, 4> in = {};
  std::copy_n(inputs, std::min(numInputs, in.size()), in.begin());
  const auto [a, b, c, d] = in;
  if (op == "add")
    return a + b;
  if (op == "sub")
    return a - b;
  if (op == "mul" || op == "mad") {
    const __int128 product = isSigned
                                 ? wide(a) * wide(b)
                                 : static_cast<__int128>(static_cast<unsigned __int128>(wide(a)) *
                                                         static_cast<unsigned __int128>(wide(b)));
    const auto part = static_cast<uint64_t>(instruction.has("hi") ? product >> bits : product);
    return op == "mad" ? part + c : part;
  }
  if (op == "div")
    return maskBits(b, bits) == 0 ? ~uint64_t(0) : static_cast<uint64_t>(wide(a) / wide(b));
  if (op == "rem")
    return maskBits(b, bits) == 0 ? a : static_cast<uint64_t>(wide(a) % wide(b));
  if (op == "min")
    return wide(a) < wide(b) ? a : b;
  if (op == "max")
    return wide(a) > wide(b) ? a : b;
  if (op == "neg")
    return 0 - a;
  if (op == "abs")
    return static_cast<uint64_t>(wide(a) < 0 ? -wide(a) : wide(a));
  if (op == "sad")
    return static_cast<uint64_t>(wide(a) > wide(b) ? wide(a) - wide(b) : wide(b) - wide(a)) + c;
  return evaluateBits(instruction, type, in);
}

std::optional<uint64_t> evaluateIntegerPair(const PtxInstruction &instruction, PtxType type,
                                            const uint64_t *inputs, size_t numInputs) {
  PtxType single = type;
  single.lanes = 1;
  uint64_t result = 0;
  for (int lane = 0; lane < 2; ++lane) {
    std::array<uint64_t, 4> part{};
    for (size_t i = 0; i < std::min(numInputs, part.size()); ++i)
      part[i] = maskBits(inputs[i] >> (lane * type.bits), type.bits);
    std::optional<uint64_t> value =
        evaluateInteger(instruction, single, part.data(), std::min(numInputs, part.size()));
    if (!value)
      return value;
    result |= maskBits(*value, type.bits) << (lane * type.bits);
  }
  return result;
}
} // namespace tilescope::compiler
