// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Movements that are reshapes around a transposition or a repetition, products of vectors, and reductions
// of truth values.
#include "compiler/model/canonical/Decompose.h"

using namespace mlir;

namespace tilescope::model {

static Replacement depthToSpace(tm::DepthToSpaceOp op, TensorOps &ops) {
  const ArrayRef<int64_t> from = TensorOps::shapeOf(op.getOperand());
  const int64_t block = int64_t(op.getBlock()), channels = from[1] / (block * block);
  const bool isChannelFirst = op.getColumnsFirst();
  const Value split =
      isChannelFirst
          ? ops.reshape(op.getOperand(), {from[0], channels, block, block, from[2], from[3]})
          : ops.reshape(op.getOperand(), {from[0], block, block, channels, from[2], from[3]});
  const SmallVector<int64_t> order = isChannelFirst ? SmallVector<int64_t>{0, 1, 4, 2, 5, 3}
                                                    : SmallVector<int64_t>{0, 3, 4, 1, 5, 2};
  return {ops.reshape(ops.transpose(split, order), TensorOps::shapeOf(op.getResult()))};
}

static Replacement spaceToDepth(tm::SpaceToDepthOp op, TensorOps &ops) {
  const ArrayRef<int64_t> from = TensorOps::shapeOf(op.getOperand());
  const int64_t block = int64_t(op.getBlock());
  const Value split = ops.reshape(
      op.getOperand(), {from[0], from[1], from[2] / block, block, from[3] / block, block});
  return {
      ops.reshape(ops.transpose(split, {0, 3, 5, 1, 2, 4}), TensorOps::shapeOf(op.getResult()))};
}

/// [2, 3] twice along both axes: [1, 2, 1, 3] as [2, 2, 2, 3].
static Replacement tile(tm::TileOp op, TensorOps &ops) {
  SmallVector<int64_t> split, repeated;
  for (const auto [from, to] :
       llvm::zip_equal(TensorOps::shapeOf(op.getOperand()), TensorOps::shapeOf(op.getResult()))) {
    if (from == 0)
      return {};
    split.append({1, from});
    repeated.append({to / from, from});
  }
  return {ops.reshape(ops.expand(ops.reshape(op.getOperand(), split), repeated),
                      TensorOps::shapeOf(op.getResult()))};
}

/// Batches of different extents are repeated; a vector is a matrix of one row or column.
static Replacement matmul(tm::MatmulOp op, TensorOps &ops) {
  SmallVector<int64_t> left(TensorOps::shapeOf(op.getLhs())),
      right(TensorOps::shapeOf(op.getRhs()));
  const bool isVector = left.size() == 1 || right.size() == 1;
  if (left.size() == 1)
    left.insert(left.begin(), 1);
  if (right.size() == 1)
    right.push_back(1);
  const auto batchOf = [](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> batch(shape.drop_back(2));
    while (!batch.empty() && batch.front() == 1)
      batch.erase(batch.begin());
    return batch;
  };
  const SmallVector<int64_t> a = batchOf(left), b = batchOf(right);
  const bool isMixed = !a.empty() && !b.empty() && a != b;
  if (!isVector && !isMixed)
    return {};
  Value lhs = ops.reshape(op.getLhs(), left), rhs = ops.reshape(op.getRhs(), right);
  if (isMixed) {
    // What both are repeated to.
    SmallVector<int64_t> batch(
        TensorOps::shapeOf(op.getResult()).drop_back((left.size() > 1 && !isVector) ? 2 : 1));
    SmallVector<int64_t> wideLeft(batch), wideRight(batch);
    wideLeft.append(left.end() - 2, left.end());
    wideRight.append(right.end() - 2, right.end());
    lhs = ops.expand(lhs, wideLeft);
    rhs = ops.expand(rhs, wideRight);
  }
  return {ops.reshape(ops.matmul(lhs, rhs, TensorOps::elementOf(op.getResult())),
                      TensorOps::shapeOf(op.getResult()))};
}

/// Part by part, where they are too many for a kernel.
static Replacement concat(tm::ConcatOp op, TensorOps &ops) {
  if (op->getNumOperands() <= kMostConcatenated)
    return {};
  return {ops.concat(SmallVector<Value>(op.getOperands()), int64_t(op.getAxis()))};
}

/// Nothing summed up is 0, nothing multiplied is 1.
static Replacement reduceNothing(tm::ReduceOp op, TensorOps &ops) {
  const Type element = TensorOps::elementOf(op.getOperand());
  const auto type = cast<RankedTensorType>(op.getResult().getType());
  if (cast<RankedTensorType>(op.getOperand().getType()).getNumElements() > 0 ||
      type.getNumElements() == 0 || !isa<FloatType>(element) ||
      op.getKind() == tm::ReduceKind::Mean)
    return {};
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double value = op.getKind() == tm::ReduceKind::Prod  ? 1
                       : op.getKind() == tm::ReduceKind::Max ? -kInfinity
                       : op.getKind() == tm::ReduceKind::Min ? kInfinity
                                                             : 0;
  return {ops.expand(ops.number(value, element), type.getShape())};
}

/// The largest of truth values is whether one is true.
static Replacement reduceTruth(tm::ReduceOp op, TensorOps &ops) {
  if (!TensorOps::elementOf(op.getOperand()).isInteger(1))
    return {};
  const Type number = IntegerType::get(op.getContext(), 32);
  const Value reduced = ops.reduce(op.getKind(), ops.cast(op.getOperand(), number), op.getAxes());
  return {ops.reshape(ops.compare(tm::Comparison::Greater, reduced, ops.number(0, number)),
                      TensorOps::shapeOf(op.getResult()))};
}

Replacement decomposeMovement(Operation *operation, TensorOps &ops) {
  if (auto op = dyn_cast<tm::DepthToSpaceOp>(operation))
    return depthToSpace(op, ops);
  if (auto op = dyn_cast<tm::SpaceToDepthOp>(operation))
    return spaceToDepth(op, ops);
  if (auto op = dyn_cast<tm::TileOp>(operation))
    return tile(op, ops);
  if (auto op = dyn_cast<tm::ConcatOp>(operation))
    return concat(op, ops);
  if (auto op = dyn_cast<tm::MatmulOp>(operation))
    return matmul(op, ops);
  if (auto op = dyn_cast<tm::ReduceOp>(operation)) {
    Replacement nothing = reduceNothing(op, ops);
    return nothing.empty() ? reduceTruth(op, ops) : nothing;
  }
  return {};
}

} // namespace tilescope::model
