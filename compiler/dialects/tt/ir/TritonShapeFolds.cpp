// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Folds and canonical forms of the operations that only move elements about.
#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tilescope::tt {

/// A block of one constant, in another shape.
static Attribute resizeSplat(Attribute constant, Type type) {
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(constant))
    return DenseElementsAttr::get(cast<ShapedType>(type), splat.getSplatValue<Attribute>());
  return {};
}

/// A splat whose elements are moved is still a splat.
template <typename OpTy> static LogicalResult replaceBySplat(OpTy op, PatternRewriter &rewriter) {
  auto splat = op.getSrc().template getDefiningOp<SplatOp>();
  if (!splat)
    return failure();
  rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
  return success();
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  Attribute value = adaptor.getSrc();
  if (!isa_and_nonnull<FloatAttr, IntegerAttr>(value))
    return {};
  return DenseElementsAttr::get(cast<ShapedType>(getType()), value);
}

OpFoldResult UnsplatOp::fold(FoldAdaptor adaptor) {
  if (auto splat = getSrc().getDefiningOp<SplatOp>())
    return splat.getSrc();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSrc()))
    return splat.getSplatValue<Attribute>();
  return {};
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  return resizeSplat(adaptor.getSrc(), getType());
}

// expand_dims(broadcast(x)) becomes broadcast(expand_dims(x)): the cheap order, and broadcasts meet
// and merge.
LogicalResult ExpandDimsOp::canonicalize(ExpandDimsOp op, PatternRewriter &rewriter) {
  if (succeeded(replaceBySplat(op, rewriter)))
    return success();
  auto broadcast = op.getSrc().getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return failure();
  auto expanded =
      rewriter.createOrFold<ExpandDimsOp>(op.getLoc(), broadcast.getSrc(), op.getAxis());
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), expanded);
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType() && !getAllowReorder())
    return getSrc();
  return resizeSplat(adaptor.getSrc(), getType());
}

LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  if (succeeded(replaceBySplat(op, rewriter)))
    return success();
  auto inner = op.getSrc().getDefiningOp<ReshapeOp>();
  if (!inner || op.getEfficientLayout() || inner.getEfficientLayout())
    return failure();
  // With encodings the two steps may move data where one step may not.
  if (op.getType().getEncoding() && !(op.getAllowReorder() && inner.getAllowReorder()))
    return failure();
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getSrc(),
                                         op.getAllowReorder() || inner.getAllowReorder());
  return success();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  return resizeSplat(adaptor.getSrc(), getType());
}

LogicalResult BroadcastOp::canonicalize(BroadcastOp op, PatternRewriter &rewriter) {
  if (succeeded(replaceBySplat(op, rewriter)))
    return success();
  auto inner = op.getSrc().getDefiningOp<BroadcastOp>();
  if (!inner)
    return failure();
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getSrc());
  return success();
}

static bool isIdentity(ArrayRef<int32_t> order) {
  return llvm::all_of(llvm::enumerate(order), [](auto entry) {
    return entry.value() == static_cast<int32_t>(entry.index());
  });
}

OpFoldResult TransOp::fold(FoldAdaptor adaptor) {
  if (isIdentity(getOrder()) && getSrc().getType() == getType())
    return getSrc();
  return resizeSplat(adaptor.getSrc(), getType());
}

LogicalResult TransOp::canonicalize(TransOp op, PatternRewriter &rewriter) {
  if (succeeded(replaceBySplat(op, rewriter)))
    return success();
  auto inner = op.getSrc().getDefiningOp<TransOp>();
  if (!inner)
    return failure();
  SmallVector<int32_t> order;
  for (int32_t dimension : op.getOrder())
    order.push_back(inner.getOrder()[dimension]);
  rewriter.replaceOpWithNewOp<TransOp>(op, op.getType(), inner.getSrc(), order);
  return success();
}

OpFoldResult JoinOp::fold(FoldAdaptor) {
  auto split = getLhs().getDefiningOp<SplitOp>();
  if (split && getLhs() == split.getOutLHS() && getRhs() == split.getOutRHS() &&
      split.getSrc().getType() == getType())
    return split.getSrc();
  return {};
}

LogicalResult SplitOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &results) {
  auto join = getSrc().getDefiningOp<JoinOp>();
  if (!join || join.getLhs().getType() != getOutLHS().getType())
    return failure();
  results.append({join.getLhs(), join.getRhs()});
  return success();
}

} // namespace tilescope::tt
