// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Reductions and scans in the interpreter's order (interpreter/RegionOperations.cpp), where its bits are wanted:
//
//     one commutative operation    the halves of the axis:    ab cd ef gh  ──►  a+e b+f c+g d+h  ──►  …
//     a function                   neighbors:                 ab cd ef gh  ──►  a+b c+d e+f g+h  ──►  …
//     scans                        distances of 1, 2, 4, …    each element with the one so far in front of it
//
// Functions that branch are executed element after element by either. Each step reads memory and writes memory.
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Support.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::cpu {

bool branches(Region &region) {
  return llvm::any_of(region.front(), [](Operation &op) { return op.getNumRegions() > 0; });
}

/// Combinations of which the interpreter has one function.
static bool isOneOperation(tt::ReduceOp reduce) {
  Operation *combiner = reduce.getSingleCombiner();
  return combiner &&
         isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::AddIOp, arith::MulIOp, arith::MaxSIOp, arith::MinSIOp,
             arith::MaxUIOp, arith::MinUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(combiner);
}

static RankedTensorType withExtent(RankedTensorType type, unsigned axis, int64_t extent) {
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = extent;
  return RankedTensorType::get(shape, type.getElementType());
}

/// `scale * index + offset` along the axis.
Place KernelLowering::movedAlong(const Place &place, unsigned axis, int64_t scale, int64_t offset) {
  const auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(m_builder, m_loc, value, 64);
  };
  Place moved = place;
  Value &index = moved.indices[axis];
  index = arith::AddIOp::create(m_builder, m_loc,
                                arith::MulIOp::create(m_builder, m_loc, index, number(scale)),
                                number(offset));
  return moved;
}

SmallVector<Value> KernelLowering::readAll(ArrayRef<Buffer> buffers, const Place &place) {
  SmallVector<Value> values;
  for (const Buffer &buffer : buffers)
    values.push_back(readBuffer(buffer, place));
  return values;
}

/// Combines two elements of each result along the axis; returns the buffers of half the extent.
SmallVector<Buffer> KernelLowering::halve(tt::ReduceOp reduce, ArrayRef<Buffer> sources) {
  const unsigned axis = reduce.getAxis();
  const RankedTensorType type = sources.front().type;
  const int64_t half = type.getDimSize(axis) / 2;
  SmallVector<Buffer> results;
  for (const Buffer &source : sources)
    results.push_back(allocate(withExtent(source.type, axis, half)));
  const bool hasHalves = isOneOperation(reduce);
  const int last = static_cast<int>(type.getRank()) - 1;
  const int64_t extent = results.front().type.getDimSize(last);
  Lanes lanes;
  if (extent > 1 && takesLanes(reduce.getCombineOp()) &&
      (hasHalves || static_cast<int>(axis) != last))
    lanes = {last, std::min(lanesPerTile(), extent)};
  forEachTile(results.front().type.getShape(), lanes, {}, [&] {
    const Place &place = m_nest->place();
    const Place left = hasHalves ? place : movedAlong(place, axis, 2, 0);
    const Place right =
        hasHalves ? movedAlong(place, axis, 1, half) : movedAlong(place, axis, 2, 1);
    const SmallVector<Value> values =
        combine(reduce.getCombineOp(), readAll(sources, left), readAll(sources, right));
    for (auto [buffer, value] : llvm::zip(results, values))
      writeBuffer(buffer, place, value);
  });
  return results;
}

void KernelLowering::lowerReduceInOrder(tt::ReduceOp reduce) {
  SmallVector<Buffer> buffers;
  for (Value source : reduce.getSrcs()) {
    keep(source);
    buffers.push_back(m_buffers.lookup(source));
  }
  while (buffers.front().type.getDimSize(reduce.getAxis()) > 1)
    buffers = halve(reduce, buffers);
  for (auto [result, buffer] : llvm::zip(reduce.getResult(), buffers)) {
    // Its axis has one element left.
    if (auto type = dyn_cast<RankedTensorType>(result.getType()))
      m_buffers[result] = {buffer.base, type};
    else
      m_scalars.map(result, readAt(buffer.base, elementTypeOf(result.getType()), 0));
  }
}

void KernelLowering::lowerScanInOrder(tt::ScanOp scan) {
  const unsigned axis = scan.getAxis();
  const RankedTensorType type = scan.getInputTypes()[0];
  const int64_t extent = type.getDimSize(axis);
  const SmallVector<Buffer> results = allocateFor(scan.getResult());
  for (auto [source, buffer] : llvm::zip(scan.getSrcs(), results))
    fill(buffer, source);
  for (int64_t distance = 1; distance < extent; distance *= 2) {
    Nest nest(m_builder, withExtent(type, axis, extent - distance).getShape(), Lanes(), m_zero);
    m_nest = &nest;
    const unsigned numOuter = openAround(axis);
    nest.open(m_loc, axis);
    // From the end on, so that what is in front is still that of the step before.
    const Place here =
        scan.getReverse() ? nest.place() : movedAlong(nest.place(), axis, -1, extent - 1);
    const Place before = movedAlong(here, axis, 1, scan.getReverse() ? distance : -distance);
    const SmallVector<Value> values =
        combine(scan.getCombineOp(), readAll(results, before), readAll(results, here));
    for (auto [buffer, value] : llvm::zip(results, values))
      writeBuffer(buffer, here, value);
    for (unsigned i = 0; i < numOuter + 1; ++i)
      nest.close(m_loc);
    finishKept();
  }
  for (auto [result, buffer] : llvm::zip(scan.getResult(), results))
    m_buffers[result] = buffer;
}

} // namespace tilescope::cpu
