// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Elements of blocks where they are needed: from a need to the needs of what is needed for it.
#include "compiler/conversion/tt_to_cpu/Elementwise.h"
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tilescope::cpu {

/// Along a dimension of one element, all places are one.
Place KernelLowering::withoutUnitDims(RankedTensorType type, const Place &place) const {
  Place result = place;
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    if (extent == 1) {
      result.indices[dim] = m_zero;
      if (result.laneDim == static_cast<int>(dim))
        result.laneDim = -1;
    }
  return result;
}

Value KernelLowering::at(Value block, const Place &wanted) {
  auto type = dyn_cast<RankedTensorType>(block.getType());
  if (!type)
    return scalar(block);
  const Place place = withoutUnitDims(type, wanted);
  const auto keepTile = [&](Value tile) {
    if (auto it = m_beingKept.find(block); it != m_beingKept.end())
      writeBuffer(it->second, place, tile);
  };
  if (m_known.contains(block)) {
    Value holds = arith::ConstantIntOp::create(m_builder, m_loc, 1, 1);
    keepTile(holds);
    return holds;
  }
  if (Value known = m_nest->find(block, place))
    return known;
  OpBuilder::InsertionGuard guard(m_builder);
  m_nest->moveTo(m_nest->depthOf(place.indices));
  Value value;
  if (auto it = m_buffers.find(block); it != m_buffers.end())
    value = readBuffer(it->second, place);
  else
    value = compute(block, place);
  m_nest->remember(block, place, value);
  keepTile(value);
  return value;
}

Value KernelLowering::compute(Value block, const Place &place) {
  Operation *op = block.getDefiningOp();
  const Location loc = m_loc;
  m_loc = op->getLoc();
  Value value;
  if (isElementwise(op)) {
    SmallVector<Value, 4> operands;
    for (Value operand : op->getOperands())
      operands.push_back(at(operand, place));
    noteZeroDivisor(op, operands);
    value = isa<arith::AndIOp>(op) && isTrue(operands[0])   ? operands[1]
            : isa<arith::AndIOp>(op) && isTrue(operands[1]) ? operands[0]
                                                            : emitOnTiles(op, operands);
  } else if (auto load = dyn_cast<tt::LoadOp>(op)) {
    value = computeLoad(load, place);
  } else {
    value = computeShaped(op, place);
  }
  m_loc = loc;
  return value;
}

/// `start + index`, in 32 bits.
static Value rangeAt(OpBuilder &b, tt::MakeRangeOp range, const Place &place, int64_t lanes) {
  const Location loc = range.getLoc();
  Value index = arith::TruncIOp::create(b, loc, b.getI32Type(), place.indices[0]);
  Value first = arith::AddIOp::create(b, loc, index,
                                      arith::ConstantIntOp::create(b, loc, range.getStart(), 32));
  return place.laneDim < 0 ? first : ramp(b, loc, first, 1, lanes);
}

static Value constantAt(OpBuilder &b, Operation *op) {
  Type type = elementTypeOf(op->getResult(0).getType());
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant)
    return ub::PoisonOp::create(b, op->getLoc(), type);
  return constantOf(b, op->getLoc(), type,
                    cast<SplatElementsAttr>(constant.getValue()).getSplatValue<Attribute>());
}

Value KernelLowering::computeShaped(Operation *op, const Place &place) {
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](tt::SplatOp splat) { return scalar(splat.getSrc()); })
      .Case([&](tt::MakeRangeOp range) {
        return rangeAt(m_builder, range, place, m_nest->lanes().count);
      })
      .Case([&](tt::BroadcastOp broadcast) {
        // Dimensions of one element take any index.
        return at(broadcast.getSrc(), place);
      })
      .Case([&](tt::ExpandDimsOp expand) {
        const int axis = static_cast<int>(expand.getAxis());
        Place source = place;
        source.indices.erase(source.indices.begin() + axis);
        if (source.laneDim > axis)
          --source.laneDim;
        return at(expand.getSrc(), source);
      })
      .Case([&](tt::TransOp trans) {
        Place source = place;
        for (auto [to, from] : llvm::enumerate(trans.getOrder())) {
          source.indices[from] = place.indices[to];
          if (place.laneDim == static_cast<int>(to))
            source.laneDim = from;
        }
        return at(trans.getSrc(), source);
      })
      .Default([&](Operation *) { return constantAt(m_builder, op); });
}

} // namespace tilescope::cpu
