// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/ptx/PtxScalar.h"

#include "compiler/ptx/PtxArithmetic.h"

#include <array>
#include <cmath>

namespace tilescope::compiler {

using Kind = PtxType::Kind;

static PtxType typeOf(const PtxInstruction &instruction) {
  for (auto modifier = instruction.modifiers.rbegin(); modifier != instruction.modifiers.rend();
       ++modifier)
    if (std::optional<PtxType> type = parsePtxType(*modifier))
      return *type;
  return {};
}
std::optional<uint64_t> evaluateScalar(const PtxInstruction &instruction, const uint64_t *inputs,
                                       size_t numInputs) {
  const std::string &op = instruction.op;
  if (op == "cvt")
    return evaluateConvert(instruction, inputs);
  if (op == "cvta" || op == "mov")
    return inputs[0];
  if (op == "selp")
    return inputs[2] & 1 ? inputs[0] : inputs[1];
  PtxType type = typeOf(instruction);
  // `fma.rn.f32.f16`: all operands but the last are of the narrow type.
  std::array<uint64_t, 3> widened{};
  if (type.isFloat() && type.bits == 16 && instruction.has("f32") && numInputs <= widened.size()) {
    constexpr PtxType kWide{Kind::Float, 32, 1};
    for (size_t i = 0; i < numInputs; ++i)
      widened[i] = i + 1 < numInputs ? floatToBits(elementOf(inputs[i], type), kWide) : inputs[i];
    inputs = widened.data();
    type = kWide;
  }
  std::optional<uint64_t> result =
      type.isFloat()    ? evaluateFloat(instruction, type, inputs, numInputs)
      : type.lanes == 2 ? evaluateIntegerPair(instruction, type, inputs, numInputs)
                        : evaluateInteger(instruction, type, inputs, numInputs);
  if (!result)
    return result;
  int32_t width = type.bits * type.lanes;
  if (instruction.has("wide"))
    width *= 2;
  if (op == "popc" || op == "clz")
    width = 32;
  return maskBits(*result, width);
}

std::optional<bool> evaluateCompare(const PtxInstruction &instruction, uint64_t lhs, uint64_t rhs) {
  PtxType type = typeOf(instruction);
  std::string_view how = instruction.modifiers.at(0);
  auto compare = [&](auto a, auto b) -> std::optional<bool> {
    if (how == "eq")
      return a == b;
    if (how == "ne")
      return a != b;
    if (how == "lt" || how == "lo")
      return a < b;
    if (how == "le" || how == "ls")
      return a <= b;
    if (how == "gt" || how == "hi")
      return a > b;
    if (how == "ge" || how == "hs")
      return a >= b;
    return std::nullopt;
  };
  if (!type.isFloat()) {
    if (type.isSigned())
      return compare(signExtend(lhs, type.bits), signExtend(rhs, type.bits));
    return compare(maskBits(lhs, type.bits), maskBits(rhs, type.bits));
  }
  double a = flushDenormal(instruction, type, elementOf(lhs, type));
  double b = flushDenormal(instruction, type, elementOf(rhs, type));
  bool unordered = std::isnan(a) || std::isnan(b);
  if (how == "num")
    return !unordered;
  if (how == "nan")
    return unordered;
  if (how.size() == 3 && how.ends_with('u')) {
    how.remove_suffix(1);
    return unordered ? std::optional<bool>(true) : compare(a, b);
  }
  return unordered ? std::optional<bool>(false) : compare(a, b);
}

std::optional<uint64_t> evaluateAtomic(std::string_view op, PtxType type, uint64_t memory,
                                       uint64_t operand, uint64_t swap) {
  if (op == "exch")
    return operand;
  if (op == "cas")
    return maskBits(memory, type.bits) == maskBits(operand, type.bits) ? swap : memory;
  PtxInstruction instruction;
  instruction.op = op;
  uint64_t inputs[] = {memory, operand};
  return type.isFloat() ? evaluateFloat(instruction, type, inputs, 2)
                        : evaluateInteger(instruction, type, inputs, 2);
}
} // namespace tilescope::compiler
