// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/LayoutTransfer.h"

#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tilescope::ttg {

Attribute encodingOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getEncoding() : Attribute();
}

SmallVector<int64_t> shapePerBlock(RankedTensorType type) {
  return getShapePerCta(getCgaLayout(type.getEncoding()), type.getShape());
}

Type withEncoding(Type type, Attribute encoding) {
  return cast<RankedTensorType>(type).cloneWithEncoding(encoding);
}

static bool isElementwise(Operation *op) {
  return isa<tt::BroadcastOp, tt::ScanOp>(op) ||
         (op->hasTrait<OpTrait::Elementwise>() && isMemoryEffectFree(op));
}

bool passesLayouts(Operation *op) {
  if (auto reshape = dyn_cast<tt::ReshapeOp>(op))
    return !reshape.getEfficientLayout();
  if (op->getNumResults() == 0 || !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  return isa<tt::ReduceOp, tt::ExpandDimsOp, tt::TransOp, tt::JoinOp, tt::SplitOp>(op) ||
         isElementwise(op);
}

bool acceptsAnyLayout(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (isa<tt::GatherOp>(op))
    return operand.getOperandNumber() == 0;
  if (isa<tt::HistogramOp>(op))
    return op->getNumOperands() == 1;
  // Reductions to scalars; of several blocks all must still agree.
  if (isa<tt::ReduceOp>(op))
    return op->getNumOperands() == 1 && !isa<RankedTensorType>(op->getResult(0).getType());
  return isa<ConvertLayoutOp, tt::UnsplatOp, tt::PrintOp, tt::AssertOp, LocalStoreOp, LocalAllocOp>(
      op);
}

static const tt::InferLayoutInterface &inference(Attribute encoding) {
  return *tt::getInferLayoutInterface(encoding);
}

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static Attribute orNull(FailureOr<Attribute> encoding) {
  return succeeded(encoding) ? *encoding : Attribute();
}

Attribute resultEncoding(Operation *op, Attribute operand) {
  const tt::InferLayoutInterface &layouts = inference(operand);
  return TypeSwitch<Operation *, Attribute>(op)
      .Case([&](tt::ReduceOp reduce) {
        return orNull(layouts.inferReduce(operand, reduce.getAxis(), {}));
      })
      .Case([&](tt::ExpandDimsOp expand) {
        return orNull(layouts.inferExpandDims(operand, expand.getAxis(), {}));
      })
      .Case([&](tt::TransOp trans) {
        return orNull(layouts.inferTrans(operand, shapeOf(trans.getSrc()), trans.getOrder(), {}));
      })
      .Case([&](tt::ReshapeOp reshape) {
        return orNull(layouts.inferReshape(operand, shapeOf(reshape.getSrc()),
                                           shapeOf(reshape.getResult()), {}));
      })
      .Case([&](tt::JoinOp join) {
        return orNull(layouts.inferJoin(operand, shapeOf(join.getLhs()), {}));
      })
      .Case([&](tt::SplitOp split) {
        return orNull(layouts.inferSplit(operand, shapeOf(split.getSrc()), {}));
      })
      .Default([&](Operation *) { return operand; });
}

Attribute operandEncoding(Operation *op, unsigned index, Attribute result) {
  if (!isa<RankedTensorType>(op->getOperand(index).getType()))
    return {};
  const tt::InferLayoutInterface &layouts = inference(result);
  MLIRContext *context = op->getContext();
  return TypeSwitch<Operation *, Attribute>(op)
      .Case([&](tt::ReduceOp reduce) -> Attribute {
        auto slice = dyn_cast<SliceEncodingAttr>(result);
        return slice && slice.getDim() == reduce.getAxis() ? slice.getParent() : Attribute();
      })
      .Case([&](tt::ExpandDimsOp expand) -> Attribute {
        return SliceEncodingAttr::get(context, expand.getAxis(), result);
      })
      .Case([&](tt::TransOp trans) {
        SmallVector<int32_t> inverse(trans.getOrder().size());
        for (auto [to, from] : llvm::enumerate(trans.getOrder()))
          inverse[from] = to;
        return orNull(layouts.inferTrans(result, shapeOf(trans.getResult()), inverse, {}));
      })
      .Case([&](tt::ReshapeOp reshape) {
        return orNull(layouts.inferReshape(result, shapeOf(reshape.getResult()),
                                           shapeOf(reshape.getSrc()), {}));
      })
      .Case([&](tt::JoinOp join) {
        Attribute split = orNull(layouts.inferSplit(result, shapeOf(join.getResult()), {}));
        // Joining must return exactly what was asked for.
        return split && resultEncoding(op, split) == result ? split : Attribute();
      })
      .Case([&](tt::SplitOp split) {
        Attribute joined = orNull(layouts.inferJoin(result, shapeOf(split.getOutLHS()), {}));
        // Splitting must return exactly what was asked for.
        return joined && resultEncoding(op, joined) == result ? joined : Attribute();
      })
      .Default([&](Operation *) { return result; });
}

bool isMadeInAnyLayout(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    // The elements of other constants are tied to their places only when the program is run.
    return isa<RankedTensorType>(constant.getType());
  }
  return isa<tt::SplatOp, tt::MakeRangeOp, ub::PoisonOp>(op);
}

bool isExpensiveAccess(Operation *op) {
  auto pointers = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  // A pointer to a block moves all of it.
  if (!pointers)
    return isa<RankedTensorType>(tt::getPointeeType(op->getOperand(0).getType()));
  // With fewer elements than threads the cache serves most of the accesses.
  auto module = op->getParentOfType<ModuleOp>();
  return pointers.getNumElements() >= int64_t(numWarps(module)) * threadsPerWarp(module);
}

bool isLayoutAnchor(Operation *op) {
  if (isa<tt::LoadOp, tt::StoreOp>(op))
    return isExpensiveAccess(op);
  if (auto gather = dyn_cast<tt::GatherOp>(op))
    return gather.getEfficientLayout();
  // A reshape that may reorder can have any result; what follows takes the layout that it has.
  if (auto reshape = dyn_cast<tt::ReshapeOp>(op))
    return reshape.getAllowReorder();
  // Operations on a factor on its way to the dot are computed in the layout that the dot needs.
  if (auto convert = dyn_cast<ConvertLayoutOp>(op))
    return isa<DotOperandEncodingAttr>(convert.getType().getEncoding());
  return isa<tt::DotOp, tt::DotScaledOp, tt::AtomicRMWOp, tt::AtomicCASOp, tt::DescriptorLoadOp,
             tt::DescriptorGatherOp, LocalLoadOp, ttng::WarpGroupDotOp>(op);
}

void setResultEncodings(Operation *op, Attribute encoding) {
  for (OpResult result : op->getResults())
    if (isa<RankedTensorType>(result.getType()))
      result.setType(withEncoding(result.getType(), encoding));
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = cast<DenseElementsAttr>(constant.getValue());
    auto type = cast<RankedTensorType>(constant.getType());
    constant.setValueAttr(value.isSplat()
                              ? DenseElementsAttr::get(type, value.getSplatValue<Attribute>())
                              : value.reshape(type));
  }
}

Value withoutConversions(Value value) {
  while (auto convert = value.getDefiningOp<ConvertLayoutOp>())
    value = convert.getSrc();
  return value;
}

Value convertAfterDefinition(Value value, Attribute encoding) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  return ConvertLayoutOp::create(builder, value.getLoc(), withEncoding(value.getType(), encoding),
                                 value);
}

/// Bytes of a block, where each element counts at least `leastBits` and there are at least
/// `leastElements`.
static int64_t bytesOf(RankedTensorType type, int64_t leastElements = 0, int64_t leastBits = 0) {
  int64_t bits = std::max<int64_t>(tt::getElementBitWidth(type), leastBits);
  return std::max<int64_t>(type.getNumElements(), leastElements) * bits / 8;
}

/// How many times more registers a block takes in another layout, where more threads hold copies.
static int64_t replication(RankedTensorType type, Attribute encoding) {
  return std::max<int64_t>(1, elementsPerThread(type.cloneWithEncoding(encoding)) /
                                  elementsPerThread(type));
}

int64_t conversionCost(RankedTensorType type, Attribute encoding) {
  ConversionKind kind = classifyConversion(type, type.cloneWithEncoding(encoding));
  if (kind == ConversionKind::None || kind == ConversionKind::Registers)
    return 0;
  // A conversion is about as slow as 32 simple operations on what it moves.
  return 32 * bytesOf(type, 32, 32) * replication(type, encoding);
}

int64_t computationCost(Operation *op, Attribute encoding) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || isMadeInAnyLayout(op) ||
      isa<tt::ExpandDimsOp, tt::BroadcastOp, tt::TransOp, tt::ReshapeOp, tt::JoinOp, tt::SplitOp>(
          op))
    return 0;
  int64_t weight = 1;
  if (isa<tt::LoadOp, arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::RemFOp, tt::PreciseDivFOp, tt::PreciseSqrtOp, tt::ExternElementwiseOp>(op) ||
      isa<math::MathDialect>(op->getDialect()))
    weight = 8;
  if (isa<tt::ReduceOp, tt::ScanOp>(op))
    return 8 * bytesOf(cast<RankedTensorType>(op->getOperand(0).getType()));
  return weight * bytesOf(type) * replication(type, encoding);
}

} // namespace tilescope::ttg
