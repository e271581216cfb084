// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Block pointers as plain pointers. A pointer to a block of a matrix becomes its base, two extents
// and two strides (i64), and two offsets (i32):
//
//   %p = make_tensor_ptr %base, [%m, %n], [%s, %t], [%i, %j] : <tensor<16x64xf16>>
//   %q = advance %p, [%k, %l]
//   %v = load %q {boundaryCheck = [0], padding = zero}
// ==>
//   rows = i + k + arange(16); columns = j + l + arange(64)
//   %v = load base + rows[:, None] * s + columns[None, :] * t, mask: 0 <= rows < m, other: 0
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/transforms/tt/BlockAccess.h"
#include "compiler/transforms/tt/Passes.h"
#include "compiler/transforms/tt/TypeExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::tt {

#define GEN_PASS_DEF_REWRITETENSORPOINTER
#include "compiler/transforms/tt/Passes.h.inc"

namespace {

RankedTensorType getBlock(Type pointer) {
  return cast<RankedTensorType>(cast<PointerType>(pointer).getPointeeType());
}

/// The values that a block pointer becomes.
struct BlockPointer {
  StridedArray array;
  SmallVector<Value> offsets;

  BlockPointer(Type type, ValueRange values) {
    size_t rank = getBlock(type).getRank();
    array.base = values[0];
    auto part = [&](size_t index) { return llvm::to_vector(values.slice(1 + index * rank, rank)); };
    array.extents = part(0);
    array.strides = part(1);
    offsets = part(2);
  }

  SmallVector<Value> values() const {
    SmallVector<Value> all{array.base};
    llvm::append_range(all, array.extents);
    llvm::append_range(all, array.strides);
    llvm::append_range(all, offsets);
    return all;
  }

  BlockAccess access(OpBuilder &builder, Location location, RankedTensorType block,
                     ArrayRef<int32_t> checked) const {
    BlockAccessBuilder accesses(builder, location, block.getShape());
    SmallVector<Value> indices;
    for (auto [dimension, offset] : llvm::enumerate(offsets))
      indices.push_back(accesses.makeIndices(offset, dimension));
    return accesses.make(array, indices,
                         [&](int64_t dim) { return llvm::is_contained(checked, dim); });
  }
};

std::optional<LogicalResult> getParts(PointerType type, SmallVectorImpl<Type> &parts) {
  auto block = dyn_cast<RankedTensorType>(type.getPointeeType());
  if (!block) {
    parts.push_back(type);
    return success();
  }
  MLIRContext *context = type.getContext();
  parts.push_back(PointerType::get(block.getElementType(), type.getAddressSpace()));
  parts.append(2 * block.getRank(), IntegerType::get(context, 64));
  parts.append(block.getRank(), IntegerType::get(context, 32));
  return success();
}

struct RewriteMake : public OpConversionPattern<MakeTensorPtrOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(MakeTensorPtrOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values{op.getBase()};
    for (ValueRange range : {op.getShape(), op.getStrides(), op.getOffsets()})
      llvm::append_range(values, range);
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{values});
    return success();
  }
};

struct RewriteAdvance : public OpConversionPattern<AdvanceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(AdvanceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    BlockPointer pointer(op.getPtr().getType(), adaptor.getPtr());
    for (auto [offset, delta] : llvm::zip(pointer.offsets, op.getOffsets()))
      offset = arith::AddIOp::create(rewriter, op.getLoc(), offset, delta);
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{pointer.values()});
    return success();
  }
};

struct RewriteLoad : public OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType block = getBlock(op.getPtr().getType());
    BlockPointer pointer(op.getPtr().getType(), adaptor.getPtr());
    BlockAccess access = pointer.access(rewriter, op.getLoc(), block, op.getBoundaryCheck());
    Value padding;
    if (access.mask && op.getPadding())
      padding = makePadding(rewriter, op.getLoc(), block, *op.getPadding());
    rewriter.replaceOpWithNewOp<LoadOp>(op, access.pointers, access.mask, padding, op.getCache(),
                                        op.getEvict(), op.getIsVolatile());
    return success();
  }

private:
  static Value makePadding(OpBuilder &builder, Location location, RankedTensorType block,
                           PaddingOption option) {
    Attribute value = builder.getZeroAttr(block.getElementType());
    auto type = dyn_cast<FloatType>(block.getElementType());
    if (type && option == PaddingOption::PAD_NAN)
      value = FloatAttr::get(type, APFloat::getNaN(type.getFloatSemantics()));
    return arith::ConstantOp::create(builder, location, DenseElementsAttr::get(block, value));
  }
};

struct RewriteStore : public OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    BlockPointer pointer(op.getPtr().getType(), adaptor.getPtr());
    BlockAccess access = pointer.access(rewriter, op.getLoc(), getBlock(op.getPtr().getType()),
                                        op.getBoundaryCheck());
    rewriter.replaceOpWithNewOp<StoreOp>(op, access.pointers, op.getValue(), access.mask,
                                         op.getCache(), op.getEvict());
    return success();
  }
};

struct RewriteTensorPointer : public impl::RewriteTensorPointerBase<RewriteTensorPointer> {
  void runOnOperation() override {
    TypeConverter types;
    types.addConversion([](Type type) { return type; });
    types.addConversion(getParts);
    RewritePatternSet patterns(&getContext());
    patterns.add<RewriteMake, RewriteAdvance, RewriteLoad, RewriteStore>(types, &getContext());
    if (failed(expandTypes(getOperation(), types, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace tilescope::tt
