// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Block-scaled products, for targets without hardware for them:
//
//   %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = bf16
// ==>
//   %w = %a as f32 * (%s as f32, each for its run along K)
//   %d = tt.dot (%w as bf16), %b, %c
//
// A product of an 8-bit or 4-bit float and a scale is exact in bf16 unless it is beyond its range.
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/transforms/tt/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <cmath>

using namespace mlir;

namespace tilescope::tt {

#define GEN_PASS_DEF_DECOMPOSESCALEDDOT
#include "compiler/transforms/tt/Passes.h.inc"

namespace {

/// Builds operations on whole blocks.
class BlockBuilder {
public:
  explicit BlockBuilder(Operation *op) : b(op->getLoc(), op) {}

  Type f32() { return b.getF32Type(); }
  Type i32() { return b.getI32Type(); }

  Value constant(Value like, TypedAttr value) {
    auto type = cast<RankedTensorType>(like.getType());
    return arith::ConstantOp::create(b, DenseElementsAttr::get(type, Attribute(value)));
  }
  Value constant(Value like, int64_t value) {
    return constant(like, b.getIntegerAttr(getElementTypeOrSelf(like.getType()), value));
  }
  Value field(Value bits, int64_t mask, int64_t shift) {
    Value part = arith::AndIOp::create(b, bits, constant(bits, mask));
    return arith::ShLIOp::create(b, part, constant(bits, shift));
  }
  Value extend(Value bytes) { return arith::ExtUIOp::create(b, like(bytes, i32()), bytes); }
  Value bitcast(Value value, Type element) {
    return BitcastOp::create(b, like(value, element), value);
  }
  Value multiply(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value choose(Value code, int64_t special, Value then, Value otherwise) {
    Value is = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, code, constant(code, special));
    return arith::SelectOp::create(b, is, then, otherwise);
  }

  /// To another type of floats; narrower ones get the nearest value.
  Value convert(Value value, Type element) {
    Type from = getElementTypeOrSelf(value.getType());
    if (from == element)
      return value;
    bool narrows = element.getIntOrFloatBitWidth() < from.getIntOrFloatBitWidth();
    auto rounding = narrows ? RoundingModeAttr::get(b.getContext(), RoundingMode::RTNE) : nullptr;
    return FpToFpOp::create(b, like(value, element), value, rounding);
  }

  /// Pairs of `low` and `high` side by side along `axis`, in the way their elements are packed.
  Value interleave(Value low, Value high, int64_t axis) {
    auto type = cast<RankedTensorType>(low.getType());
    Value joined = JoinOp::create(b, low, high);
    SmallVector<int32_t> order;
    for (int32_t dim = 0; dim < type.getRank(); ++dim) {
      order.push_back(dim);
      if (dim == axis)
        order.push_back(static_cast<int32_t>(type.getRank()));
    }
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] *= 2;
    return reshape(TransOp::create(b, joined, order), shape);
  }

  /// Each element `count` times along the last dimension.
  Value repeat(Value value, int64_t count) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(count);
    Value wide = ExpandDimsOp::create(b, value, static_cast<uint32_t>(type.getRank()));
    wide = BroadcastOp::create(b, type.clone(shape), wide);
    shape.pop_back();
    shape.back() *= count;
    return reshape(wide, shape);
  }

  Value reshape(Value value, ArrayRef<int64_t> shape) {
    auto type = cast<RankedTensorType>(value.getType()).clone(shape);
    return ReshapeOp::create(b, type, value, /*allow_reorder=*/false, /*efficient_layout=*/false);
  }

  Value swapLastDims(Value value) {
    int32_t rank = cast<RankedTensorType>(value.getType()).getRank();
    auto order = llvm::to_vector(llvm::seq<int32_t>(0, rank));
    std::swap(order[rank - 1], order[rank - 2]);
    return TransOp::create(b, value, order);
  }

  ImplicitLocOpBuilder b;

private:
  static Type like(Value value, Type element) {
    return cast<RankedTensorType>(value.getType()).clone(element);
  }
};

/// The value of the low four bits (1 sign, 2 exponent, 1 mantissa bit) of each i32, as f32. In its
/// place at the top of the mantissa and the bottom of the exponent, it is too small by 2^126.
Value decodeE2M1(BlockBuilder &build, Value codes) {
  Value bits = arith::OrIOp::create(build.b, build.field(codes, 7, 22), build.field(codes, 8, 28));
  Value small = build.bitcast(bits, build.f32());
  return build.multiply(small, build.constant(small, build.b.getF32FloatAttr(0x1p126f)));
}

/// Scales as f32: powers of two, of which i8 holds the exponent with a bias, or 8-bit floats.
Value decodeScales(BlockBuilder &build, Value scales) {
  if (isa<FloatType>(getElementTypeOrSelf(scales.getType())))
    return build.convert(scales, build.f32());
  Value codes = build.extend(scales);
  Value bits = arith::ShLIOp::create(build.b, codes, build.constant(codes, 23));
  bits = build.choose(codes, 0, build.constant(codes, 0x00400000), bits);
  bits = build.choose(codes, 0xff, build.constant(codes, 0x7fc00000), bits);
  return build.bitcast(bits, build.f32());
}

/// One factor of the product, as it is given.
struct Factor {
  TypedValue<RankedTensorType> values;
  Value scales;
  ScaleDotElemType type;
  /// The dimensions along which bytes hold two values, and along which scales run.
  int64_t packedAxis, scaledAxis;
};

Type elementType(ScaleDotElemType type, MLIRContext *context) {
  switch (type) {
  case ScaleDotElemType::E4M3:
    return Float8E4M3FNType::get(context);
  case ScaleDotElemType::E5M2:
    return Float8E5M2Type::get(context);
  case ScaleDotElemType::BF16:
    return BFloat16Type::get(context);
  case ScaleDotElemType::FP16:
    return Float16Type::get(context);
  default:
    return nullptr;
  }
}

Value decodeFactor(BlockBuilder &build, const Factor &factor) {
  if (factor.type == ScaleDotElemType::E2M1) {
    Value codes = build.extend(factor.values);
    Value high = arith::ShRUIOp::create(build.b, codes, build.constant(codes, 4));
    return build.interleave(decodeE2M1(build, codes), decodeE2M1(build, high), factor.packedAxis);
  }
  Type type = elementType(factor.type, build.b.getContext());
  Value values = factor.values;
  if (isa<IntegerType>(factor.values.getType().getElementType()))
    values = build.bitcast(values, type);
  return values;
}

/// The factor with its scales applied, as values of `element`.
Value scaleFactor(BlockBuilder &build, const Factor &factor, Type element) {
  Value values = decodeFactor(build, factor);
  if (!factor.scales)
    return build.convert(values, element);
  auto type = cast<RankedTensorType>(values.getType());
  auto scales = cast<RankedTensorType>(factor.scales.getType());
  int64_t run = type.getDimSize(factor.scaledAxis) / scales.getShape().back();
  Value each = build.repeat(decodeScales(build, factor.scales), run);
  if (factor.scaledAxis != type.getRank() - 1)
    each = build.swapLastDims(each);
  return build.convert(build.multiply(build.convert(values, build.f32()), each), element);
}

LogicalResult decompose(DotScaledOp op) {
  int64_t rank = op.getType().getRank();
  Factor a{op.getA(), op.getAScale(), op.getAElemType(), op.getLhsKPack() ? rank - 1 : rank - 2,
           rank - 1};
  Factor b{op.getB(), op.getBScale(), op.getBElemType(), op.getRhsKPack() ? rank - 2 : rank - 1,
           rank - 2};
  for (const Factor &factor : {a, b})
    if (factor.type != ScaleDotElemType::E2M1 && !elementType(factor.type, op.getContext()))
      return op.emitError("factors of type `")
             << stringifyScaleDotElemType(factor.type) << "` are not supported";
  BlockBuilder build(op);
  bool half = a.type == ScaleDotElemType::FP16 || b.type == ScaleDotElemType::FP16;
  Type element = half ? Type(build.b.getF16Type()) : Type(build.b.getBF16Type());
  Value dot = DotOp::create(build.b, op.getType(), scaleFactor(build, a, element),
                            scaleFactor(build, b, element), op.getC(), InputPrecision::IEEE, 0);
  op.replaceAllUsesWith(dot);
  op.erase();
  return success();
}

struct DecomposeScaledDot : public impl::DecomposeScaledDotBase<DecomposeScaledDot> {
  void runOnOperation() override {
    SmallVector<DotScaledOp> products;
    getOperation().walk([&](DotScaledOp op) { products.push_back(op); });
    if (products.empty())
      return markAllAnalysesPreserved();
    for (DotScaledOp op : products)
      if (failed(decompose(op)))
        return signalPassFailure();
  }
};

} // namespace
} // namespace tilescope::tt
