// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/common/ClusterExchange.h"

#include "compiler/layout/Gf2.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tilescope::compiler {

static constexpr int kWidestAccess = 16;

std::optional<LinearLayout> partOfBlock(const LinearLayout &layout) {
  if (!layout.hasIn(Dim::Block))
    return layout;
  LinearLayout part = layout.dropIn(Dim::Block);
  for (const DimBits &out : layout.outs()) {
    uint64_t ofBlocks = 0, ofOthers = 0;
    for (const DimBits &in : layout.ins())
      for (int bit = 0; bit < in.bits; ++bit)
        (in.dim == Dim::Block ? ofBlocks : ofOthers) |= layout.basis(in.dim, bit, out.dim);
    const int bits = out.bits - llvm::popcount(ofBlocks);
    if ((ofBlocks & ofOthers) != 0 || (ofBlocks & ((uint64_t(1) << bits) - 1)) != 0)
      return std::nullopt;
    part = part.resizeOut(out.dim, bits);
  }
  return part;
}

bool haveEqualParts(const LinearLayout &x, const LinearLayout &y) {
  const auto columnsOf = [](const LinearLayout &layout) {
    std::span<const uint64_t> columns = layout.columns(Dim::Block);
    llvm::SmallVector<uint64_t> result(columns.begin(), columns.end());
    // Bits of the rank that step nowhere tell copies apart.
    while (!result.empty() && result.back() == 0)
      result.pop_back();
    return result;
  };
  return columnsOf(x.canonicalOuts()) == columnsOf(y.canonicalOuts());
}

/// Independent directions: those of one access, of the lanes, of the warps, of the registers.
static llvm::SmallVector<uint64_t> sendersDirections(const LinearLayout &from, int elementBytes,
                                                     gf2::Basis &taken) {
  llvm::SmallVector<uint64_t> directions;
  const auto add = [&](std::span<const uint64_t> columns) {
    for (uint64_t column : columns)
      if (column != 0 && taken.insert(column))
        directions.push_back(column);
  };
  std::span<const uint64_t> registers = from.columns(Dim::Register);
  const size_t inAccess = llvm::Log2_32(std::max(kWidestAccess / elementBytes, 1));
  add(registers.first(std::min(registers.size(), inAccess)));
  add(from.columns(Dim::Lane));
  add(from.columns(Dim::Warp));
  add(registers);
  return directions;
}

/// Whether each bit that tells writers apart is just that bit of the reader's rank.
static bool staysInBlock(const LinearLayout &toMemory, llvm::ArrayRef<int> rankBits) {
  for (const DimBits &in : toMemory.ins())
    for (int bit = 0; bit < in.bits; ++bit)
      for (auto [segmentBit, rankBit] : llvm::enumerate(rankBits)) {
        const bool isSet = toMemory.basis(in.dim, bit, Dim::Segment) >> segmentBit & 1;
        if (isSet != (in.dim == Dim::Block && bit == rankBit))
          return false;
      }
  return true;
}

std::optional<ClusterExchange>
planClusterExchange(const LinearLayout &source, const LinearLayout &destination, int elementBytes) {
  const LinearLayout from = source.canonicalOuts(), to = destination.canonicalOuts();
  ClusterExchange plan;
  gf2::Basis taken;
  LinearLayout::Columns columns;
  for (uint64_t direction : sendersDirections(from, elementBytes, taken))
    columns.push_back(direction);
  const auto numOffsetBits = static_cast<uint8_t>(columns.size());
  for (auto [bit, column] : llvm::enumerate(from.columns(Dim::Block)))
    if (column != 0) {
      if (!taken.insert(column))
        return std::nullopt;
      columns.push_back(column);
      plan.rankBits.push_back(static_cast<int>(bit));
    }
  const DimList ins{{Dim::Offset, numOffsetBits},
                    {Dim::Segment, static_cast<uint8_t>(plan.rankBits.size())}};
  plan.memory = LinearLayout(ins, from.outs(), columns);
  plan.isRemote = !staysInBlock(to.compose(plan.memory.invert()), plan.rankBits);
  return plan;
}

} // namespace tilescope::compiler
