// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Descriptors as plain pointers, for targets without hardware for them. A descriptor of a matrix
// becomes its base, two extents, two strides (all i64) and whether it is padded with NaN:
//
//   %v = descriptor_load %d[%i, %j] : tensordesc<tensor<16x64xf16>> -> tensor<16x64xf16>
// ==>
//   rows = i + arange(16); columns = j + arange(64)
//   %v = load base + rows[:, None] * stride0 + columns[None, :] * stride1,
//             mask: 0 <= rows < extent0 and 0 <= columns < extent1, other: 0 or NaN
//
// Those that a launch can describe to the hardware stay where the option says so (`BulkDescriptors.h`).
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/transforms/tt/BlockAccess.h"
#include "compiler/transforms/tt/BulkDescriptors.h"
#include "compiler/transforms/tt/Passes.h"
#include "compiler/transforms/tt/TypeExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::tt {

#define GEN_PASS_DEF_REWRITETENSORDESCRIPTORTOPOINTER
#include "compiler/transforms/tt/Passes.h.inc"

namespace {

/// The values that a descriptor becomes.
struct Descriptor {
  RankedTensorType block;
  StridedArray array;
  Value padWithNan;

  Descriptor(TensorDescType type, ValueRange values) : block(type.getSignlessBlockType()) {
    size_t rank = block.getRank();
    array.base = values[0];
    array.extents.assign(values.begin() + 1, values.begin() + 1 + rank);
    array.strides.assign(values.begin() + 1 + rank, values.begin() + 1 + 2 * rank);
    padWithNan = values[1 + 2 * rank];
  }
};

SmallVector<Type> getParts(TensorDescType type) {
  MLIRContext *context = type.getContext();
  RankedTensorType block = type.getSignlessBlockType();
  SmallVector<Type> parts{PointerType::get(block.getElementType())};
  parts.append(2 * block.getRank(), IntegerType::get(context, 64));
  parts.push_back(IntegerType::get(context, 1));
  return parts;
}

/// What is read outside: zero, or NaN if the descriptor says so.
Value makePadding(OpBuilder &builder, Location location, const Descriptor &descriptor) {
  Type element = descriptor.block.getElementType();
  Value padding = arith::ConstantOp::create(builder, location, builder.getZeroAttr(element));
  auto type = dyn_cast<FloatType>(element);
  if (!type)
    return padding;
  Value nan = arith::ConstantOp::create(
      builder, location, FloatAttr::get(type, APFloat::getNaN(type.getFloatSemantics())));
  return arith::SelectOp::create(builder, location, descriptor.padWithNan, nan, padding);
}

/// The elements that an operation accesses, at one block of indices per dimension.
BlockAccess makeAccess(BlockAccessBuilder &builder, const Descriptor &descriptor,
                       ArrayRef<Value> indices) {
  return builder.make(descriptor.array, indices, [](int64_t) { return true; });
}

/// The block at these offsets.
BlockAccess makeBlockAccess(OpBuilder &builder, Location location, const Descriptor &descriptor,
                            ValueRange offsets) {
  BlockAccessBuilder access(builder, location, descriptor.block.getShape());
  SmallVector<Value> indices;
  for (auto [dimension, offset] : llvm::enumerate(offsets))
    indices.push_back(access.makeIndices(offset, dimension));
  return makeAccess(access, descriptor, indices);
}

/// Rows that `x_offsets` numbers, columns from `y_offset` on.
template <typename OpTy>
BlockAccess makeRowAccess(OpBuilder &builder, OpTy op, const Descriptor &descriptor,
                          RankedTensorType block) {
  BlockAccessBuilder access(builder, op.getLoc(), block.getShape());
  auto offsets = cast<RankedTensorType>(op.getXOffsets().getType());
  Value rows = arith::ExtSIOp::create(builder, op.getLoc(), offsets.clone(builder.getI64Type()),
                                      op.getXOffsets());
  return makeAccess(access, descriptor, {rows, access.makeIndices(op.getYOffset(), 1)});
}

/// A block seen in another shape with the same elements.
Value reshaped(OpBuilder &builder, Location location, Value block, RankedTensorType type) {
  if (block.getType() == type)
    return block;
  return ReshapeOp::create(builder, location, type, block, /*allow_reorder=*/false,
                           /*efficient_layout=*/false);
}

struct RewriteMake : public OpConversionPattern<MakeTensorDescOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(MakeTensorDescOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values{op.getBase()};
    for (Value extent : op.getShape())
      values.push_back(
          arith::ExtSIOp::create(rewriter, op.getLoc(), rewriter.getI64Type(), extent));
    llvm::append_range(values, op.getStrides());
    values.push_back(arith::ConstantOp::create(
        rewriter, op.getLoc(), rewriter.getBoolAttr(op.getPadding() == PaddingOption::PAD_NAN)));
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{values});
    return success();
  }
};

struct RewriteLoad : public OpConversionPattern<DescriptorLoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DescriptorLoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Descriptor descriptor(op.getDesc().getType(), adaptor.getDesc());
    BlockAccess access = makeBlockAccess(rewriter, op.getLoc(), descriptor, op.getIndices());
    Value padding = SplatOp::create(rewriter, op.getLoc(), descriptor.block,
                                    makePadding(rewriter, op.getLoc(), descriptor));
    Value loaded = LoadOp::create(rewriter, op.getLoc(), access.pointers, access.mask, padding,
                                  op.getCache(), op.getEvict(), false);
    rewriter.replaceOp(
        op, reshaped(rewriter, op.getLoc(), loaded, cast<RankedTensorType>(op.getType())));
    return success();
  }
};

struct RewriteStore : public OpConversionPattern<DescriptorStoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DescriptorStoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Descriptor descriptor(op.getDesc().getType(), adaptor.getDesc());
    BlockAccess access = makeBlockAccess(rewriter, op.getLoc(), descriptor, op.getIndices());
    Value stored = reshaped(rewriter, op.getLoc(), op.getSrc(), descriptor.block);
    rewriter.replaceOpWithNewOp<StoreOp>(op, access.pointers, stored, access.mask,
                                         CacheModifier::NONE, EvictionPolicy::NORMAL);
    return success();
  }
};

std::optional<RMWOp> getAtomic(DescriptorReduceKind kind, Type element) {
  bool isUnsigned = element.isUnsignedInteger();
  switch (kind) {
  case DescriptorReduceKind::ADD:
    return isa<FloatType>(element) ? RMWOp::FADD : RMWOp::ADD;
  case DescriptorReduceKind::MIN:
    return isUnsigned ? RMWOp::UMIN : RMWOp::MIN;
  case DescriptorReduceKind::MAX:
    return isUnsigned ? RMWOp::UMAX : RMWOp::MAX;
  case DescriptorReduceKind::AND:
    return RMWOp::AND;
  case DescriptorReduceKind::OR:
    return RMWOp::OR;
  case DescriptorReduceKind::XOR:
    return RMWOp::XOR;
  default:
    return std::nullopt;
  }
}

struct RewriteReduce : public OpConversionPattern<DescriptorReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DescriptorReduceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = op.getDesc().getType().getBlockType().getElementType();
    std::optional<RMWOp> kind = getAtomic(op.getKind(), element);
    if (!kind)
      return rewriter.notifyMatchFailure(op, "there is no atomic operation for this reduction");
    Descriptor descriptor(op.getDesc().getType(), adaptor.getDesc());
    BlockAccess access = makeBlockAccess(rewriter, op.getLoc(), descriptor, op.getIndices());
    Value operand = reshaped(rewriter, op.getLoc(), op.getSrc(), descriptor.block);
    AtomicRMWOp::create(rewriter, op.getLoc(), descriptor.block, *kind, access.pointers, operand,
                        access.mask, MemSemantic::RELAXED, MemSyncScope::GPU);
    rewriter.eraseOp(op);
    return success();
  }
};

struct RewriteGather : public OpConversionPattern<DescriptorGatherOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DescriptorGatherOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Descriptor descriptor(op.getDesc().getType(), adaptor.getDesc());
    auto type = cast<RankedTensorType>(op.getType());
    BlockAccess access = makeRowAccess(rewriter, op, descriptor, type);
    Value padding = SplatOp::create(rewriter, op.getLoc(), type,
                                    makePadding(rewriter, op.getLoc(), descriptor));
    rewriter.replaceOpWithNewOp<LoadOp>(op, access.pointers, access.mask, padding);
    return success();
  }
};

struct RewriteScatter : public OpConversionPattern<DescriptorScatterOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DescriptorScatterOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Descriptor descriptor(op.getDesc().getType(), adaptor.getDesc());
    BlockAccess access =
        makeRowAccess(rewriter, op, descriptor, cast<RankedTensorType>(op.getSrc().getType()));
    rewriter.replaceOpWithNewOp<StoreOp>(op, access.pointers, op.getSrc(), access.mask,
                                         CacheModifier::NONE, EvictionPolicy::NORMAL);
    return success();
  }
};

/// What bulk copies serve: the descriptors, and the loads from them.
llvm::DenseSet<Operation *> bulkOperations(ModuleOp module) {
  llvm::DenseSet<Operation *> kept;
  module.walk([&](MakeTensorDescOp make) {
    if (!isOfBulkLoads(make))
      return;
    kept.insert(make);
    kept.insert_range(make->getUsers());
  });
  return kept;
}

struct RewriteTensorDescriptorToPointer
    : public impl::RewriteTensorDescriptorToPointerBase<RewriteTensorDescriptorToPointer> {
  using RewriteTensorDescriptorToPointerBase::RewriteTensorDescriptorToPointerBase;

  void runOnOperation() override {
    const llvm::DenseSet<Operation *> kept =
        keepsBulkLoads ? bulkOperations(getOperation()) : llvm::DenseSet<Operation *>();
    TypeConverter types;
    types.addConversion([](Type type) { return type; });
    types.addConversion(
        [](TensorDescType type, SmallVectorImpl<Type> &parts) -> std::optional<LogicalResult> {
          llvm::append_range(parts, getParts(type));
          return success();
        });
    RewritePatternSet patterns(&getContext());
    patterns
        .add<RewriteMake, RewriteLoad, RewriteStore, RewriteReduce, RewriteGather, RewriteScatter>(
            types, &getContext());
    if (failed(expandTypes(getOperation(), types, std::move(patterns),
                           [&](Operation *op) { return kept.contains(op); })))
      signalPassFailure();
  }
};

} // namespace
} // namespace tilescope::tt
