// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/Encodings.h"

#include <algorithm>

namespace tilescope::compiler {

LinearLayout singleBlockCluster(int rank) { return clusterLayout(rank, {}); }

LinearLayout clusterLayout(int rank, std::span<const std::vector<int32_t>> bases) {
  DimList outs;
  for (int d = rank - 1; d >= 0; --d) {
    int32_t largest = 0;
    for (const std::vector<int32_t> &basis : bases)
      largest = std::max(largest, basis[d]);
    outs.push_back(
        {tensorDim(d), static_cast<uint8_t>(std::bit_width(static_cast<uint32_t>(largest)))});
  }
  LinearLayout::Columns columns;
  for (const std::vector<int32_t> &basis : bases) {
    uint64_t column = 0;
    int shift = 0;
    for (const DimBits &out : outs) {
      if (out.bits)
        column |= static_cast<uint64_t>(basis[tensorDimIndex(out.dim)]) << shift;
      shift += out.bits;
    }
    columns.push_back(column);
  }
  return {{DimBits{Dim::Block, static_cast<uint8_t>(bases.size())}}, outs, columns};
}

LinearLayout clusterLayout(Sizes blocks, Sizes pieces, Sizes order) {
  LinearLayout result;
  for (unsigned d : order) {
    result *= LinearLayout::identity(pieces[d], Dim::Block, tensorDim(d));
    result *= LinearLayout::zeros(blocks[d] / pieces[d], Dim::Block, tensorDim(d));
  }
  return result.canonicalOuts();
}

/// Cuts components at or above the size of `out` to zero, so that the places become copies.
static LinearLayout clipped(const LinearLayout &layout, Dim out, int bits) {
  if (layout.outBits(out) <= bits)
    return layout;
  // A basis that reaches past the size vanishes as a whole along this dimension.
  LinearLayout::Columns columns;
  int shift = 0;
  for (const DimBits &dim : layout.outs()) {
    if (dim.dim == out)
      break;
    shift += dim.bits;
  }
  uint64_t field = ((uint64_t(1) << layout.outBits(out)) - 1) << shift;
  for (uint64_t column : layout.columns())
    columns.push_back(((column & field) >> shift) >> bits ? column & ~field : column);
  return LinearLayout(layout.ins(), layout.outs(), columns).resizeOut(out, bits);
}

LinearLayout fitToShape(LinearLayout tile, LinearLayout cluster, Shape shape) {
  Dim first = tile.ins().empty() ? Dim::Register : tile.ins()[0].dim;
  DimList outs = tile.outs();
  for (const DimBits &out : outs) {
    int bits = log2Exact(shape[tensorDimIndex(out.dim)]);
    cluster = cluster.hasOut(out.dim) ? clipped(cluster, out.dim, bits) : cluster;
    int wanted = bits - std::min(cluster.outBits(out.dim), bits);
    if (out.bits < wanted)
      tile *= LinearLayout::identity(int64_t(1) << (wanted - out.bits), first, out.dim);
    else
      tile = clipped(tile, out.dim, wanted);
  }
  return (tile * cluster).canonicalOuts();
}

/// The sizes along the dimensions in `order`, as consecutive bits of `in`.
static LinearLayout identityAlong(Dim in, Sizes sizes, Sizes order) {
  LinearLayout result;
  for (unsigned d : order)
    result *= LinearLayout::identity(sizes[d], in, tensorDim(d));
  return result;
}

BlockedParameters defaultBlocked(Shape shapePerBlock, Sizes sizePerThread, Sizes order,
                                 unsigned numWarps, unsigned threadsPerWarp) {
  size_t rank = shapePerBlock.size();
  BlockedParameters result;
  result.sizePerThread.assign(sizePerThread.begin(), sizePerThread.end());
  result.order.assign(order.begin(), order.end());
  result.threadsPerWarp.assign(rank, 1);
  result.warpsPerBlock.assign(rank, 1);
  uint64_t lanes = threadsPerWarp, warps = numWarps, threads = lanes * warps;
  for (size_t i = 0; i + 1 < rank; ++i) {
    unsigned d = order[i];
    uint64_t pieces = std::max<uint64_t>(1, shapePerBlock[d] / sizePerThread[d]);
    uint64_t here = std::clamp<uint64_t>(threads, 1, pieces);
    uint64_t hereLanes = std::clamp<uint64_t>(here, 1, lanes);
    uint64_t hereWarps = std::clamp<uint64_t>(here / hereLanes, 1, warps);
    result.threadsPerWarp[d] = static_cast<unsigned>(hereLanes);
    result.warpsPerBlock[d] = static_cast<unsigned>(hereWarps);
    lanes /= hereLanes;
    warps /= hereWarps;
    threads /= here;
  }
  if (rank) {
    result.threadsPerWarp[order[rank - 1]] = static_cast<unsigned>(lanes);
    result.warpsPerBlock[order[rank - 1]] = static_cast<unsigned>(warps);
  }
  return result;
}

LinearLayout blockedLayout(Shape shape, const BlockedParameters &blocked,
                           const LinearLayout &cluster) {
  LinearLayout tile = identityAlong(Dim::Register, blocked.sizePerThread, blocked.order) *
                      identityAlong(Dim::Lane, blocked.threadsPerWarp, blocked.order) *
                      identityAlong(Dim::Warp, blocked.warpsPerBlock, blocked.order);
  return fitToShape(tile, cluster, shape);
}

LinearLayout slicedLayout(const LinearLayout &parent, int dim) {
  LinearLayout result = parent.dropOut(tensorDim(dim));
  int rank = static_cast<int>(result.outs().size());
  for (int d = dim; d < rank; ++d)
    result = result.renameOut(tensorDim(d + 1), tensorDim(d));
  return result.removeZeroBases(Dim::Register);
}

/// The cluster of a dot's operand: every block along K holds all of it.
static LinearLayout operandCluster(const LinearLayout &cluster, int kDim) {
  return clipped(cluster, tensorDim(kDim), 0);
}

/// Like `identityAlong`, but places that differ along `broadcastDim` hold the same.
static LinearLayout broadcastAlong(Dim in, Sizes sizes, Sizes order, int broadcastDim) {
  LinearLayout result;
  for (unsigned d : order)
    result *= static_cast<int>(d) == broadcastDim
                  ? LinearLayout::zeros(sizes[d], in, tensorDim(d))
                  : LinearLayout::identity(sizes[d], in, tensorDim(d));
  return result;
}

LinearLayout blockedOperandLayout(Shape shape, const BlockedParameters &result, int operand,
                                  const LinearLayout &cluster) {
  int kDim = static_cast<int>(shape.size()) - (operand == 0 ? 1 : 2);
  std::vector<unsigned> sizePerThread = result.sizePerThread;
  sizePerThread[kDim] = static_cast<unsigned>(shape[kDim]);
  LinearLayout tile = identityAlong(Dim::Register, sizePerThread, result.order) *
                      broadcastAlong(Dim::Lane, result.threadsPerWarp, result.order, kDim) *
                      broadcastAlong(Dim::Warp, result.warpsPerBlock, result.order, kDim);
  return fitToShape(tile, operandCluster(cluster, kDim), shape);
}

/// The fragment of a matrix instruction: 4 lanes along `inner`, 8 along `outer`, `width` elements
/// of `inner` in a register, registers first along `outer`, then along `inner`. Batch dimensions
/// have size 1.
static LinearLayout fragment(int64_t outerSize, int64_t innerSize, int64_t width, int inner,
                             int outer, int rank) {
  LinearLayout tile =
      LinearLayout::identity(width, Dim::Register, tensorDim(inner)) *
      LinearLayout::identity(4, Dim::Lane, tensorDim(inner)) *
      LinearLayout::identity(8, Dim::Lane, tensorDim(outer)) *
      LinearLayout::identity(outerSize / 8, Dim::Register, tensorDim(outer)) *
      LinearLayout::identity(innerSize / (width * 4), Dim::Register, tensorDim(inner));
  for (int d = rank - 3; d >= 0; --d)
    tile *= LinearLayout::identity(1, Dim::Register, tensorDim(d));
  return tile;
}

/// The dimensions in the order in which warps walk the result: version 2 rows last, version 3 rows
/// first.
static std::vector<unsigned> warpOrder(const MmaParameters &mma, int rank) {
  std::vector<unsigned> order;
  for (int d = rank - 1; d >= 0; --d)
    order.push_back(d);
  if (mma.version == 3)
    std::swap(order[0], order[1]);
  return order;
}

LinearLayout mmaLayout(Shape shape, const MmaParameters &mma, const LinearLayout &cluster) {
  int rank = static_cast<int>(shape.size());
  // Version 3 names K last, version 2 names a batch of 1 first when there is one.
  size_t m = mma.version == 3 ? 0 : mma.instructionShape.size() - 2;
  LinearLayout tile =
      fragment(mma.instructionShape[m], mma.instructionShape[m + 1], 2, rank - 1, rank - 2, rank);
  tile *= identityAlong(Dim::Warp, mma.warpsPerBlock, warpOrder(mma, rank));
  return fitToShape(tile, cluster, shape);
}

LinearLayout mmaOperandLayout(Shape shape, const MmaParameters &mma, int operand, unsigned kWidth,
                              const LinearLayout &cluster) {
  int rank = static_cast<int>(shape.size());
  size_t m = mma.version == 3 ? 0 : mma.instructionShape.size() - 2;
  unsigned rows = mma.instructionShape[m];
  int64_t kSize = int64_t(kWidth) * (rows == 8 ? 4 : 8);
  int kDim = operand == 0 ? rank - 1 : rank - 2;
  int outer = operand == 0 ? rank - 2 : rank - 1;
  LinearLayout tile = fragment(operand == 0 ? rows : 8, kSize, kWidth, kDim, outer, rank);
  tile *= broadcastAlong(Dim::Warp, mma.warpsPerBlock, warpOrder(mma, rank), kDim);
  return fitToShape(tile, operandCluster(cluster, kDim), shape);
}

LinearLayout refitLinear(const LinearLayout &layout, Shape shape) {
  BoundedVector<Dim, kMaxTensorRank> order;
  for (unsigned d : registerOrder(layout, static_cast<int>(shape.size())))
    order.push_back(tensorDim(d));
  LinearLayout result = layout.transposeOuts({order.data(), order.size()});
  Dim first = layout.ins()[0].dim;
  for (Dim out : order) {
    int bits = log2Exact(shape[tensorDimIndex(out)]), have = result.outBits(out);
    if (have < bits) {
      result *= LinearLayout::identity(int64_t(1) << (bits - have), first, out);
      continue;
    }
    LinearLayout cut = clipped(result, out, bits);
    // Registers that held only elements past the end disappear; those that were copies before stay.
    LinearLayout::Columns columns;
    DimList ins = cut.ins();
    for (int i = 0; i < cut.totalInBits(); ++i) {
      bool isRegister = i < result.ins()[0].bits;
      if (isRegister && cut.columns()[i] == 0 && result.columns()[i] != 0)
        --ins[0].bits;
      else
        columns.push_back(cut.columns()[i]);
    }
    result = LinearLayout(ins, cut.outs(), columns);
  }
  return result.canonicalOuts();
}

std::vector<unsigned> registerOrder(const LinearLayout &layout, int rank) {
  std::vector<unsigned> order;
  auto add = [&](unsigned d) {
    if (std::find(order.begin(), order.end(), d) == order.end())
      order.push_back(d);
  };
  if (!layout.ins().empty()) {
    Dim first = layout.ins()[0].dim;
    for (int bit = 0; bit < layout.inBits(first); ++bit)
      for (int d = rank - 1; d >= 0; --d)
        if (layout.basis(first, bit, tensorDim(d)))
          add(d);
  }
  for (int d = rank - 1; d >= 0; --d)
    add(d);
  return order;
}

} // namespace tilescope::compiler
