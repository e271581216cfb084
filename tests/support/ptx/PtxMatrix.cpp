// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/ptx/PtxMatrix.h"

#include "compiler/ptx/PtxScalar.h"
#include "tests/support/ptx/PtxGroupMatrix.h"

#include <charconv>

namespace tilescope::tests {
namespace {

constexpr int kRows = 16, kColumns = 8;

/// Registers of a factor hold neighbors along K; the four lanes of a group follow each other, and
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
  if (types.size() != 4 || depth * matrixElementBits(types[1]) != 256 || left[0].size() != 4 ||
      right[0].size() != 2)
    return std::nullopt;
  int perWord = 32 / matrixElementBits(types[1]);
  std::vector<double> a(kRows * depth), b(depth * kColumns);
  for (int lane = 0; lane < 32; ++lane)
    for (int element = 0; element < perWord; ++element)
      for (int half = 0; half < 2; ++half) {
        int k = placeAlongK(lane, half, element, perWord);
        b[k * kColumns + lane / 4] = matrixElement(right[lane][half], element, types[2]);
        for (int down = 0; down < 2; ++down)
          a[(lane / 4 + 8 * down) * depth + k] =
              matrixElement(left[lane][2 * half + down], element, types[1]);
      }

  PtxType result = *parsePtxType(types[0]);
  int perRegister = 32 / result.bits;
  PtxFragments products;
  for (int lane = 0; lane < 32; ++lane) {
    products[lane].assign(sums[lane].size(), 0);
    for (int index = 0; index < 4; ++index) {
      int row = lane / 4 + 8 * (index / 2), column = lane % 4 * 2 + index % 2;
      uint32_t word = sums[lane][index / perRegister];
      double sum = matrixElement(word, index % perRegister, types[3]);
      for (int k = 0; k < depth; ++k)
        sum += a[row * depth + k] * b[k * kColumns + column];
      products[lane][index / perRegister] |= matrixSum(sum, types[0])
                                             << (index % perRegister * result.bits);
    }
  }
  return products;
}

} // namespace tilescope::tests
