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
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/dialects/tt/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace tilescope::tt {

#define GEN_PASS_DEF_REWRITETENSORDESCRIPTORTOPOINTER
#include "compiler/dialects/tt/transforms/Passes.h.inc"

namespace {

/// The values that a descriptor becomes.
struct Descriptor {
  RankedTensorType block;
  Value base;
  SmallVector<Value> extents;
  SmallVector<Value> strides;
  Value padWithNan;

  Descriptor(TensorDescType type, ValueRange values) : block(type.getSignlessBlockType()) {
    size_t rank = block.getRank();
    base = values[0];
    extents.assign(values.begin() + 1, values.begin() + 1 + rank);
    strides.assign(values.begin() + 1 + rank, values.begin() + 1 + 2 * rank);
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

/// Addresses of the elements of a block, and which of them are inside the described tensor.
struct Access {
  Value pointers;
  Value mask;
};

/// Builds accesses to a block of some shape; everything at one location.
class AccessBuilder {
public:
  AccessBuilder(OpBuilder &builder, Location location, ArrayRef<int64_t> shape)
      : m_builder(builder), m_location(location), m_shape(shape) {}

  /// Indices `offset + arange(extent)` along a dimension, as a block of i64 of one dimension.
  Value makeIndices(Value offset, int64_t dimension) {
    int64_t extent = m_shape[dimension];
    Value range = MakeRangeOp::create(
        m_builder, m_location, RankedTensorType::get({extent}, m_builder.getI32Type()), 0, extent);
    Type type = RankedTensorType::get({extent}, m_builder.getI64Type());
    Value wide = arith::ExtSIOp::create(m_builder, m_location, type, range);
    Value start = arith::ExtSIOp::create(m_builder, m_location, m_builder.getI64Type(), offset);
    return arith::AddIOp::create(m_builder, m_location,
                                 SplatOp::create(m_builder, m_location, type, start), wide);
  }

  Access make(const Descriptor &descriptor, ArrayRef<Value> indices) {
    Value pointers = splat(descriptor.base, m_shape), mask;
    for (auto [dimension, index] : llvm::enumerate(indices)) {
      SmallVector<int64_t> line(m_shape.size(), 1);
      line[dimension] = m_shape[dimension];
      Value placed = index;
      for (size_t axis = 0; axis < m_shape.size(); ++axis)
        if (axis != dimension)
          placed = ExpandDimsOp::create(m_builder, m_location, placed, static_cast<uint32_t>(axis));
      Value offset = arith::MulIOp::create(m_builder, m_location, placed,
                                           splat(descriptor.strides[dimension], line));
      pointers = AddPtrOp::create(m_builder, m_location, pointers, broadcast(offset));
      Value zero =
          arith::ConstantOp::create(m_builder, m_location, m_builder.getZeroAttr(placed.getType()));
      Value above =
          arith::CmpIOp::create(m_builder, m_location, arith::CmpIPredicate::sge, placed, zero);
      Value below = arith::CmpIOp::create(m_builder, m_location, arith::CmpIPredicate::slt, placed,
                                          splat(descriptor.extents[dimension], line));
      Value inside = broadcast(arith::AndIOp::create(m_builder, m_location, above, below));
      mask = mask ? Value(arith::AndIOp::create(m_builder, m_location, mask, inside)) : inside;
    }
    return {pointers, mask};
  }

  /// What is read outside: zero, or NaN if the descriptor says so.
  Value makePadding(const Descriptor &descriptor) {
    Type element = descriptor.block.getElementType();
    Value padding =
        arith::ConstantOp::create(m_builder, m_location, m_builder.getZeroAttr(element));
    if (auto type = dyn_cast<FloatType>(element)) {
      Value nan = arith::ConstantOp::create(
          m_builder, m_location, FloatAttr::get(type, APFloat::getNaN(type.getFloatSemantics())));
      padding = arith::SelectOp::create(m_builder, m_location, descriptor.padWithNan, nan, padding);
    }
    return splat(padding, m_shape);
  }

private:
  Value splat(Value scalar, ArrayRef<int64_t> shape) {
    return SplatOp::create(m_builder, m_location, RankedTensorType::get(shape, scalar.getType()),
                           scalar);
  }
  Value broadcast(Value line) {
    return BroadcastOp::create(m_builder, m_location,
                               RankedTensorType::get(m_shape, getElementTypeOrSelf(line.getType())),
                               line);
  }

  OpBuilder &m_builder;
  Location m_location;
  ArrayRef<int64_t> m_shape;
};

Access makeBlockAccess(OpBuilder &builder, Location location, const Descriptor &descriptor,
                       ValueRange offsets, AccessBuilder &access) {
  SmallVector<Value> indices;
  for (auto [dimension, offset] : llvm::enumerate(offsets))
    indices.push_back(access.makeIndices(offset, dimension));
  return access.make(descriptor, indices);
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
    AccessBuilder builder(rewriter, op.getLoc(), descriptor.block.getShape());
    Access access = makeBlockAccess(rewriter, op.getLoc(), descriptor, op.getIndices(), builder);
    Value loaded =
        LoadOp::create(rewriter, op.getLoc(), access.pointers, access.mask,
                       builder.makePadding(descriptor), op.getCache(), op.getEvict(), false);
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
    AccessBuilder builder(rewriter, op.getLoc(), descriptor.block.getShape());
    Access access = makeBlockAccess(rewriter, op.getLoc(), descriptor, op.getIndices(), builder);
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
    if (!kind || (isa<FloatType>(element) && *kind != RMWOp::FADD))
      return rewriter.notifyMatchFailure(op, "there is no atomic operation for this reduction");
    Descriptor descriptor(op.getDesc().getType(), adaptor.getDesc());
    AccessBuilder builder(rewriter, op.getLoc(), descriptor.block.getShape());
    Access access = makeBlockAccess(rewriter, op.getLoc(), descriptor, op.getIndices(), builder);
    Value operand = reshaped(rewriter, op.getLoc(), op.getSrc(), descriptor.block);
    AtomicRMWOp::create(rewriter, op.getLoc(), descriptor.block, *kind, access.pointers, operand,
                        access.mask, MemSemantic::RELAXED, MemSyncScope::GPU);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Rows that `x_offsets` numbers, columns from `y_offset` on.
template <typename OpTy>
Access makeRowAccess(OpBuilder &builder, OpTy op, const Descriptor &descriptor,
                     AccessBuilder &access) {
  auto offsets = cast<RankedTensorType>(op.getXOffsets().getType());
  Value rows = arith::ExtSIOp::create(builder, op.getLoc(), offsets.clone(builder.getI64Type()),
                                      op.getXOffsets());
  return access.make(descriptor, {rows, access.makeIndices(op.getYOffset(), 1)});
}

struct RewriteGather : public OpConversionPattern<DescriptorGatherOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DescriptorGatherOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Descriptor descriptor(op.getDesc().getType(), adaptor.getDesc());
    AccessBuilder builder(rewriter, op.getLoc(), cast<RankedTensorType>(op.getType()).getShape());
    Access access = makeRowAccess(rewriter, op, descriptor, builder);
    rewriter.replaceOpWithNewOp<LoadOp>(op, access.pointers, access.mask,
                                        builder.makePadding(descriptor));
    return success();
  }
};

struct RewriteScatter : public OpConversionPattern<DescriptorScatterOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DescriptorScatterOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Descriptor descriptor(op.getDesc().getType(), adaptor.getDesc());
    AccessBuilder builder(rewriter, op.getLoc(),
                          cast<RankedTensorType>(op.getSrc().getType()).getShape());
    Access access = makeRowAccess(rewriter, op, descriptor, builder);
    rewriter.replaceOpWithNewOp<StoreOp>(op, access.pointers, op.getSrc(), access.mask,
                                         CacheModifier::NONE, EvictionPolicy::NORMAL);
    return success();
  }
};

SmallVector<Value> flatten(ArrayRef<ValueRange> groups) {
  SmallVector<Value> values;
  for (ValueRange group : groups)
    llvm::append_range(values, group);
  return values;
}

struct RewriteReturn : public OpConversionPattern<ReturnOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ReturnOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<ReturnOp>(op, flatten(adaptor.getSrcs()));
    return success();
  }
};

struct RewriteCall : public OpConversionPattern<CallOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(CallOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    SmallVector<size_t> counts;
    for (Type type : op.getResultTypes()) {
      size_t before = types.size();
      if (failed(getTypeConverter()->convertType(type, types)))
        return failure();
      counts.push_back(types.size() - before);
    }
    auto call = CallOp::create(rewriter, op.getLoc(), op.getCallee(), TypeRange(types),
                               flatten(adaptor.getOperands()));
    SmallVector<SmallVector<Value>> results;
    ResultRange all = call.getResults();
    size_t next = 0;
    for (size_t count : counts) {
      results.emplace_back(all.begin() + next, all.begin() + next + count);
      next += count;
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

struct RewriteTensorDescriptorToPointer
    : public impl::RewriteTensorDescriptorToPointerBase<RewriteTensorDescriptorToPointer> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TypeConverter types;
    types.addConversion([](Type type) { return type; });
    types.addConversion(
        [](TensorDescType type, SmallVectorImpl<Type> &parts) -> std::optional<LogicalResult> {
          llvm::append_range(parts, getParts(type));
          return success();
        });

    ConversionTarget target(*context);
    target.addDynamicallyLegalDialect<TTDialect>([&](Operation *op) {
      if (auto function = dyn_cast<FuncOp>(op))
        return types.isSignatureLegal(function.getFunctionType());
      return types.isLegal(op);
    });
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });

    RewritePatternSet patterns(context);
    patterns.add<RewriteMake, RewriteLoad, RewriteStore, RewriteReduce, RewriteGather,
                 RewriteScatter, RewriteReturn, RewriteCall>(types, context);
    populateFunctionOpInterfaceTypeConversionPattern<FuncOp>(patterns, types);
    scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
    cf::populateCFStructuralTypeConversionsAndLegality(types, patterns, target);
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace tilescope::tt
