// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Quantized numbers, and numbers as places: arithmetic on elements.
#include "compiler/model/canonical/Decompose.h"

using namespace mlir;

namespace tilescope::model {

namespace {
/// Scales, and zero points, for each element, each place on an axis, or each block along it.
struct Scales {
  Value scale, zero;
  /// The operand's shape as they are repeated to it.
  SmallVector<int64_t> shape;
};
} // namespace

static std::optional<Scales> scalesOf(TensorOps &ops, ArrayRef<int64_t> shape, Value scale,
                                      Value zero, int64_t axis, int64_t block) {
  Scales result{scale, zero, SmallVector<int64_t>(shape)};
  const ArrayRef<int64_t> own = TensorOps::shapeOf(scale);
  const auto rank = int64_t(shape.size());
  axis += axis < 0 ? rank : 0;
  if (cast<RankedTensorType>(scale.getType()).getNumElements() == 1) {
    result.scale = ops.reshape(scale, {});
    result.zero = zero ? ops.reshape(zero, {}) : zero;
    return result;
  }
  if (axis < 0 || axis >= rank)
    return std::nullopt;
  SmallVector<int64_t> repeated(shape.size(), 1);
  if (own.size() == 1) {
    repeated[size_t(axis)] = own[0];
  } else {
    // Each block has an axis of its own.
    if (block < 1 || own.size() != shape.size() || shape[size_t(axis)] != own[size_t(axis)] * block)
      return std::nullopt;
    repeated.assign(own.begin(), own.end());
    repeated.insert(repeated.begin() + axis + 1, 1);
    result.shape[size_t(axis)] = own[size_t(axis)];
    result.shape.insert(result.shape.begin() + axis + 1, block);
  }
  result.scale = ops.reshape(scale, repeated);
  result.zero = zero ? ops.reshape(zero, repeated) : zero;
  return result;
}

static bool isSmallFloat(Type element) { return isa<Float8E4M3FNType, Float8E5M2Type>(element); }

static bool isQuantized(Type element) {
  return element.isInteger(8) || element.isInteger(16) || element.isInteger(32) ||
         isSmallFloat(element);
}

static Replacement dequantize(tm::DequantizeOp op, TensorOps &ops) {
  const Type work = Float32Type::get(op.getContext());
  const ArrayRef<int64_t> shape = TensorOps::shapeOf(op.getOperand());
  const auto scales = scalesOf(ops, shape, op.getScale(), op.getZeroPoint(), int64_t(op.getAxis()),
                               int64_t(op.getBlock()));
  if (!scales || !isQuantized(TensorOps::elementOf(op.getOperand())))
    return {};
  Value x = ops.cast(ops.reshape(op.getOperand(), scales->shape), work);
  if (scales->zero)
    x = ops.binary<tm::SubOp>(x, ops.cast(scales->zero, work));
  x = ops.binary<tm::MulOp>(x, ops.cast(scales->scale, work));
  return {ops.reshape(ops.cast(x, TensorOps::elementOf(op.getResult())), shape)};
}

/// Within the numbers of the type; casts do that by themselves for real ones.
static Value limited(TensorOps &ops, Value x, Type element) {
  const auto integer = dyn_cast<IntegerType>(element);
  if (!integer)
    return x;
  const Type work = TensorOps::elementOf(x);
  const double half = double(uint64_t(1) << (integer.getWidth() - 1));
  x = ops.binary<tm::MaxOp>(x, ops.number(integer.isUnsigned() ? 0 : -half, work));
  return ops.binary<tm::MinOp>(x, ops.number(integer.isUnsigned() ? 2 * half - 1 : half - 1, work));
}

static Replacement quantize(tm::QuantizeOp op, TensorOps &ops) {
  const Type work = Float32Type::get(op.getContext());
  const Type element = TensorOps::elementOf(op.getResult());
  const ArrayRef<int64_t> shape = TensorOps::shapeOf(op.getOperand());
  const auto scales = scalesOf(ops, shape, op.getScale(), op.getZeroPoint(), int64_t(op.getAxis()),
                               int64_t(op.getBlock()));
  if (!scales || !isQuantized(element) || element.isInteger(32))
    return {};
  Value x = ops.cast(ops.reshape(op.getOperand(), scales->shape), work);
  x = ops.binary<tm::DivOp>(x, ops.cast(scales->scale, work));
  if (!isSmallFloat(element))
    x = ops.unary<tm::RoundOp>(x);
  if (scales->zero)
    x = ops.binary<tm::AddOp>(x, ops.cast(scales->zero, work));
  return {ops.reshape(ops.cast(limited(ops, x, element), element), shape)};
}

/// Whether the place along the new axis is the index.
static Replacement oneHot(tm::OneHotOp op, TensorOps &ops) {
  const ArrayRef<int64_t> shape = TensorOps::shapeOf(op.getResult());
  const auto axis = size_t(op.getAxis() < 0 ? op.getAxis() + int64_t(shape.size()) : op.getAxis());
  const Type integer = IntegerType::get(op.getContext(), 64);
  SmallVector<int64_t> kept(shape), along(shape.size(), 1);
  kept[axis] = 1;
  along[axis] = shape[axis];
  SmallVector<int64_t> places;
  for (int64_t place = 0; place < shape[axis]; ++place)
    places.push_back(place);
  const Value index = ops.reshape(ops.cast(op.getIndices(), integer), kept);
  const Value depth = ops.number(double(shape[axis]), integer);
  const Value isNegative = ops.compare(tm::Comparison::Less, index, ops.number(0, integer));
  const Value wrapped = ops.where(isNegative, ops.binary<tm::AddOp>(index, depth), index);
  const Value isThere =
      ops.compare(tm::Comparison::Equal, wrapped, ops.constant<int64_t>(along, integer, places));
  return {
      ops.where(isThere, ops.slice(op.getValues(), 0, 1, 1), ops.slice(op.getValues(), 0, 0, 1))};
}

/// start + 0, 1, 2, … * step
static Replacement range(tm::RangeOp op, TensorOps &ops) {
  const Type element = TensorOps::elementOf(op.getResult());
  const Value places = ops.counted(TensorOps::shapeOf(op.getResult()), element);
  if (!places)
    return {};
  const auto scalar = [&](Value value) { return ops.reshape(value, {}); };
  return {ops.binary<tm::AddOp>(ops.binary<tm::MulOp>(places, scalar(op.getStep())),
                                scalar(op.getStart()))};
}

/// The elements are those at the places, which a kernel finds.
static Replacement topK(tm::TopKOp op, TensorOps &ops) {
  const Value places = ops.clone(op)->getResult(1);
  const Value values = ops.gatherElements(op.getOperand(), places, int64_t(op.getAxis()));
  return {values, places};
}

Replacement decomposeNumbers(Operation *operation, TensorOps &ops) {
  if (auto op = dyn_cast<tm::QuantizeOp>(operation))
    return quantize(op, ops);
  if (auto op = dyn_cast<tm::DequantizeOp>(operation))
    return dequantize(op, ops);
  if (auto op = dyn_cast<tm::OneHotOp>(operation))
    return oneHot(op, ops);
  if (auto op = dyn_cast<tm::RangeOp>(operation))
    return range(op, ops);
  if (auto op = dyn_cast<tm::TopKOp>(operation))
    return topK(op, ops);
  return {};
}

} // namespace tilescope::model
