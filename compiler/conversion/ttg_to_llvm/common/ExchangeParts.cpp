// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/common/Exchange.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <bit>

namespace tilescope::compiler {

/// The bit's place in the number when the `removed` bits are left out.
static uint64_t leaveOut(uint64_t number, uint64_t removed) {
  uint64_t result = 0;
  for (int bit = 0, next = 0; bit < 64; ++bit)
    if (!(removed >> bit & 1))
      result |= (number >> bit & 1) << next++;
  return result;
}

/// The layout without the `removed` bits of the register's number and of the element's index.
static LinearLayout leaveOut(const LinearLayout &layout, uint64_t removedRegisters,
                             uint64_t removedElements) {
  DimList ins, outs;
  LinearLayout::Columns columns;
  for (DimBits in : layout.ins()) {
    for (int bit = 0; bit < layout.inBits(in.dim); ++bit)
      if (in.dim != Dim::Register || !(removedRegisters >> bit & 1))
        columns.push_back(leaveOut(layout.columns(in.dim)[bit], removedElements));
    if (in.dim == Dim::Register)
      in.bits -= static_cast<uint8_t>(std::popcount(removedRegisters));
    ins.push_back(in);
  }
  int first = 0;
  for (DimBits out : layout.outs()) {
    const uint64_t inside = ((uint64_t(1) << out.bits) - 1) << first;
    first += out.bits;
    out.bits -= static_cast<uint8_t>(std::popcount(removedElements & inside));
    outs.push_back(out);
  }
  return LinearLayout(ins, outs, columns);
}

/// Which bit of the input moves an element by just that step; -1: none.
static int findStep(std::span<const uint64_t> columns, uint64_t step) {
  const auto found = std::ranges::find(columns, step);
  return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

ExchangeParts splitExchange(const LinearLayout &source, const LinearLayout &destination,
                            int numBits) {
  const LinearLayout from = source.canonicalOuts(), to = destination.canonicalOuts();
  ExchangeParts parts;
  uint64_t fromRegisters = 0, toRegisters = 0, elements = 0;
  // High register bits first: low ones make accesses wide. Warps that wait are the second choice.
  for (const bool byRegister : {true, false})
    for (int bit = from.inBits(Dim::Register) - 1; bit >= 0; --bit) {
      const uint64_t step = from.columns(Dim::Register)[bit];
      const auto moves = [&](uint64_t column) { return (column & step) != 0; };
      if (static_cast<int>(parts.bits.size()) == numBits || std::popcount(step) != 1 ||
          (elements & step) != 0 || llvm::count_if(from.columns(), moves) != 1 ||
          llvm::count_if(to.columns(), moves) != 1)
        continue;
      const int inRegister = byRegister ? findStep(to.columns(Dim::Register), step) : -1;
      const int inWarp = byRegister ? -1 : findStep(to.columns(Dim::Warp), step);
      if (inRegister < 0 && inWarp < 0)
        continue;
      parts.bits.push_back({bit, inRegister, inWarp, std::countr_zero(step)});
      fromRegisters |= uint64_t(1) << bit;
      toRegisters |= inRegister < 0 ? 0 : uint64_t(1) << inRegister;
      elements |= step;
    }
  parts.from = leaveOut(from, fromRegisters, elements);
  parts.to = leaveOut(to, toRegisters, elements);
  return parts;
}

} // namespace tilescope::compiler
