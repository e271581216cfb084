// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/tt/BlockAccess.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::tt {

Value BlockAccessBuilder::makeIndices(Value offset, int64_t dimension) {
  int64_t extent = m_shape[dimension];
  Value range = MakeRangeOp::create(
      m_builder, m_location, RankedTensorType::get({extent}, m_builder.getI32Type()), 0, extent);
  Type type = RankedTensorType::get({extent}, m_builder.getI64Type());
  Value wide = arith::ExtSIOp::create(m_builder, m_location, type, range);
  Value start = arith::ExtSIOp::create(m_builder, m_location, m_builder.getI64Type(), offset);
  return arith::AddIOp::create(m_builder, m_location, splat(start, {extent}), wide);
}

BlockAccess BlockAccessBuilder::make(const StridedArray &array, ArrayRef<Value> indices,
                                     llvm::function_ref<bool(int64_t)> isChecked) {
  BlockAccess access{splat(array.base), {}};
  for (auto [dimension, index] : llvm::enumerate(indices)) {
    Value placed = index;
    for (size_t axis = 0; axis < m_shape.size(); ++axis)
      if (axis != dimension)
        placed = ExpandDimsOp::create(m_builder, m_location, placed, static_cast<uint32_t>(axis));
    ArrayRef<int64_t> line = cast<RankedTensorType>(placed.getType()).getShape();
    Value offset =
        arith::MulIOp::create(m_builder, m_location, placed, splat(array.strides[dimension], line));
    access.pointers = AddPtrOp::create(m_builder, m_location, access.pointers, broadcast(offset));
    if (!isChecked(dimension))
      continue;
    Value inside = broadcast(makeInside(placed, splat(array.extents[dimension], line)));
    access.mask =
        access.mask ? arith::AndIOp::create(m_builder, m_location, access.mask, inside) : inside;
  }
  return access;
}

Value BlockAccessBuilder::makeInside(Value index, Value extent) {
  using arith::CmpIPredicate;
  Value zero =
      arith::ConstantOp::create(m_builder, m_location, m_builder.getZeroAttr(index.getType()));
  Value above = arith::CmpIOp::create(m_builder, m_location, CmpIPredicate::sge, index, zero);
  Value below = arith::CmpIOp::create(m_builder, m_location, CmpIPredicate::slt, index, extent);
  return arith::AndIOp::create(m_builder, m_location, above, below);
}

Value BlockAccessBuilder::splat(Value scalar, ArrayRef<int64_t> shape) {
  return SplatOp::create(m_builder, m_location, RankedTensorType::get(shape, scalar.getType()),
                         scalar);
}

Value BlockAccessBuilder::broadcast(Value line) {
  return BroadcastOp::create(m_builder, m_location,
                             RankedTensorType::get(m_shape, getElementTypeOrSelf(line.getType())),
                             line);
}

} // namespace tilescope::tt
