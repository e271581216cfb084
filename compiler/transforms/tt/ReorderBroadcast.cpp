// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Computes before broadcasting, on fewer elements:
//
//   %b = splat %x : i32 -> tensor<64xi32>          %s = addi %x, %y : i32
//   %c = splat %y : i32 -> tensor<64xi32>    ==>   %r = splat %s : i32 -> tensor<64xi32>
//   %r = addi %b, %c : tensor<64xi32>
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/transforms/tt/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tilescope::tt {

#define GEN_PASS_DEF_REORDERBROADCAST
#include "compiler/transforms/tt/Passes.h.inc"

/// Whether the operation may work on other shapes: elementwise, pure, one block as its result.
static bool isReshapable(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() && op->getNumRegions() == 0 &&
         op->getNumResults() == 1 && op->getNumOperands() > 0 && isMemoryEffectFree(op) &&
         isa<RankedTensorType>(op->getResultTypes().front()) && !isa<ElementwiseInlineAsmOp>(op);
}

/// The operation on other operands, with the result type that goes with their shape.
static Value recreate(Operation *op, ValueRange operands, Type resultType,
                      PatternRewriter &rewriter) {
  OperationState state(op->getLoc(), op->getName(), operands, resultType, {});
  // Hints such as `tt.divisibility` hold per dimension of the old shape.
  if (op->getPropertiesStorage())
    state.propertiesAttr = op->getPropertiesAsAttribute();
  return rewriter.create(state)->getResult(0);
}

static SplatElementsAttr getSplatConstant(Value value) {
  SplatElementsAttr constant;
  return matchPattern(value, m_Constant(&constant)) ? constant : SplatElementsAttr();
}

namespace {

struct MoveSplatAfterElementwise : public RewritePattern {
  explicit MoveSplatAfterElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isReshapable(op))
      return failure();
    bool hasSplat = false;
    for (Value operand : op->getOperands()) {
      bool isSplat = static_cast<bool>(operand.getDefiningOp<SplatOp>());
      hasSplat |= isSplat;
      if (!isSplat && isa<RankedTensorType>(operand.getType()) && !getSplatConstant(operand))
        return failure();
    }
    // Constants alone are folded elsewhere.
    if (!hasSplat)
      return failure();
    SmallVector<Value> scalars;
    for (Value operand : op->getOperands()) {
      if (auto splat = operand.getDefiningOp<SplatOp>())
        scalars.push_back(splat.getSrc());
      else if (SplatElementsAttr constant = getSplatConstant(operand))
        scalars.push_back(arith::ConstantOp::create(rewriter, operand.getLoc(),
                                                    constant.getSplatValue<TypedAttr>()));
      else
        scalars.push_back(operand);
    }
    Type resultType = op->getResultTypes().front();
    Value scalar = recreate(op, scalars, getElementTypeOrSelf(resultType), rewriter);
    rewriter.replaceOpWithNewOp<SplatOp>(op, resultType, scalar);
    return success();
  }
};

struct MoveBroadcastAfterElementwise : public RewritePattern {
  explicit MoveBroadcastAfterElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isReshapable(op))
      return failure();
    RankedTensorType small;
    for (Value operand : op->getOperands()) {
      if (auto broadcast = operand.getDefiningOp<BroadcastOp>()) {
        RankedTensorType type = broadcast.getSrc().getType();
        if (small &&
            (small.getShape() != type.getShape() || small.getEncoding() != type.getEncoding()))
          return failure();
        small = type;
      } else if (isa<RankedTensorType>(operand.getType()) && !operand.getDefiningOp<SplatOp>() &&
                 !getSplatConstant(operand)) {
        return failure();
      }
    }
    if (!small)
      return failure();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      Type type = isa<RankedTensorType>(operand.getType())
                      ? Type(small.clone(getElementTypeOrSelf(operand.getType())))
                      : operand.getType();
      if (auto broadcast = operand.getDefiningOp<BroadcastOp>())
        operands.push_back(broadcast.getSrc());
      else if (auto splat = operand.getDefiningOp<SplatOp>())
        operands.push_back(SplatOp::create(rewriter, splat.getLoc(), type, splat.getSrc()));
      else if (SplatElementsAttr constant = getSplatConstant(operand))
        operands.push_back(arith::ConstantOp::create(
            rewriter, operand.getLoc(),
            DenseElementsAttr::get(cast<ShapedType>(type), constant.getSplatValue<Attribute>())));
      else
        operands.push_back(operand);
    }
    Type resultType = op->getResultTypes().front();
    Value result = recreate(op, operands, small.clone(getElementTypeOrSelf(resultType)), rewriter);
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, resultType, result);
    return success();
  }
};

struct ReorderBroadcast : public impl::ReorderBroadcastBase<ReorderBroadcast> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    for (StringRef name : {"tt.broadcast", "tt.expand_dims", "tt.splat"})
      if (auto info = RegisteredOperationName::lookup(name, &getContext()))
        info->getCanonicalizationPatterns(patterns, &getContext());
    patterns.add<MoveSplatAfterElementwise, MoveBroadcastAfterElementwise>(&getContext());
    bool changed = false;
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), {}, &changed)))
      signalPassFailure();
    else if (!changed)
      markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace tilescope::tt
