// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Layouts of shared memory: from offsets, counted in elements, to tensor coordinates.
#include "compiler/layout/Encodings.h"

#include <algorithm>

namespace tilescope::compiler {

static LinearLayout offsetsAlong(int64_t size, int dim) {
  return LinearLayout::identity(size, Dim::Offset, tensorDim(dim));
}

/// The part of `shape` that one block of the cluster holds.
static std::vector<int64_t> shapePerBlock(Shape shape, const LinearLayout &cluster) {
  std::vector<int64_t> result(shape.begin(), shape.end());
  for (size_t d = 0; d < result.size(); ++d)
    result[d] /= std::min(result[d], cluster.outSize(tensorDim(static_cast<int>(d))));
  return result;
}

/// Rows of `columns` elements: chunk c of row r sits at chunk c xor ((r / perPhase) mod maxPhase).
static LinearLayout swizzledRows(int64_t rows, int64_t columns, const SwizzleParameters &swizzle,
                                 int rowDim, int columnDim) {
  DimList outs{{tensorDim(columnDim), log2Exact(columns)}, {tensorDim(rowDim), log2Exact(rows)}};
  LinearLayout::Columns bases;
  for (int64_t c = 1; c < columns; c *= 2)
    bases.push_back(c);
  for (int64_t r = 1; r < rows; r *= 2) {
    uint64_t chunk = swizzle.vec * ((r / swizzle.perPhase) % swizzle.maxPhase);
    bases.push_back((static_cast<uint64_t>(r) << outs[0].bits) | (chunk % columns));
  }
  return {{DimBits{Dim::Offset, static_cast<uint8_t>(bases.size())}}, outs, bases};
}

LinearLayout swizzledSharedLayout(Shape shape, const SwizzleParameters &swizzle,
                                  const LinearLayout &cluster) {
  std::vector<int64_t> local = shapePerBlock(shape, cluster);
  const std::vector<unsigned> &order = swizzle.order;
  LinearLayout tile;
  if (order.size() < 2)
    tile = offsetsAlong(local[0], 0);
  else
    tile = swizzledRows(local[order[1]], local[order[0]], swizzle, order[1], order[0]);
  for (size_t i = 2; i < order.size(); ++i)
    tile *= offsetsAlong(local[order[i]], order[i]);
  return fitToShape(tile, cluster, shape);
}

SwizzleParameters operandSwizzle(Shape shapePerBlock, Sizes order, int operand, unsigned kWidth,
                                 unsigned elementBits, bool transposed) {
  // 1024 bits are the 32 banks of shared memory.
  int rank = static_cast<int>(shapePerBlock.size());
  int kDim = operand == 0 ? rank - 1 : rank - 2;
  uint64_t rowElements = shapePerBlock[order[0]];
  uint64_t perPhase = std::max<uint64_t>(1, 1024 / (elementBits * rowElements));
  uint64_t stride = elementBits == 64 ? 4 : 8, vec = 4 * kWidth;
  if (transposed)
    std::swap(vec, stride);
  if (static_cast<int>(order[0]) != kDim)
    std::swap(vec, stride);
  uint64_t maxPhase = std::max<uint64_t>(1, std::min<uint64_t>(stride, 1024 / (vec * elementBits)));
  maxPhase = std::max<uint64_t>(1, maxPhase / perPhase);
  return {static_cast<unsigned>(vec),
          static_cast<unsigned>(perPhase),
          static_cast<unsigned>(maxPhase),
          {order.begin(), order.end()}};
}

/// Most elements along one dimension of a block that the copy unit moves at once.
static constexpr int64_t kBoxLimit = 256;

LinearLayout nvmmaSharedLayout(Shape shape, const NvmmaSharedParameters &nvmma,
                               const LinearLayout &cluster) {
  int rank = static_cast<int>(shape.size());
  int contiguous = nvmma.transposed ? 0 : rank - 1;
  std::vector<int64_t> box = shapePerBlock(shape, cluster);
  for (int64_t &size : box)
    size = std::min(size, kBoxLimit);

  // From the contiguous dimension outwards, as the box is in memory.
  std::vector<int> fastestFirst{contiguous};
  for (int d = rank - 1; d >= 0; --d)
    if (d != contiguous)
      fastestFirst.push_back(d);

  LinearLayout tile;
  if (nvmma.swizzleBytes == 0) {
    for (int d : fastestFirst)
      tile *= offsetsAlong(box[d], d);
  } else {
    int64_t strip = std::min<int64_t>(box[contiguous], 8 * nvmma.swizzleBytes / nvmma.elementBits);
    int64_t rows = 1;
    for (int d = 0; d < rank; ++d)
      rows *= d == contiguous ? 1 : box[d];
    SwizzleParameters swizzle{
        128 / nvmma.elementBits, 128 / nvmma.swizzleBytes, nvmma.swizzleBytes / 16, {}};
    // All outer dimensions count as rows; their bits are told apart afterwards.
    LinearLayout flat = swizzledRows(rows, strip, swizzle, 0, 1);
    DimList outs{{tensorDim(contiguous), log2Exact(strip)}};
    for (size_t i = 1; i < fastestFirst.size(); ++i)
      outs.push_back({tensorDim(fastestFirst[i]), log2Exact(box[fastestFirst[i]])});
    tile = flat.reshapeOuts(outs);
  }
  // Further boxes follow one another in the order of the dimensions, the contiguous one last: so a
  // transposed buffer lies as the buffer that it is a view of.
  BoundedVector<Dim, kMaxTensorRank> order;
  for (int d = 0; d < rank; ++d)
    if (d != contiguous)
      order.push_back(tensorDim(d));
  order.push_back(tensorDim(contiguous));
  return fitToShape(tile.transposeOuts({order.data(), order.size()}), cluster, shape);
}

LinearLayout unpaddedSharedLayout(Shape shape, Sizes order, const LinearLayout &cluster) {
  std::vector<int64_t> local = shapePerBlock(shape, cluster);
  LinearLayout tile;
  for (unsigned d : order)
    tile *= offsetsAlong(local[d], d);
  return fitToShape(tile, cluster, shape);
}

int64_t paddedOffset(int64_t offset, std::span<const PaddingRule> rules) {
  int64_t result = offset;
  for (const PaddingRule &rule : rules)
    result += offset / rule.interval * rule.padding;
  return result;
}

} // namespace tilescope::compiler
