// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Rotary embeddings as models write them out:
//
//   x * cos + concat(-x[..., n/2:], x[..., :n/2]) * sin
//
// The second part has each element of x once, so it is a view of x with other signs: its halves stand as two rows, of which
// the last one comes first. Pointwise kernels take it along; a concatenation is a kernel of its own.
#include "compiler/dialects/tm/ir/Extents.h"
#include "compiler/model/canonical/Rewrites.h"
#include "compiler/model/canonical/TensorOps.h"

using namespace mlir;

namespace tilescope::model {

/// Where a slice of neighbors begins along the last axis, if it has all of the others; nothing: it is another one.
static std::optional<int64_t> lastBegin(tm::SliceOp op) {
  const auto type = cast<RankedTensorType>(op.getOperand().getType());
  const auto result = cast<RankedTensorType>(op.getResult().getType());
  if (!type.hasStaticShape() || !result.hasStaticShape() || type.getRank() == 0 ||
      !op.getBegins() || type.getShape().drop_back() != result.getShape().drop_back())
    return std::nullopt;
  const bool isOfNeighbors = llvm::all_of(*op.getSteps(), [](int64_t step) { return step == 1; }) &&
                             llvm::all_of(op.getBegins()->getValues().drop_back(),
                                          [](tm::Extent begin) { return tm::isNumber(begin, 0); });
  return isOfNeighbors ? tm::numberOf(op.getBegins()->getValues().back()) : std::nullopt;
}

bool takeRotatedHalves(Operation *operation, RewriteContext &context) {
  auto op = dyn_cast<tm::ConcatOp>(operation);
  if (!op || op->getNumOperands() != 2)
    return false;
  auto negated = op->getOperand(0).getDefiningOp<tm::NegOp>();
  auto upper = negated ? negated.getOperand().getDefiningOp<tm::SliceOp>() : tm::SliceOp();
  auto lower = op->getOperand(1).getDefiningOp<tm::SliceOp>();
  if (!upper || !lower || upper.getOperand() != lower.getOperand())
    return false;
  const Value x = upper.getOperand();
  const Type element = TensorOps::elementOf(x);
  const auto shape = cast<RankedTensorType>(x.getType()).getShape();
  if (op.getResult().getType() != x.getType() || !isa<FloatType>(element) || shape.empty() ||
      shape.back() % 2 != 0 || lastBegin(upper) != shape.back() / 2 || lastBegin(lower) != 0 ||
      TensorOps::shapeOf(lower.getResult()).back() != shape.back() / 2)
    return false;
  TensorOps ops(context.builder, op.getLoc());
  const int64_t half = shape.back() / 2, axis = int64_t(shape.size()) - 1;
  SmallVector<int64_t> inRows(shape.drop_back());
  inRows.append({2, half});
  const Value turned =
      ops.reshape(ops.slice(ops.reshape(x, inRows), axis, 1, 2, -1), SmallVector<int64_t>(shape));
  std::vector<double> signs(size_t(half), -1);
  signs.resize(size_t(shape.back()), 1);
  const Value factors =
      realConstant(context.builder, op.getLoc(), {shape.back()}, cast<FloatType>(element), signs);
  context.replace(operation, ops.binary<tm::MulOp>(turned, factors), "rotary",
                  "its halves are exchanged where they are read");
  return true;
}

} // namespace tilescope::model
