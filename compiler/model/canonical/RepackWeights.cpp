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

/// Whether the elements of each column of a product's right factor should lie beside each other. Nothing: it is read as fast
/// either way, or its extents are not known.
static std::optional<bool> wantedColumns(Value leftValue, Value rightValue, bool isTransposed,
                                         WantsColumns wantsColumns) {
  const auto left = cast<RankedTensorType>(leftValue.getType());
  const auto right = cast<RankedTensorType>(rightValue.getType());
  if (!left.hasStaticShape() || !right.hasStaticShape() || right.getRank() != 2 ||
      right.getNumElements() < kFewestElements || !isa<FloatType>(right.getElementType()))
    return std::nullopt;
  const int64_t rows = llvm::product_of(left.getShape().drop_back());
  const int64_t columns = right.getDimSize(isTransposed ? 0 : 1);
  const int64_t depth = right.getDimSize(isTransposed ? 1 : 0);
  return rows == 1 || wantsColumns(rows, columns, depth, right.getElementTypeBitWidth() / 8);
}

/// Whether rows along an axis begin with vectors of 16 bytes: else what has its rows in them is read element by element.
static bool hasWholeVectors(Value matrix, unsigned axis) {
  const auto type = cast<RankedTensorType>(matrix.getType());
  return type.getDimSize(axis) * int64_t(type.getElementTypeBitWidth()) % 128 == 0;
}

/// What makes a value of a matrix alone by turning it; null: nothing does.
static tm::TransposeOp turned(Value value) {
  auto transpose = value.getDefiningOp<tm::TransposeOp>();
  return transpose && transpose.getOrder() == ArrayRef<int64_t>({1, 0}) && value.hasOneUse()
             ? transpose
             : tm::TransposeOp();
}

void repackForProducts(func::FuncOp function, WantsColumns wantsColumns) {
  OpBuilder builder(function.getContext());
  for (auto op : llvm::make_early_inc_range(function.getOps<tm::MatmulOp>())) {
    auto transpose = turned(op.getRhs());
    const auto wanted = wantedColumns(op.getLhs(), op.getRhs(), false, wantsColumns);
    if (!wanted || *wanted == bool(transpose) || (transpose && !hasWholeVectors(op.getRhs(), 1)))
      continue;
    builder.setInsertionPoint(op);
    const Value packed =
        repacked(transpose ? transpose.getOperand() : op.getRhs(), {1, 0}, builder);
    if (packed && transpose) {
      op.getRhsMutable().assign(packed);
      transpose.erase();
    } else if (packed)
      op.getRhsMutable().assign(TensorOps(builder, op.getLoc()).transpose(packed, {1, 0}));
  }
  for (auto op : function.getOps<tm::GemmOp>()) {
    const bool isTransposed = op.getTransposeRhs();
    const auto wanted = wantedColumns(op.getLhs(), op.getRhs(), isTransposed, wantsColumns);
    if (op.getTransposeLhs() || !wanted || *wanted == isTransposed ||
        (isTransposed && !hasWholeVectors(op.getRhs(), 0)))
      continue;
    builder.setInsertionPoint(op);
    if (const Value packed = repacked(op.getRhs(), {1, 0}, builder)) {
      op.getRhsMutable().assign(packed);
      op.setTransposeRhs(!isTransposed);
    }
  }
}

void repackForWindows(func::FuncOp function) {
  // Fewer are one axis with the places, or are not multiplied by tiles.
  static constexpr int64_t kFewestChannels = 16;
  OpBuilder builder(function.getContext());
  for (auto op : function.getOps<tm::ConvOp>()) {
    const auto filter = cast<RankedTensorType>(op.getFilter().getType());
    if (op.getChannelsLast() || op.getTapsFirst() || !filter.hasStaticShape() ||
        filter.getDimSize(1) < kFewestChannels ||
        llvm::product_of(filter.getShape().drop_front(2)) == 1)
      continue;
    SmallVector<int64_t> order;
    for (int64_t axis = 2; axis < filter.getRank(); ++axis)
      order.push_back(axis);
    order.append({0, 1});
    builder.setInsertionPoint(op);
    if (const Value packed = repacked(op.getFilter(), order, builder)) {
      op.getFilterMutable().assign(packed);
      op.setTapsFirst(true);
    }
  }
}

} // namespace tilescope::model
