// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/canonical/RepackWeights.h"

#include "compiler/model/canonical/AxisOrders.h"
#include "compiler/support/PermutedBytes.h"

#include <span>
#include <vector>

using namespace mlir;

namespace tilescope::model {

/// The elements of a constant in another order.
static Value movedConstant(tm::ConstantOp op, ArrayRef<int64_t> order, OpBuilder &builder) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  const auto type = cast<RankedTensorType>(op.getType());
  if (!elements || type.getElementTypeBitWidth() % 8 != 0)
    return {};
  const auto movedType = type.clone(permuted(type.getShape(), order));
  if (elements.isSplat())
    return tm::ConstantOp::create(builder, op.getLoc(), movedType,
                                  cast<ElementsAttr>(elements.resizeSplat(movedType)));
  const ArrayRef<char> raw = elements.getRawData();
  std::vector<char> bytes(raw.size());
  permuteBytes(std::as_bytes(std::span(raw)), movedType.getShape(), order,
               type.getElementTypeBitWidth() / 8, std::as_writable_bytes(std::span(bytes)));
  return tm::ConstantOp::create(
      builder, op.getLoc(), movedType,
      cast<ElementsAttr>(DenseElementsAttr::getFromRawBuffer(movedType, bytes)));
}

Value repacked(Value constant, ArrayRef<int64_t> order, OpBuilder &builder) {
  if (auto op = constant.getDefiningOp<tm::ConstantOp>())
    return movedConstant(op, order, builder);
  auto weight = constant.getDefiningOp<tm::WeightOp>();
  if (!weight || !weight.getOrder().empty())
    return {};
  const auto type = cast<RankedTensorType>(weight.getType());
  return tm::WeightOp::create(builder, weight.getLoc(),
                              type.clone(permuted(type.getShape(), order)), weight.getName(),
                              weight.getFile(), weight.getOffset(), order);
}

/// Smaller ones are read as fast either way.
static constexpr int64_t kFewestElements = 1 << 16;

static bool isWorthIt(Value leftValue, Value rightValue, WantsColumns wantsColumns) {
  const auto left = cast<RankedTensorType>(leftValue.getType());
  const auto right = cast<RankedTensorType>(rightValue.getType());
  if (!left.hasStaticShape() || !right.hasStaticShape() || right.getRank() != 2 ||
      right.getNumElements() < kFewestElements || !isa<FloatType>(right.getElementType()))
    return false;
  const int64_t rows = llvm::product_of(left.getShape().drop_back());
  return rows == 1 || wantsColumns(rows, right.getDimSize(1), right.getDimSize(0),
                                   right.getElementTypeBitWidth() / 8);
}

void repackForProducts(func::FuncOp function, WantsColumns wantsColumns) {
  OpBuilder builder(function.getContext());
  for (auto op : llvm::make_early_inc_range(function.getOps<tm::MatmulOp>())) {
    if (!isWorthIt(op.getLhs(), op.getRhs(), wantsColumns))
      continue;
    builder.setInsertionPoint(op);
    if (const Value columns = repacked(op.getRhs(), {1, 0}, builder))
      op.getRhsMutable().assign(TensorOps(builder, op.getLoc()).transpose(columns, {1, 0}));
  }
  for (auto op : function.getOps<tm::GemmOp>()) {
    if (op.getTransposeLhs() || op.getTransposeRhs() ||
        !isWorthIt(op.getLhs(), op.getRhs(), wantsColumns))
      continue;
    builder.setInsertionPoint(op);
    if (const Value columns = repacked(op.getRhs(), {1, 0}, builder)) {
      op.getRhsMutable().assign(columns);
      op.setTransposeRhs(true);
    }
  }
}

} // namespace tilescope::model
