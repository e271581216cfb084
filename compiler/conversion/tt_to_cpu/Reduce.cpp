// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Reductions: tiles are combined lane by lane along the axis, and then, where the lanes lie along
// the axis themselves, the halves of the last tile until one lane is left.
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Support.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;

namespace tilescope::cpu {

/// The element that changes no other when the operation combines them; null where there is none.
/// `maxnumf` ignores a NaN.
static TypedAttr neutralElement(Operation *combiner, Type type) {
  OpBuilder b(type.getContext());
  constexpr double inf = std::numeric_limits<double>::infinity();
  auto floating = [&](double value) -> TypedAttr { return b.getFloatAttr(type, value); };
  auto integer = [&](auto value) -> TypedAttr {
    return b.getIntegerAttr(type, value(type.getIntOrFloatBitWidth()));
  };
  return llvm::TypeSwitch<Operation *, TypedAttr>(combiner)
      .Case([&](arith::AddFOp) { return floating(-0.0); })
      .Case([&](arith::MulFOp) { return floating(1); })
      .Case<arith::MaxNumFOp, arith::MinNumFOp>(
          [&](Operation *) { return floating(std::numeric_limits<double>::quiet_NaN()); })
      .Case([&](arith::MaximumFOp) { return floating(-inf); })
      .Case([&](arith::MinimumFOp) { return floating(inf); })
      .Case<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(
          [&](Operation *) { return integer([](unsigned bits) { return APInt::getZero(bits); }); })
      .Case<arith::AndIOp, arith::MinUIOp>([&](Operation *) {
        return integer([](unsigned bits) { return APInt::getAllOnes(bits); });
      })
      .Case([&](arith::MulIOp) { return integer([](unsigned bits) { return APInt(bits, 1); }); })
      .Case([&](arith::MaxSIOp) { return integer(APInt::getSignedMinValue); })
      .Case([&](arith::MinSIOp) { return integer(APInt::getSignedMaxValue); })
      .Default([](Operation *) { return TypedAttr(); });
}

static TypedAttr neutralElement(tt::ReduceOp reduce) {
  Operation *combiner = reduce.getSingleCombiner();
  return combiner ? neutralElement(combiner, combiner->getResult(0).getType()) : TypedAttr();
}

SmallVector<Value> KernelLowering::combine(Region &region, ValueRange left, ValueRange right) {
  if (!takesLanes(region))
    return callRegion(region, llvm::to_vector(llvm::concat<Value>(left, right)));
  Block &block = region.front();
  IRMapping tiles;
  for (auto [argument, tile] : llvm::zip(block.getArguments(), llvm::concat<Value>(left, right)))
    tiles.map(argument, tile);
  for (Operation &op : block.without_terminator()) {
    if (op.getNumOperands() == 0) {
      tiles.map(op.getResult(0), m_builder.clone(op)->getResult(0));
      continue;
    }
    SmallVector<Value, 4> operands;
    for (Value operand : op.getOperands())
      operands.push_back(tiles.contains(operand) ? tiles.lookup(operand) : scalar(operand));
    tiles.map(op.getResult(0), emitOnTiles(&op, operands));
  }
  SmallVector<Value> results;
  for (auto [result, tile] : llvm::zip(block.getTerminator()->getOperands(), left))
    results.push_back(splat(m_builder, m_loc, tiles.lookup(result), lanesOf(tile)));
  return results;
}

SmallVector<Value> KernelLowering::sourcesAt(ValueRange sources, const Place &place) {
  SmallVector<Value> tiles;
  for (Value source : sources) {
    Value tile = at(source, place);
    tiles.push_back(place.laneDim < 0 ? tile
                                      : splat(m_builder, m_loc, tile, m_nest->lanes().count));
  }
  return tiles;
}

SmallVector<Value> KernelLowering::firstValues(tt::ReduceOp reduce) {
  TypedAttr neutral = neutralElement(reduce);
  if (!neutral)
    return sourcesAt(reduce.getSrcs(), m_nest->place());
  const Lanes &lanes = m_nest->lanes();
  Type type = neutral.getType();
  if (lanes.dim >= 0)
    type = VectorType::get({lanes.count}, type);
  return {constantOf(m_builder, m_loc, type, neutral)};
}

SmallVector<Value> KernelLowering::foldLanes(Region &region, SmallVector<Value> tiles) {
  for (int64_t lanes = lanesOf(tiles[0]); lanes > 1; lanes /= 2) {
    auto half = [&](Value tile, int64_t first) -> Value {
      return vector::ExtractStridedSliceOp::create(m_builder, m_loc, tile, first, lanes / 2,
                                                   int64_t(1));
    };
    SmallVector<Value> low, high;
    for (Value tile : tiles) {
      low.push_back(half(tile, 0));
      high.push_back(half(tile, lanes / 2));
    }
    tiles = combine(region, low, high);
  }
  for (Value &tile : tiles)
    if (lanesOf(tile))
      tile = vector::ExtractOp::create(m_builder, m_loc, tile, int64_t(0));
  return tiles;
}

/// Whether it picks the largest or the smallest number, and NaN only where there is nothing else.
static bool picksNumber(tt::ReduceOp reduce) {
  Operation *combiner = reduce.getSingleCombiner();
  if (!combiner || !isa<arith::MaxNumFOp, arith::MinNumFOp>(combiner))
    return false;
  Type type = combiner->getResult(0).getType();
  return type.isF32() || type.isF64();
}

/// Processors compare with NaN as if it were neither larger nor smaller: one instruction that each step waits for, where
/// `maxnumf` takes three. Whether there was a number at all is kept beside, and nothing waits for that.
SmallVector<Value> KernelLowering::firstNumbers(tt::ReduceOp reduce) {
  Value nan = firstValues(reduce).front();
  const double inf = std::numeric_limits<double>::infinity();
  const bool isLargest = isa<arith::MaxNumFOp>(reduce.getSingleCombiner());
  Type hasNumber = typeLike(nan, m_builder.getI1Type());
  return {floatLike(m_builder, m_loc, nan, isLargest ? -inf : inf),
          constantOf(m_builder, m_loc, hasNumber, m_builder.getBoolAttr(false))};
}

SmallVector<Value> KernelLowering::pickNumber(tt::ReduceOp reduce, ValueRange carried,
                                              Value source) {
  using P = arith::CmpFPredicate;
  const bool isLargest = isa<arith::MaxNumFOp>(reduce.getSingleCombiner());
  Value isBeyond =
      arith::CmpFOp::create(m_builder, m_loc, isLargest ? P::OGT : P::OLT, source, carried[0]);
  Value isNumber = arith::CmpFOp::create(m_builder, m_loc, P::ORD, source, source);
  return {arith::SelectOp::create(m_builder, m_loc, isBeyond, source, carried[0]),
          arith::OrIOp::create(m_builder, m_loc, carried[1], isNumber)};
}

/// Combines along the axis, at the place where the nest is.
SmallVector<Value> KernelLowering::reduceTiles(tt::ReduceOp reduce, const WholeTiles &whole) {
  Region &region = reduce.getCombineOp();
  const int axis = static_cast<int>(reduce.getAxis());
  const Lanes &lanes = m_nest->lanes();
  const int64_t extent = reduce.getInputTypes()[0].getDimSize(axis);
  const bool isFolded = axis == lanes.dim;
  const bool hasNeutral = neutralElement(reduce) != nullptr;
  const bool picks = picksNumber(reduce);
  SmallVector<Value> sums = picks ? firstNumbers(reduce) : firstValues(reduce);
  // Without a neutral element the first tile is combined already.
  const auto addTo = [&](ValueRange carried) {
    const SmallVector<Value> sources = sourcesAt(reduce.getSrcs(), m_nest->place());
    sums = picks ? pickNumber(reduce, carried, sources.front()) : combine(region, carried, sources);
    sums = m_nest->close(m_loc, sums);
  };
  if (hasNeutral && !whole.conditions.empty()) {
    Value end = arith::ConstantIntOp::create(m_builder, m_loc, extent, 64);
    Value middle =
        isFolded ? whole.end
                 : arith::SelectOp::create(m_builder, m_loc, whole.isAll, end, m_zero).getResult();
    withoutMasks(whole, [&] { addTo(m_nest->openPart(m_loc, axis, {m_zero, middle}, sums)); });
    m_nest->forget();
    addTo(m_nest->openPart(m_loc, axis, {middle, end}, sums));
  } else if (hasNeutral || extent > (isFolded ? lanes.count : 1)) {
    addTo(m_nest->open(m_loc, axis, sums, !hasNeutral));
  }
  if (picks)
    sums = {
        arith::SelectOp::create(m_builder, m_loc, sums[1], sums[0], firstValues(reduce).front())};
  return isFolded ? foldLanes(region, std::move(sums)) : sums;
}

unsigned KernelLowering::openAround(unsigned axis) {
  const int laneDim = m_nest->lanes().dim;
  unsigned numOpened = 0;
  auto open = [&](unsigned dim) {
    m_nest->open(m_loc, dim);
    ++numOpened;
  };
  for (unsigned dim = 0; dim < m_nest->place().indices.size(); ++dim)
    if (dim != axis && static_cast<int>(dim) != laneDim)
      open(dim);
  if (laneDim >= 0 && laneDim != static_cast<int>(axis))
    open(static_cast<unsigned>(laneDim));
  return numOpened;
}

void KernelLowering::lowerReduce(tt::ReduceOp reduce) {
  const RankedTensorType source = reduce.getInputTypes()[0];
  const unsigned axis = reduce.getAxis();
  prepare(llvm::to_vector_of<Value>(reduce.getSrcs()), neutralElement(reduce) != nullptr);
  SmallVector<Buffer> results;
  if (source.getRank() > 1)
    for (Value result : reduce.getResult())
      results.push_back(allocate(cast<RankedTensorType>(result.getType())));
  const SmallVector<Value> sources = llvm::to_vector_of<Value>(reduce.getSrcs());
  const Lanes lanes = chooseLanesFor(reduce.getCombineOp(), sources);
  const WholeTiles whole = wholeTiles(source.getShape(), lanes, sources);
  Nest nest(m_builder, source.getShape(), lanes, m_zero);
  m_nest = &nest;
  const unsigned numOuter = openAround(axis);
  SmallVector<Value> values = reduceTiles(reduce, whole);
  Place place = nest.place();
  place.indices.erase(place.indices.begin() + axis);
  if (place.laneDim == static_cast<int>(axis))
    place.laneDim = -1;
  else if (place.laneDim > static_cast<int>(axis))
    --place.laneDim;
  for (auto [buffer, value] : llvm::zip(results, values))
    writeBuffer(buffer, place, value);
  for (unsigned i = 0; i < numOuter; ++i)
    nest.close(m_loc);
  finishKept();
  for (auto [result, value] : llvm::zip(reduce.getResult(), values))
    if (results.empty())
      m_scalars.map(result, value);
  for (auto [result, buffer] : llvm::zip(reduce.getResult(), results))
    m_buffers[result] = buffer;
}

} // namespace tilescope::cpu
