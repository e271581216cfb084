// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Products as kernels read them best, whatever a converter made of them:
//
//   gemm(x, transpose(w))                     a product reads a transposed factor where it lies
//   matmul(x, expand(w))                      one matrix for the whole batch is not repeated
//   reshape(matmul([8, m, k], [8, k, n]))     matmul([2, 4, m, k], [2, 4, k, n]): the batch as what follows has it
#include "compiler/model/canonical/Rewrites.h"

using namespace mlir;

namespace tilescope::model {

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static bool hasStaticShape(Value value) {
  return cast<RankedTensorType>(value.getType()).hasStaticShape();
}

/// The operand of a transposition of a matrix; null: it is not one.
static Value transposedMatrix(Value value) {
  auto transpose = value.getDefiningOp<tm::TransposeOp>();
  return transpose && transpose.getOrder() == ArrayRef<int64_t>{1, 0} ? transpose.getOperand()
                                                                      : Value();
}

static Value withoutTransposes(tm::GemmOp op, RewriteContext &context) {
  const Value left = transposedMatrix(op.getLhs()), right = transposedMatrix(op.getRhs());
  if (!left && !right)
    return {};
  auto plain = cast<tm::GemmOp>(context.builder.clone(*op));
  if (left) {
    plain.getLhsMutable().assign(left);
    plain.setTransposeLhs(!op.getTransposeLhs());
  }
  if (right) {
    plain.getRhsMutable().assign(right);
    plain.setTransposeRhs(!op.getTransposeRhs());
  }
  return plain.getResult();
}

/// The operand of a repetition of whole matrices; null: the factor is not one.
static Value onceForBatch(Value factor) {
  auto expand = factor.getDefiningOp<tm::ExpandOp>();
  if (!expand || !hasStaticShape(factor) || !hasStaticShape(expand.getOperand()))
    return {};
  const ArrayRef<int64_t> from = shapeOf(expand.getOperand()), to = shapeOf(factor);
  const bool isOne = from.size() >= 2 && llvm::product_of(from.drop_back(2)) == 1;
  return isOne && from.take_back(2) == to.take_back(2) ? expand.getOperand() : Value();
}

static Value withoutRepetition(tm::MatmulOp op, RewriteContext &context) {
  const Value right = onceForBatch(op.getRhs());
  if (!right || !hasStaticShape(op.getLhs()) || shapeOf(op.getLhs()).size() < 2 ||
      shapeOf(op.getLhs()).drop_back(2) != shapeOf(op.getResult()).drop_back(2))
    return {};
  return tm::MatmulOp::create(context.builder, op.getLoc(), op.getResult().getType(), op.getLhs(),
                              right);
}

/// Of a reshape that only splits the axes of a batch; null: it is another one.
static Value inSplitBatch(tm::ReshapeOp op, RewriteContext &context) {
  auto product = op.getOperand().getDefiningOp<tm::MatmulOp>();
  if (!product || !product->hasOneUse() || op.getShape())
    return {};
  for (const Value each : {product.getLhs(), product.getRhs(), product.getResult(), op.getResult()})
    if (!hasStaticShape(each))
      return {};
  const ArrayRef<int64_t> from = shapeOf(product.getResult()), to = shapeOf(op.getResult());
  if (to.size() <= from.size() || from.size() < 3 || from.take_back(2) != to.take_back(2))
    return {};
  SmallVector<Value> factors;
  for (const Value factor : {product.getLhs(), product.getRhs()}) {
    const ArrayRef<int64_t> shape = shapeOf(factor);
    if (shape.drop_back(2) != from.drop_back(2))
      return {};
    SmallVector<int64_t> split(to.drop_back(2));
    split.append(shape.end() - 2, shape.end());
    const auto type = cast<RankedTensorType>(factor.getType());
    factors.push_back(tm::ReshapeOp::create(context.builder, op.getLoc(),
                                            RankedTensorType::get(split, type.getElementType()),
                                            factor, Value()));
  }
  return tm::MatmulOp::create(context.builder, product.getLoc(), op.getResult().getType(),
                              factors[0], factors[1]);
}

bool simplifyProduct(Operation *operation, RewriteContext &context) {
  if (auto op = dyn_cast<tm::GemmOp>(operation))
    if (const Value value = withoutTransposes(op, context)) {
      context.replace(operation, value, "product", "it reads its factors as they are stored");
      return true;
    }
  if (auto op = dyn_cast<tm::MatmulOp>(operation))
    if (const Value value = withoutRepetition(op, context)) {
      context.replace(operation, value, "product", "one matrix serves the whole batch");
      return true;
    }
  if (auto op = dyn_cast<tm::ReshapeOp>(operation))
    if (const Value value = inSplitBatch(op, context)) {
      context.replace(operation, value, "product", "the product before it has these axes");
      return true;
    }
  return false;
}

} // namespace tilescope::model
