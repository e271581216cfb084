// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/LargeLayouts.h"

#include "compiler/layout/Encodings.h"

namespace tilescope::tests {

using namespace tilescope::compiler;

LayoutFacts factsOf(const std::string &value, const LinearLayout &layout,
                    const std::vector<int64_t> &shape, int32_t elementBits, bool isShared) {
  LayoutFacts facts;
  facts.value = value;
  facts.op = isShared ? "ttg.local_alloc" : "arith.constant";
  facts.type = facts.encoding = "#" + value.substr(1);
  facts.shape = shape;
  facts.elementType = "f" + std::to_string(elementBits);
  facts.elementBits = elementBits;
  facts.shared = isShared;
  for (const DimBits &in : layout.ins()) {
    facts.layout.push_back({dimName(in.dim), {}});
    for (int bit = 0; bit < in.bits; ++bit)
      facts.layout.back().bases.push_back(
          layout.tensorBasis(in.dim, bit, static_cast<int>(shape.size())));
  }
  return facts;
}

/// Rows of elements over 32 lanes and 4 warps, last dimension fastest.
static BlockedParameters blockedBy(const std::vector<int64_t> &shape, unsigned perThread) {
  const size_t rank = shape.size();
  std::vector<unsigned> order, sizes(rank, 1);
  for (size_t dim = rank; dim-- > 0;)
    order.push_back(static_cast<unsigned>(dim));
  sizes.back() = perThread;
  return defaultBlocked(shape, sizes, order, 4);
}

static LayoutFacts blocked(const std::string &value, const std::vector<int64_t> &shape,
                           int32_t bits) {
  const LinearLayout cluster = singleBlockCluster(static_cast<int>(shape.size()));
  return factsOf(value, blockedLayout(shape, blockedBy(shape, 4), cluster), shape, bits);
}

std::vector<LayoutFacts> largeLayouts() {
  const std::vector<int64_t> square{1024, 1024};
  const LinearLayout one = singleBlockCluster(2);
  const MmaParameters mma{2, {2, 2}, {16, 8}}, groups{3, {4, 1}, {16, 256, 16}};
  const BlockedParameters threads{{4, 4}, {1, 32}, {1, 4}, {1, 0}};
  std::vector<LayoutFacts> all{
      blocked("%square", square, 32),
      blocked("%huge", {4096, 4096}, 32),
      blocked("%vector", {1048576}, 32),
      blocked("%column", {1048576, 1}, 32),
      blocked("%cube", {64, 128, 128}, 16),
      blocked("%hypercube", {32, 32, 32, 32}, 8),
      factsOf("%product", mmaLayout(square, mma, one), square, 32),
      factsOf("%group_product", mmaLayout(square, groups, one), square, 32),
      factsOf("%left_operand", mmaOperandLayout(square, mma, 0, 2, one), square, 16),
      factsOf("%right_operand", mmaOperandLayout(square, mma, 1, 2, one), square, 16),
      // 128 lanes hold every element.
      factsOf("%thread_operand", blockedOperandLayout(square, threads, 0, one), square, 32),
      factsOf("%swizzled", swizzledSharedLayout(square, {8, 1, 8, {1, 0}}, one), square, 16, true),
      factsOf("%nvmma", nvmmaSharedLayout(square, {128, false, 16}, one), square, 16, true),
      factsOf("%transposed", nvmmaSharedLayout(square, {128, true, 16}, one), square, 16, true),
  };
  const std::vector<int64_t> line{1048576}, parent{1048576, 1};
  all.push_back(factsOf(
      "%slice", slicedLayout(blockedLayout(parent, {{1, 1}, {1, 32}, {1, 4}, {1, 0}}, one), 1),
      line, 32));
  // Bits of all kinds are mixed, so that neighbors differ whichever way one goes.
  const LinearLayout tidy = blockedLayout(square, blockedBy(square, 4), one);
  LinearLayout::Columns mixed;
  for (uint64_t image : tidy.columns()) {
    image ^= image >> 6;
    mixed.push_back((image ^ image << 9) & ((1 << 20) - 1));
  }
  all.push_back(factsOf("%linear", LinearLayout(tidy.ins(), tidy.outs(), mixed), square, 32));
  return all;
}

} // namespace tilescope::tests
