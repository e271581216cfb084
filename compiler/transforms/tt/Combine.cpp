// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operations that are cheaper as one:
//
//   %z = dot %a, %b, 0           %z = dot %a, %b, %d
//   %r = addf %z, %d       ==>
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/transforms/tt/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tilescope::tt {

#define GEN_PASS_DEF_COMBINE
#include "compiler/transforms/tt/Passes.h.inc"

/// Whether a condition of a select and a mask of a load are true at the same elements.
static bool isSameMask(Value condition, Value mask) {
  if (condition == mask)
    return true;
  auto splat = mask.getDefiningOp<SplatOp>();
  return splat && splat.getSrc() == condition;
}

namespace {

struct CombineSelectOfLoad : public OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op, PatternRewriter &rewriter) const override {
    auto load = op.getTrueValue().getDefiningOp<LoadOp>();
    if (!load || !load->hasOneUse() || !load.getMask() ||
        !isSameMask(op.getCondition(), load.getMask()))
      return failure();
    // The new load is at the select: nothing may write memory in between, and `other` is defined
    // there.
    if (load->getBlock() != op->getBlock())
      return failure();
    for (Operation *between = load->getNextNode(); between != op; between = between->getNextNode())
      if (!isMemoryEffectFree(between) && !isa<LoadOp>(between))
        return failure();
    rewriter.replaceOpWithNewOp<LoadOp>(op, load.getPtr(), load.getMask(), op.getFalseValue(),
                                        load.getCache(), load.getEvict(), load.getIsVolatile());
    rewriter.eraseOp(load);
    return success();
  }
};

// A sum of 32-bit offsets wraps where two steps with sign extension do not, so narrower offsets are
// combined only when both are known.
struct CombineAddPtr : public OpRewritePattern<AddPtrOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddPtrOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getPtr().getDefiningOp<AddPtrOp>();
    if (!inner || inner.getOffset().getType() != op.getOffset().getType())
      return failure();
    if (getElementBitWidth(op.getOffset().getType()) != 64) {
      APInt first, second;
      bool overflows = true;
      if (matchPattern(inner.getOffset(), m_ConstantInt(&first)) &&
          matchPattern(op.getOffset(), m_ConstantInt(&second)))
        (void)first.sadd_ov(second, overflows);
      if (overflows)
        return failure();
    }
    Location loc = rewriter.getFusedLoc({inner.getLoc(), op.getLoc()});
    Value sum = rewriter.createOrFold<arith::AddIOp>(loc, inner.getOffset(), op.getOffset());
    auto attributes = op->getDiscardableAttrDictionary();
    auto combined = rewriter.replaceOpWithNewOp<AddPtrOp>(op, op.getType(), inner.getPtr(), sum);
    combined->setDiscardableAttrs(attributes);
    return success();
  }
};

/// `dot(a, b, 0) + d` for the addition of floats or of integers.
template <typename AddOp> struct CombineDotAdd : public OpRewritePattern<AddOp> {
  using OpRewritePattern<AddOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    for (auto [product, summand] :
         {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())}) {
      auto dot = product.template getDefiningOp<DotOp>();
      if (!dot || !dot->hasOneUse() || dot.getMaxNumImpreciseAcc() != 0)
        continue;
      if (!matchPattern(dot.getC(), m_Zero()) && !matchPattern(dot.getC(), m_AnyZeroFloat()))
        continue;
      rewriter.replaceOpWithNewOp<DotOp>(op, dot.getType(), dot.getA(), dot.getB(), summand,
                                         dot.getInputPrecision(), dot.getMaxNumImpreciseAcc());
      return success();
    }
    return failure();
  }
};

/// The block of rank 2 from which `value` comes by a new dimension at `axis` and a broadcast; null
/// if it does not.
static Value getExpandedSource(Value value, unsigned axis) {
  if (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getSrc();
  auto expand = value.getDefiningOp<ExpandDimsOp>();
  if (!expand || expand.getAxis() != axis || expand.getType().getRank() != 3)
    return {};
  return expand.getSrc();
}

struct CombineMulReduce : public OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    if (op.getAxis() != 1 || !isa_and_nonnull<arith::AddFOp>(op.getSingleCombiner()))
      return failure();
    auto product = op.getSrcs().front().getDefiningOp<arith::MulFOp>();
    if (!product || !product->hasOneUse())
      return failure();
    auto type = cast<RankedTensorType>(product.getType());
    auto resultType = dyn_cast<RankedTensorType>(op.getResultTypes().front());
    if (type.getRank() != 3 || type.getEncoding() || !resultType)
      return failure();
    Value a = getExpandedSource(product.getLhs(), 2), b = getExpandedSource(product.getRhs(), 0);
    if (!a || !b) {
      a = getExpandedSource(product.getRhs(), 2);
      b = getExpandedSource(product.getLhs(), 0);
    }
    if (!a || !b)
      return failure();
    Value zero = arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getZeroAttr(resultType));
    // The sum was exact in each product, so the dot must be.
    rewriter.replaceOpWithNewOp<DotOp>(op, resultType, a, b, zero, InputPrecision::IEEE, 0);
    return success();
  }
};

struct Combine : public impl::CombineBase<Combine> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<CombineSelectOfLoad, CombineAddPtr, CombineDotAdd<arith::AddFOp>,
                 CombineDotAdd<arith::AddIOp>, CombineMulReduce>(&getContext());
    bool changed = false;
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), {}, &changed)))
      signalPassFailure();
    else if (!changed)
      markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace tilescope::tt
