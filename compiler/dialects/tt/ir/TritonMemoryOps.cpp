// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilescope::tt {

void LoadOp::build(OpBuilder &builder, OperationState &state, Value ptr, Value mask, Value other,
                   CacheModifier cache, EvictionPolicy evict, bool isVolatile) {
  build(builder, state, getPointeeType(ptr.getType()), ptr, mask, other, ArrayRef<int32_t>{},
        PaddingOptionAttr{}, cache, evict, isVolatile);
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value ptr,
                   ArrayRef<int32_t> boundaryCheck, std::optional<PaddingOption> padding,
                   CacheModifier cache, EvictionPolicy evict, bool isVolatile) {
  PaddingOptionAttr paddingAttr =
      padding ? PaddingOptionAttr::get(builder.getContext(), *padding) : nullptr;
  build(builder, state, getPointeeType(ptr.getType()), ptr, Value{}, Value{}, boundaryCheck,
        paddingAttr, cache, evict, isVolatile);
}

void LoadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable(), GlobalMemory::get());
  // A volatile load must neither be merged nor dropped.
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
}

static LogicalResult verifyBoundaryCheck(Operation *op, Type pointer,
                                         ArrayRef<int32_t> boundaryCheck, bool hasMask) {
  if (!isTensorPointerType(pointer)) {
    if (!boundaryCheck.empty())
      return op->emitOpError("has a `boundaryCheck`, but no block pointer");
    return success();
  }
  if (hasMask)
    return op->emitOpError("through a block pointer takes no mask");
  int64_t rank = cast<RankedTensorType>(getPointeeType(pointer)).getRank();
  for (int32_t dimension : boundaryCheck)
    if (dimension < 0 || dimension >= rank)
      return op->emitOpError("checks the boundary of dimension ")
             << dimension << " of a block of rank " << rank;
  return success();
}

LogicalResult LoadOp::verify() {
  if (getOther() && !getMask())
    return emitOpError("has an `other` without a mask");
  return verifyBoundaryCheck(*this, getPtr().getType(), getBoundaryCheck(),
                             static_cast<bool>(getMask()));
}

LogicalResult StoreOp::verify() {
  return verifyBoundaryCheck(*this, getPtr().getType(), getBoundaryCheck(),
                             static_cast<bool>(getMask()));
}

/// The one value of a constant mask, if it has one.
static std::optional<bool> getConstantMask(Value mask) {
  if (!mask)
    return std::nullopt;
  if (auto splat = mask.getDefiningOp<SplatOp>())
    return getConstantMask(splat.getSrc());
  if (matchPattern(mask, m_One()))
    return true;
  if (matchPattern(mask, m_Zero()))
    return false;
  return std::nullopt;
}

namespace {
struct FoldMaskOfLoad : public OpRewritePattern<LoadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LoadOp op, PatternRewriter &rewriter) const override {
    std::optional<bool> mask = getConstantMask(op.getMask());
    if (!mask)
      return failure();
    if (*mask) {
      rewriter.modifyOpInPlace(op, [&] {
        op.getOtherMutable().clear();
        op.getMaskMutable().clear();
      });
      return success();
    }
    if (op.getIsVolatile())
      return failure();
    if (op.getOther())
      rewriter.replaceOp(op, op.getOther());
    else
      rewriter.replaceOpWithNewOp<ub::PoisonOp>(op, op.getType());
    return success();
  }
};

struct FoldMaskOfStore : public OpRewritePattern<StoreOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(StoreOp op, PatternRewriter &rewriter) const override {
    std::optional<bool> mask = getConstantMask(op.getMask());
    if (!mask)
      return failure();
    if (*mask)
      rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
    else
      rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<FoldMaskOfLoad>(context);
}

void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<FoldMaskOfStore>(context);
}

LogicalResult AtomicRMWOp::verify() {
  Type element = getElementTypeOrSelf(getVal().getType());
  bool isFloat = isa<FloatType>(element);
  switch (getAtomicRmwOp()) {
  case RMWOp::FADD:
    if (!isFloat)
      return emitOpError("`fadd` needs floating-point values, not ") << element;
    return success();
  case RMWOp::XCHG:
    return success();
  case RMWOp::MAX:
  case RMWOp::MIN:
    if (!isFloat && !isa<IntegerType>(element))
      return emitOpError("`") << stringifyRMWOp(getAtomicRmwOp()) << "` needs numbers, not "
                              << element;
    return success();
  default:
    if (!isa<IntegerType>(element))
      return emitOpError("`") << stringifyRMWOp(getAtomicRmwOp()) << "` needs integers, not "
                              << element;
    return success();
  }
}

LogicalResult MakeTensorPtrOp::verify() {
  size_t rank = cast<RankedTensorType>(getPointeeType(getType())).getRank();
  if (getShape().size() != rank || getOrder().size() != rank)
    return emitOpError("needs one extent, stride, offset and place in `order` for each of ")
           << rank << " dimensions";
  return success();
}

OpFoldResult AdvanceOp::fold(FoldAdaptor adaptor) {
  for (Attribute offset : adaptor.getOffsets())
    if (!matchPattern(offset, m_Zero()))
      return {};
  return getPtr();
}

} // namespace tilescope::tt
