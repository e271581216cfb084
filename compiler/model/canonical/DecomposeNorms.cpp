// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/canonical/Decompose.h"

using namespace mlir;

namespace tilescope::model {

static SmallVector<int64_t> axesFrom(int64_t axis, Value value) {
  SmallVector<int64_t> axes;
  for (int64_t each = axis; each < int64_t(TensorOps::shapeOf(value).size()); ++each)
    axes.push_back(each);
  return axes;
}

/// Narrow types are computed with in fp32.
static Type workType(Type element) {
  return element.isF16() || element.isBF16() ? Float32Type::get(element.getContext()) : element;
}

namespace {
struct Normalized {
  Value result, mean, inverse;
};
} // namespace

/// Mean 0 and variance 1 along the axes.
static Normalized normalized(TensorOps &ops, Value x, ArrayRef<int64_t> axes, double epsilon) {
  const Value mean = ops.reduce(tm::ReduceKind::Mean, x, axes);
  const Value centered = ops.binary<tm::SubOp>(x, mean);
  const Value square = ops.binary<tm::MulOp>(centered, centered);
  const Value variance = ops.reduce(tm::ReduceKind::Mean, square, axes);
  const Value safe = ops.binary<tm::AddOp>(variance, ops.number(epsilon, TensorOps::elementOf(x)));
  const Value inverse = ops.unary<tm::ReciprocalOp>(ops.unary<tm::SqrtOp>(safe));
  return {ops.binary<tm::MulOp>(centered, inverse), mean, inverse};
}

static Replacement layerNorm(tm::LayerNormOp op, TensorOps &ops) {
  const Type element = TensorOps::elementOf(op.getOperand()), work = workType(element);
  const auto statistics = [&](Value value, Value result) {
    return ops.cast(value, TensorOps::elementOf(result));
  };
  const Value x = ops.cast(op.getOperand(), work);
  const Normalized made =
      normalized(ops, x, axesFrom(int64_t(op.getAxis()), x), op.getEpsilon().convertToDouble());
  Value result = made.result;
  if (op.getScale())
    result = ops.binary<tm::MulOp>(result, ops.cast(op.getScale(), work));
  if (op.getBias())
    result = ops.binary<tm::AddOp>(result, ops.cast(op.getBias(), work));
  return {ops.cast(result, element), statistics(made.mean, op.getMean()),
          statistics(made.inverse, op.getInverseDeviation())};
}

static Replacement rmsNorm(tm::RmsNormOp op, TensorOps &ops) {
  const Type element = TensorOps::elementOf(op.getResult());
  const Type work = workType(TensorOps::elementOf(op.getOperand()));
  const Value x = ops.cast(op.getOperand(), work);
  const Value square = ops.binary<tm::MulOp>(x, x);
  const Value mean = ops.reduce(tm::ReduceKind::Mean, square, axesFrom(int64_t(op.getAxis()), x));
  const Value safe =
      ops.binary<tm::AddOp>(mean, ops.number(op.getEpsilon().convertToDouble(), work));
  const Value scaled = ops.binary<tm::DivOp>(x, ops.unary<tm::SqrtOp>(safe));
  return {ops.binary<tm::MulOp>(ops.cast(scaled, element), ops.cast(op.getScale(), element))};
}

/// One number for each channel of [N, C, …].
static Value perChannel(TensorOps &ops, Value numbers, size_t rank) {
  SmallVector<int64_t> shape(rank - 1, 1);
  shape[0] = TensorOps::shapeOf(numbers)[0];
  return ops.reshape(numbers, shape);
}

/// The channels of each of the groups together.
static Replacement groupNorm(TensorOps &ops, Value operand, Value scale, Value bias, int64_t groups,
                             bool isPerGroup, double epsilon) {
  const SmallVector<int64_t> shape(TensorOps::shapeOf(operand));
  const Type element = TensorOps::elementOf(operand), work = workType(element);
  const int64_t rest = llvm::product_of(ArrayRef(shape).drop_front());
  if (rest == 0 || shape[1] % groups != 0)
    return {};
  Value x = ops.reshape(ops.cast(operand, work), {shape[0], groups, rest / groups});
  x = normalized(ops, x, {2}, epsilon).result;
  scale = ops.cast(scale, work);
  bias = ops.cast(bias, work);
  if (!isPerGroup)
    x = ops.reshape(x, shape);
  const size_t rank = isPerGroup ? 3 : shape.size();
  x = ops.binary<tm::MulOp>(x, perChannel(ops, scale, rank));
  x = ops.binary<tm::AddOp>(x, perChannel(ops, bias, rank));
  return {ops.cast(ops.reshape(x, shape), element)};
}

Replacement decomposeNorm(Operation *operation, TensorOps &ops) {
  if (auto op = dyn_cast<tm::LayerNormOp>(operation))
    return layerNorm(op, ops);
  if (auto op = dyn_cast<tm::RmsNormOp>(operation))
    return rmsNorm(op, ops);
  if (auto op = dyn_cast<tm::InstanceNormOp>(operation))
    return groupNorm(ops, op.getOperand(), op.getScale(), op.getBias(),
                     TensorOps::shapeOf(op.getOperand())[1], false,
                     op.getEpsilon().convertToDouble());
  if (auto op = dyn_cast<tm::GroupNormOp>(operation))
    return groupNorm(ops, op.getOperand(), op.getScale(), op.getBias(), int64_t(op.getGroups()),
                     op.getPerGroup(), op.getEpsilon().convertToDouble());
  return {};
}

} // namespace tilescope::model
