// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/Patches.h"

#include "compiler/conversion/tt_to_cpu/Elementwise.h"
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;

namespace tilescope::cpu {

/// Smaller ones are not worth their shuffles.
static constexpr int64_t kSmallestPatch = 4;

SmallVector<Value> turnTiles(OpBuilder &b, Location loc, SmallVector<Value> tiles) {
  const auto extent = static_cast<int64_t>(tiles.size());
  for (int64_t half = 1; half < extent; half *= 2) {
    // Lanes of both tiles, those of the second behind those of the first.
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < extent; ++lane) {
      const bool isSecond = (lane & half) != 0;
      low.push_back(isSecond ? extent + lane - half : lane);
      high.push_back(isSecond ? extent + lane : lane + half);
    }
    for (int64_t i = 0; i < extent; ++i) {
      if (i & half)
        continue;
      Value first = tiles[i], second = tiles[i + half];
      tiles[i] = vector::ShuffleOp::create(b, loc, first, second, low);
      tiles[i + half] = vector::ShuffleOp::create(b, loc, first, second, high);
    }
  }
  return tiles;
}

namespace {
/// Looks for the blocks that elements come from, up to where other elements than their own are needed.
class TurnedBlocks {
public:
  using Dims = SmallVector<unsigned, 4>;
  /// The dimension along which the elements of a block are neighbors; -1: none. It outlives this.
  using Neighbors = llvm::function_ref<int(Value)>;

  TurnedBlocks(unsigned along, Neighbors neighbors) : m_along(along), m_neighbors(neighbors) {}

  void add(Value value, const Dims &dims) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    Operation *op = value.getDefiningOp();
    if (!type || !m_seen.insert(value).second)
      return;
    const int neighbors = m_neighbors(value);
    if (neighbors >= 0 && dims[m_along] != static_cast<unsigned>(neighbors))
      found.push_back({value, dims});
    if (neighbors >= 0 || !op)
      return;
    if (auto trans = dyn_cast<tt::TransOp>(op)) {
      Dims sources;
      for (unsigned dim : dims)
        sources.push_back(static_cast<unsigned>(trans.getOrder()[dim]));
      add(trans.getSrc(), sources);
    } else if (isElementwise(op)) {
      for (Value operand : op->getOperands())
        add(operand, dims);
    }
  }

  SmallVector<TurnedBlock, 2> found;

private:
  unsigned m_along;
  Neighbors m_neighbors;
  llvm::DenseSet<Value> m_seen;
};
} // namespace

static bool canTurn(Value block) {
  Type element = elementTypeOf(block.getType());
  return element && element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 8;
}

int KernelLowering::neighborsOf(Value block) const {
  const int rank = static_cast<int>(cast<RankedTensorType>(block.getType()).getRank());
  if (m_buffers.contains(block))
    return rank - 1;
  auto load = block.getDefiningOp<tt::LoadOp>();
  const compiler::AxisInfo *axis = load ? m_axes.find(load.getPtr()) : nullptr;
  if (!axis)
    return -1;
  int best = 0;
  for (int dim = 1; dim < rank; ++dim)
    if (axis->contiguity[dim] > axis->contiguity[best])
      best = dim;
  return axis->contiguity[best] >= kSmallestPatch ? best : -1;
}

std::optional<Patches> KernelLowering::patchesFor(ArrayRef<int64_t> shape, const Lanes &lanes,
                                                  ArrayRef<Value> needed) const {
  if (lanes.dim < 0 || shape.size() < 2)
    return std::nullopt;
  TurnedBlocks::Dims dims(shape.size());
  std::iota(dims.begin(), dims.end(), 0U);
  const auto along = static_cast<unsigned>(lanes.dim);
  const auto neighbors = [&](Value block) { return neighborsOf(block); };
  TurnedBlocks turned(along, neighbors);
  for (Value block : needed)
    turned.add(block, dims);
  Patches patches{along, 0, 0, {}};
  int64_t bytes = 4;
  for (const TurnedBlock &each : turned.found) {
    const auto *dim = llvm::find(each.dims, static_cast<unsigned>(neighbors(each.block)));
    const auto across = static_cast<unsigned>(dim - each.dims.begin());
    if (!canTurn(each.block) || (!patches.blocks.empty() && across != patches.across))
      continue;
    patches.across = across;
    patches.blocks.push_back(each);
    bytes = std::max(bytes, memoryBytesOf(elementTypeOf(each.block.getType())));
  }
  if (patches.blocks.empty())
    return std::nullopt;
  // As many lanes as what they are chosen for has neighbors.
  patches.extent = std::min({m_options.vectorBytes / bytes, lanes.count, shape[patches.across]});
  for (const TurnedBlock &each : patches.blocks)
    if (auto load = each.block.getDefiningOp<tt::LoadOp>(); load && !m_buffers.contains(each.block))
      patches.extent = std::min(patches.extent,
                                m_axes.find(load.getPtr())->contiguity[each.dims[patches.across]]);
  if (patches.extent < kSmallestPatch || !llvm::isPowerOf2_64(uint64_t(patches.extent)))
    return std::nullopt;
  return patches;
}

/// Where the block's elements are for a place of the loops.
static Place placeIn(const TurnedBlock &turned, const Place &place) {
  Place result = place;
  for (auto [dim, ofBlock] : llvm::enumerate(turned.dims)) {
    result.indices[ofBlock] = place.indices[dim];
    if (place.laneDim == static_cast<int>(dim))
      result.laneDim = static_cast<int>(ofBlock);
  }
  return result;
}

Place KernelLowering::behind(const Place &place, unsigned dim, int64_t distance) {
  Place moved = place;
  Value &index = moved.indices[dim];
  index = arith::AddIOp::create(m_builder, m_loc, index,
                                arith::ConstantIntOp::create(m_builder, m_loc, distance, 64));
  // It is computed here, in all loops.
  m_nest->setDepth(index, static_cast<unsigned>(place.indices.size()));
  return moved;
}

void KernelLowering::turnPatch(const Patches &patches, ArrayRef<Place> places) {
  SmallVector<Place> rows;
  Place first = places.front();
  first.laneDim = static_cast<int>(patches.across);
  for (int64_t i = 0; i < patches.extent; ++i)
    rows.push_back(behind(first, patches.along, i));
  for (const TurnedBlock &turned : patches.blocks) {
    auto type = cast<RankedTensorType>(turned.block.getType());
    SmallVector<Value> tiles;
    for (const Place &row : rows)
      tiles.push_back(toMemory(
          m_builder, m_loc,
          splat(m_builder, m_loc, at(turned.block, placeIn(turned, row)), patches.extent)));
    tiles = turnTiles(m_builder, m_loc, std::move(tiles));
    for (auto [tile, place] : llvm::zip(tiles, places))
      m_nest->remember(turned.block, withoutUnitDims(type, placeIn(turned, place)),
                       fromMemory(m_builder, m_loc, tile, elementTypeOf(type)));
  }
}

void KernelLowering::forEachPatch(ArrayRef<int64_t> shape, const Patches &patches,
                                  llvm::function_ref<void()> body) {
  Nest nest(m_builder, shape, {static_cast<int>(patches.along), patches.extent}, m_zero);
  m_nest = &nest;
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    if (dim != patches.along && dim != patches.across)
      nest.open(m_loc, dim);
  // What is loaded is read line by line.
  nest.open(m_loc, patches.along);
  nest.open(m_loc, patches.across, {}, /*skipFirst=*/false, patches.extent);
  const Place first = nest.place();
  SmallVector<Place> places;
  for (int64_t i = 0; i < patches.extent; ++i)
    places.push_back(behind(first, patches.across, i));
  turnPatch(patches, places);
  for (const Place &place : places) {
    nest.setPlace(place);
    body();
  }
  nest.setPlace(first);
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    nest.close(m_loc);
}

} // namespace tilescope::cpu
