// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/ConversionCleanup.h"

#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/transforms/ttg/LayoutTransfer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using tilescope::compiler::Dim;
using tilescope::compiler::LinearLayout;

namespace tilescope::ttg {

/// Whether a block can be taken for the other without moving anything, whatever its elements are
/// called then: threads hold as many elements of both, and the same threads hold copies.
static bool areHeldAlike(RankedTensorType one, RankedTensorType other) {
  const LinearLayout &first = toLinearLayout(one), &second = toLinearLayout(other);
  return first.inSize(Dim::Register) == second.inSize(Dim::Register) &&
         first.freeVariableMasks() == second.freeVariableMasks();
}

/// Whether the operation can produce its result in this layout at no cost.
static bool isIndifferent(Operation *op, Attribute encoding) {
  if (auto reshape = dyn_cast<tt::ReshapeOp>(op))
    return reshape.getAllowReorder() && !reshape.getEfficientLayout() &&
           areHeldAlike(cast<RankedTensorType>(reshape.getSrc().getType()),
                        reshape.getType().cloneWithEncoding(encoding));
  return isa<tt::HistogramOp, LocalLoadOp>(op);
}

static Value converted(OpBuilder &builder, Value value, Attribute encoding);

/// What is computed from the result of a conversion, and converted again, is computed in the later
/// layout, behind one conversion; null for other values.
static Value behindOneConversion(ConvertLayoutOp convert) {
  Value source = convert.getSrc();
  Operation *op = source.getDefiningOp();
  if (!op || !source.hasOneUse() || op->getNumOperands() != 1 || op->getNumRegions() != 0 ||
      op->getNumResults() != 1 || !passesLayouts(op) || isa<tt::ReshapeOp>(op))
    return {};
  auto inner = op->getOperand(0).getDefiningOp<ConvertLayoutOp>();
  if (!inner || !inner->hasOneUse())
    return {};
  Attribute wanted = operandEncoding(op, 0, convert.getType().getEncoding());
  if (!wanted)
    return {};
  OpBuilder builder(convert);
  Operation *copy = builder.clone(*op);
  builder.setInsertionPoint(copy);
  copy->setOperand(0, converted(builder, inner.getSrc(), wanted));
  setResultEncodings(copy, convert.getType().getEncoding());
  return copy->getResult(0);
}

/// The value in the layout of the conversion without converting, or with one conversion fewer; null
/// when neither is possible.
static Value withoutConversion(ConvertLayoutOp convert) {
  Value source = convert.getSrc();
  if (source.getType() == convert.getType())
    return source;
  Operation *op = source.getDefiningOp();
  if (!op)
    return {};
  Attribute encoding = convert.getType().getEncoding();
  OpBuilder builder(convert);
  if (isMadeInAnyLayout(op) ||
      (isIndifferent(op, encoding) && source.hasOneUse() && !isa<LocalLoadOp>(op))) {
    Operation *copy = builder.clone(*op);
    setResultEncodings(copy, encoding);
    return copy->getResult(0);
  }
  // A buffer must be read where it was read before: it may be overwritten in between.
  if (isa<LocalLoadOp>(op) && source.hasOneUse()) {
    setResultEncodings(op, encoding);
    return source;
  }
  if (auto inner = dyn_cast<ConvertLayoutOp>(op)) {
    if (inner.getSrc().getType() == convert.getType())
      return inner.getSrc();
    convert.getSrcMutable().assign(inner.getSrc());
    return withoutConversion(convert);
  }
  return behindOneConversion(convert);
}

static Value converted(OpBuilder &builder, Value value, Attribute encoding) {
  auto convert = ConvertLayoutOp::create(builder, value.getLoc(),
                                         withEncoding(value.getType(), encoding), value);
  if (Value direct = withoutConversion(convert)) {
    convert.erase();
    return direct;
  }
  return convert;
}

/// Replaces every conversion for which `replacement` returns a value by it, and erases what it
/// converted if nothing else uses that.
static void replaceConversions(FunctionOpInterface function,
                               Value (*replacement)(ConvertLayoutOp)) {
  SmallVector<ConvertLayoutOp> conversions;
  function.walk([&](ConvertLayoutOp convert) { conversions.push_back(convert); });
  for (ConvertLayoutOp convert : conversions) {
    Operation *source = convert.getSrc().getDefiningOp();
    if (Value value = replacement(convert)) {
      convert.getResult().replaceAllUsesWith(value);
      convert.erase();
      // Another conversion may be one of those that are still to be visited.
      if (source && source->use_empty() && isMemoryEffectFree(source) &&
          !isa<ConvertLayoutOp>(source))
        source->erase();
    }
  }
}

void simplifyConversions(FunctionOpInterface function) {
  replaceConversions(function, withoutConversion);
}

/// What widens its operand does so behind the conversion, where that goes through shared memory:
/// half as much moves, and takes half the registers until it is used; null for other values.
static Value widenedBehind(ConvertLayoutOp convert) {
  Operation *op = convert.getSrc().getDefiningOp();
  const Attribute encoding = convert.getType().getEncoding();
  if (!op || !isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op) ||
      isa<DotOperandEncodingAttr>(encoding))
    return {};
  auto narrow = cast<RankedTensorType>(op->getOperand(0).getType());
  if (tt::getElementBitWidth(narrow) < 8 ||
      classifyConversion(narrow, narrow.cloneWithEncoding(encoding)) !=
          ConversionKind::SharedMemory)
    return {};
  OpBuilder builder(convert);
  Value moved = converted(builder, op->getOperand(0), encoding);
  Operation *copy = builder.clone(*op);
  copy->setOperand(0, moved);
  setResultEncodings(copy, encoding);
  return copy->getResult(0);
}

void widenBehindConversions(FunctionOpInterface function) {
  replaceConversions(function, widenedBehind);
}

} // namespace tilescope::ttg
