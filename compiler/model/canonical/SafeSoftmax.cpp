// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Softmax of scores of which all may be hidden, as exporters write it out:
//
//   where(not any(not (x == -inf)), 0, softmax(x))      PyTorch's decompositions
//   where(isnan(softmax(x)), 0, softmax(x))             PyTorch's ONNX files
//
// becomes one operation, which kernels of attention take. In the second form a score of nan stays nan.
#include "compiler/model/canonical/Rewrites.h"
#include "compiler/model/canonical/TensorOps.h"

using namespace mlir;

namespace tilescope::model {

/// Without pairs of `not`.
static Value withoutDoubleNot(Value value) {
  for (;;) {
    auto outer = value.getDefiningOp<tm::NotOp>();
    auto inner = outer ? outer.getOperand().getDefiningOp<tm::NotOp>() : tm::NotOp();
    if (!inner)
      return value;
    value = inner.getOperand();
  }
}

/// The operand of `operand == number`; null: it is something else.
static Value comparedWith(Value value, double number) {
  auto compare = value.getDefiningOp<tm::CompareOp>();
  return compare && compare.getPredicate() == tm::Comparison::Equal &&
                 splatOf(compare.getRhs()) == number
             ? compare.getLhs()
             : Value();
}

/// Whether it is true of rows in which all of `x` is -inf.
static bool tellsEmptyRows(Value condition, tm::SoftmaxOp softmax) {
  const Value any = comparedWith(withoutDoubleNot(condition), 0);
  auto largest = any ? any.getDefiningOp<tm::ReduceOp>() : tm::ReduceOp();
  if (!largest || largest.getKind() != tm::ReduceKind::Max ||
      largest.getAxes() != softmax.getAxes())
    return false;
  Value seen = largest.getOperand();
  if (auto cast = seen.getDefiningOp<tm::CastOp>())
    seen = cast.getOperand();
  auto isSeen = seen.getDefiningOp<tm::NotOp>();
  return isSeen && comparedWith(isSeen.getOperand(), -std::numeric_limits<double>::infinity()) ==
                       softmax.getOperand();
}

bool takeSafeSoftmax(Operation *operation, RewriteContext &context) {
  auto op = dyn_cast<tm::WhereOp>(operation);
  auto softmax = op ? op.getRhs().getDefiningOp<tm::SoftmaxOp>() : tm::SoftmaxOp();
  if (!softmax || op.getResult().getType() != softmax.getResult().getType() ||
      splatOf(op.getLhs()) != 0.0)
    return false;
  auto isNan = op.getCondition().getDefiningOp<tm::IsNanOp>();
  if (isNan ? isNan.getOperand() != softmax.getResult()
            : !tellsEmptyRows(op.getCondition(), softmax))
    return false;
  // What kernels subtract from a row is a number of fp32.
  const Type element = TensorOps::elementOf(softmax.getResult());
  TensorOps ops(context.builder, op.getLoc());
  const Value x = element.getIntOrFloatBitWidth() < 32
                      ? ops.cast(softmax.getOperand(), context.builder.getF32Type())
                      : softmax.getOperand();
  const Value rows = ops.make<tm::SoftmaxOp>(x.getType(), x, softmax.getAxes(), true);
  context.replace(operation, ops.cast(rows, element), "softmax",
                  "rows in which nothing is seen are part of the softmax");
  return true;
}

} // namespace tilescope::model
