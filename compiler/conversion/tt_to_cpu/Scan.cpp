// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Running combinations: tile after tile along the axis, each combined with what came before. Where
// the lanes lie along the axis themselves, a tile is scanned inside first, over distances of 1, 2, 4, …
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tilescope::cpu {

/// The tile moved by `distance` lanes away from where the scan begins. What moves in has no meaning.
static Value shiftLanes(OpBuilder &b, Location loc, Value tile, int64_t distance, bool reverse) {
  SmallVector<int64_t> from;
  const int64_t lanes = lanesOf(tile);
  for (int64_t lane = 0; lane < lanes; ++lane)
    from.push_back(std::clamp<int64_t>(reverse ? lane + distance : lane - distance, 0, lanes - 1));
  return vector::ShuffleOp::create(b, loc, tile, tile, from);
}

/// True for the lanes that have another one `distance` before them.
static Value lanesBehind(OpBuilder &b, Location loc, int64_t lanes, int64_t distance,
                         bool reverse) {
  SmallVector<bool> mask;
  for (int64_t lane = 0; lane < lanes; ++lane)
    mask.push_back(reverse ? lane + distance < lanes : lane >= distance);
  auto type = VectorType::get({lanes}, b.getI1Type());
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, ArrayRef<bool>(mask)));
}

SmallVector<Value> KernelLowering::scanLanes(tt::ScanOp scan, SmallVector<Value> tiles) {
  const int64_t lanes = lanesOf(tiles[0]);
  for (int64_t distance = 1; distance < lanes; distance *= 2) {
    SmallVector<Value> before;
    for (Value tile : tiles)
      before.push_back(shiftLanes(m_builder, m_loc, tile, distance, scan.getReverse()));
    Value hasBefore = lanesBehind(m_builder, m_loc, lanes, distance, scan.getReverse());
    for (auto [tile, combined] : llvm::zip(tiles, combine(scan.getCombineOp(), before, tiles)))
      tile = arith::SelectOp::create(m_builder, m_loc, hasBefore, combined, tile);
  }
  return tiles;
}

/// Where the nest is, counted from the other end if the scan begins there.
Place KernelLowering::scanPlace(tt::ScanOp scan) {
  Place place = m_nest->place();
  if (!scan.getReverse())
    return place;
  const unsigned axis = scan.getAxis();
  const Lanes &lanes = m_nest->lanes();
  const int64_t step = lanes.dim == static_cast<int>(axis) ? lanes.count : 1;
  Value &index = place.indices[axis];
  const unsigned depth = m_nest->depthOf({index});
  OpBuilder::InsertionGuard guard(m_builder);
  m_nest->moveTo(depth);
  Value last = arith::ConstantIntOp::create(m_builder, m_loc,
                                            scan.getInputTypes()[0].getDimSize(axis) - step, 64);
  index = arith::SubIOp::create(m_builder, m_loc, last, index);
  m_nest->setDepth(index, depth);
  return place;
}

/// One step along the axis, behind what was carried to it (nothing at first). Returns what the next
/// step gets.
SmallVector<Value> KernelLowering::scanStep(tt::ScanOp scan, ValueRange carried,
                                            ArrayRef<Buffer> results) {
  const Place place = scanPlace(scan);
  const int64_t lanes = place.laneDim < 0 ? 0 : m_nest->lanes().count;
  const bool isFolded = place.laneDim == static_cast<int>(scan.getAxis());
  SmallVector<Value> tiles = sourcesAt(scan.getSrcs(), place);
  if (isFolded)
    tiles = scanLanes(scan, std::move(tiles));
  if (!carried.empty()) {
    SmallVector<Value> before;
    for (Value value : carried)
      before.push_back(splat(m_builder, m_loc, value, lanes));
    tiles = combine(scan.getCombineOp(), before, tiles);
  }
  for (auto [buffer, tile] : llvm::zip(results, tiles))
    writeBuffer(buffer, place, tile);
  if (isFolded)
    for (Value &tile : tiles)
      tile = vector::ExtractOp::create(m_builder, m_loc, tile,
                                       scan.getReverse() ? int64_t(0) : lanes - 1);
  return tiles;
}

void KernelLowering::lowerScan(tt::ScanOp scan) {
  const RankedTensorType type = scan.getInputTypes()[0];
  const unsigned axis = scan.getAxis();
  const SmallVector<Value> sources = llvm::to_vector_of<Value>(scan.getSrcs());
  prepare(sources, /*canKeep=*/false);
  const SmallVector<Buffer> results = allocateFor(scan.getResult());
  Nest nest(m_builder, type.getShape(), chooseLanesFor(scan.getCombineOp(), sources), m_zero);
  m_nest = &nest;
  const unsigned numOuter = openAround(axis);
  SmallVector<Value> carried = scanStep(scan, {}, results);
  const int64_t step = nest.lanes().dim == static_cast<int>(axis) ? nest.lanes().count : 1;
  if (type.getDimSize(axis) > step) {
    const SmallVector<Value> before = nest.open(m_loc, axis, carried, /*skipFirst=*/true);
    nest.close(m_loc, scanStep(scan, before, results));
  }
  for (unsigned i = 0; i < numOuter; ++i)
    nest.close(m_loc);
  finishKept();
  for (auto [result, buffer] : llvm::zip(scan.getResult(), results))
    m_buffers[result] = buffer;
}

} // namespace tilescope::cpu
