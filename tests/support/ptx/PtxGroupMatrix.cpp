// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/ptx/PtxGroupMatrix.h"

#include "compiler/ptx/PtxScalar.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

namespace tilescope::tests {

/// The number behind `letter` in `m64n128k16`; 0 when there is none.
static size_t numberAfter(std::string_view text, char letter) {
  size_t number = 0;
  if (const size_t at = text.find(letter); at != std::string_view::npos)
    std::from_chars(text.data() + at + 1, text.data() + text.size(), number);
  return number;
}

std::optional<PtxGroupForm> groupForm(const PtxInstruction &instruction) {
  PtxGroupForm form;
  std::vector<std::string> types;
  for (const std::string &modifier : instruction.modifiers) {
    if (modifier.starts_with("m64n")) {
      form.columns = numberAfter(modifier, 'n');
      form.depth = numberAfter(modifier, 'k');
    } else if (modifier == "tf32" || parsePtxType(modifier)) {
      types.push_back(modifier);
    }
  }
  if (types.size() != 3 || form.columns == 0 || form.columns % 8 != 0 || form.columns > 256 ||
      form.depth * matrixElementBits(types[1]) != 256)
    return std::nullopt;
  form.result = types[0];
  form.left = types[1];
  form.right = types[2];
  return form;
}

uint64_t PtxGroupFactor::addressOf(size_t outer, size_t k) const {
  constexpr size_t kUnitRows = 8, kUnitBytes = 16;
  constexpr size_t kSwizzles[] = {0, 128, 64, 32};
  const auto field = [&](int position) { return (descriptor >> position & 0x3fff) << 4; };
  const uint64_t start = field(0), leading = field(16), stride = field(32);
  const size_t swizzle = kSwizzles[descriptor >> 62];
  // `along` runs in the direction of contiguous memory.
  const size_t row = isTransposed ? k : outer;
  const size_t alongBytes = (isTransposed ? outer : k) * elementBytes;
  if (swizzle == 0) {
    const uint64_t nextRows = isTransposed ? leading : stride;
    const uint64_t nextUnit = isTransposed ? stride : leading;
    return base + start + row % kUnitRows * kUnitBytes + row / kUnitRows * nextRows +
           alongBytes / kUnitBytes * nextUnit + alongBytes % kUnitBytes;
  }
  // Along K one instruction stays within the swizzle's width, so `leading` counts across it only.
  const uint64_t address = start + row % kUnitRows * swizzle + row / kUnitRows * stride +
                           alongBytes / swizzle * (isTransposed ? leading : 0) +
                           alongBytes % swizzle;
  // 16-byte units trade places within what 8 rows take.
  const uint64_t units = swizzle / kUnitBytes;
  return base + (address ^ ((address >> 7) % units) << 4);
}

double matrixElement(uint32_t word, int index, std::string_view name) {
  if (name == "tf32")
    return std::bit_cast<float>(word & 0xffffe000);
  const PtxType type = *parsePtxType(name);
  const uint64_t bits =
      type.bits == 32 ? word : word >> (index * type.bits) & ((1u << type.bits) - 1);
  if (type.isFloat())
    return floatFromBits(bits, type);
  if (!type.isSigned())
    return static_cast<double>(bits);
  return static_cast<double>(static_cast<int32_t>(bits << (32 - type.bits)) >> (32 - type.bits));
}

int matrixElementBits(std::string_view name) {
  return name == "tf32" ? 32 : parsePtxType(name)->bits;
}

uint32_t matrixSum(double sum, std::string_view name) {
  const PtxType type = *parsePtxType(name);
  if (type.isFloat())
    return static_cast<uint32_t>(floatToBits(sum, type));
  using Limits = std::numeric_limits<int32_t>;
  return static_cast<uint32_t>(
      static_cast<int32_t>(std::clamp<double>(sum, Limits::min(), Limits::max())));
}

} // namespace tilescope::tests
