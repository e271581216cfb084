// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/ptx/PtxMatrix.h"

#include "compiler/ptx/PtxScalar.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

namespace tilescope::tests {
namespace {

constexpr int kRows = 16, kColumns = 8;

/// Value of element `index` of a register that holds several.
double elementOf(uint32_t word, int index, std::string_view name) {
  if (name == "tf32")
    return std::bit_cast<float>(word & 0xffffe000);
  PtxType type = *parsePtxType(name);
  uint64_t bits = type.bits == 32 ? word : word >> (index * type.bits) & ((1u << type.bits) - 1);
  if (type.isFloat())
    return floatFromBits(bits, type);
  if (!type.isSigned())
    return static_cast<double>(bits);
  return static_cast<double>(static_cast<int32_t>(bits << (32 - type.bits)) >> (32 - type.bits));
}

int bitsOf(std::string_view name) { return name == "tf32" ? 32 : parsePtxType(name)->bits; }

/// Registers of a factor hold neighbours along K; the four lanes of a group follow each other, and
/// the second half of K is in the last registers.
int placeAlongK(int lane, int half, int element, int perWord) {
  return (half * 4 + lane % 4) * perWord + element;
}

} // namespace

std::optional<PtxFragments> multiplyFragments(const PtxInstruction &instruction,
                                              const PtxFragments &left, const PtxFragments &right,
                                              const PtxFragments &sums) {
  std::vector<std::string_view> types;
  int depth = 0;
  for (std::string_view modifier : instruction.modifiers) {
    if (modifier.starts_with("m16n8k"))
      std::from_chars(modifier.data() + 6, modifier.data() + modifier.size(), depth);
    else if (modifier == "tf32" || parsePtxType(modifier))
      types.push_back(modifier);
  }
  if (types.size() != 4 || depth * bitsOf(types[1]) != 256 || left[0].size() != 4 ||
      right[0].size() != 2)
    return std::nullopt;
  int perWord = 32 / bitsOf(types[1]);
  std::vector<double> a(kRows * depth), b(depth * kColumns);
  for (int lane = 0; lane < 32; ++lane)
    for (int element = 0; element < perWord; ++element)
      for (int half = 0; half < 2; ++half) {
        int k = placeAlongK(lane, half, element, perWord);
        b[k * kColumns + lane / 4] = elementOf(right[lane][half], element, types[2]);
        for (int down = 0; down < 2; ++down)
          a[(lane / 4 + 8 * down) * depth + k] =
              elementOf(left[lane][2 * half + down], element, types[1]);
      }

  PtxType result = *parsePtxType(types[0]);
  int perRegister = 32 / result.bits;
  PtxFragments products;
  for (int lane = 0; lane < 32; ++lane) {
    products[lane].assign(sums[lane].size(), 0);
    for (int index = 0; index < 4; ++index) {
      int row = lane / 4 + 8 * (index / 2), column = lane % 4 * 2 + index % 2;
      uint32_t word = sums[lane][index / perRegister];
      double sum = elementOf(word, index % perRegister, types[3]);
      for (int k = 0; k < depth; ++k)
        sum += a[row * depth + k] * b[k * kColumns + column];
      uint64_t bits = result.isFloat()
                          ? floatToBits(sum, result)
                          : static_cast<uint32_t>(static_cast<int32_t>(
                                std::clamp<double>(sum, std::numeric_limits<int32_t>::min(),
                                                   std::numeric_limits<int32_t>::max())));
      products[lane][index / perRegister] |= static_cast<uint32_t>(bits)
                                             << (index % perRegister * result.bits);
    }
  }
  return products;
}

} // namespace tilescope::tests
