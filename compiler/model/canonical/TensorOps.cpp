// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/canonical/TensorOps.h"

#include "compiler/dialects/tm/ir/Extents.h"

using namespace mlir;

namespace tilescope::model {

ArrayRef<int64_t> TensorOps::shapeOf(Value value) {
  return ::mlir::cast<RankedTensorType>(value.getType()).getShape();
}

Type TensorOps::elementOf(Value value) { return getElementTypeOrSelf(value); }

SmallVector<int64_t> TensorOps::repeated(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  if (a.size() < b.size())
    std::swap(a, b);
  SmallVector<int64_t> shape(a);
  for (size_t axis = 0; axis < b.size(); ++axis)
    if (int64_t &extent = shape[a.size() - b.size() + axis]; extent == 1)
      extent = b[axis];
  return shape;
}

Value TensorOps::reshape(Value value, ArrayRef<int64_t> shape) {
  if (shapeOf(value) == shape)
    return value;
  return tm::ReshapeOp::create(m_builder, m_location, typeOf(shape, elementOf(value)), value,
                               Value());
}

Value TensorOps::transpose(Value value, ArrayRef<int64_t> order) {
  SmallVector<int64_t> shape;
  for (const int64_t axis : order)
    shape.push_back(shapeOf(value)[size_t(axis)]);
  return tm::TransposeOp::create(m_builder, m_location, typeOf(shape, elementOf(value)), value,
                                 order);
}

Value TensorOps::expand(Value value, ArrayRef<int64_t> shape) {
  if (shapeOf(value) == shape)
    return value;
  return tm::ExpandOp::create(m_builder, m_location, typeOf(shape, elementOf(value)), value,
                              Value());
}

Value TensorOps::concat(Value first, Value second, int64_t axis) {
  return concat({first, second}, axis);
}

Value TensorOps::concat(ArrayRef<Value> values, int64_t axis) {
  if (values.size() > kMostConcatenated) {
    SmallVector<Value> parts;
    for (; !values.empty(); values = values.drop_front(std::min(kMostConcatenated, values.size())))
      parts.push_back(concat(values.take_front(kMostConcatenated), axis));
    return concat(parts, axis);
  }
  if (values.size() == 1)
    return values.front();
  SmallVector<int64_t> shape(shapeOf(values.front()));
  for (const Value value : values.drop_front())
    shape[size_t(axis)] += shapeOf(value)[size_t(axis)];
  return tm::ConcatOp::create(m_builder, m_location, typeOf(shape, elementOf(values.front())),
                              ValueRange(values), axis);
}

Value TensorOps::slice(Value value, int64_t axis, int64_t begin, int64_t extent, int64_t step) {
  SmallVector<int64_t> shape(shapeOf(value)), steps(shape.size(), 1);
  shape[size_t(axis)] = extent;
  steps[size_t(axis)] = step;
  SmallVector<tm::Extent> begins;
  for (size_t each = 0; each < shape.size(); ++each)
    begins.push_back(tm::number(m_builder.getContext(), each == size_t(axis) ? begin : 0));
  return tm::SliceOp::create(m_builder, m_location, typeOf(shape, elementOf(value)), value,
                             ValueRange(), tm::ExtentsAttr::get(m_builder.getContext(), begins),
                             m_builder.getDenseI64ArrayAttr(steps));
}

Value TensorOps::gather(Value value, Value indices, int64_t axis) {
  const ArrayRef<int64_t> from = shapeOf(value), places = shapeOf(indices);
  SmallVector<int64_t> shape(from.take_front(size_t(axis)));
  shape.append(places.begin(), places.end());
  shape.append(from.begin() + axis + 1, from.end());
  return tm::GatherOp::create(m_builder, m_location, typeOf(shape, elementOf(value)), value,
                              indices, axis);
}

Value TensorOps::gatherElements(Value value, Value indices, int64_t axis) {
  return tm::GatherElementsOp::create(
      m_builder, m_location, typeOf(shapeOf(indices), elementOf(value)), value, indices, axis);
}

Value TensorOps::cast(Value value, Type element) {
  if (elementOf(value) == element)
    return value;
  return tm::CastOp::create(m_builder, m_location, typeOf(shapeOf(value), element), value);
}

Value TensorOps::number(double value, Type element) {
  const auto type = typeOf({}, element);
  const Attribute attribute = isa<FloatType>(element)
                                  ? Attribute(FloatAttr::get(element, value))
                                  : Attribute(IntegerAttr::get(element, int64_t(value)));
  return tm::ConstantOp::create(
      m_builder, m_location, type,
      ::mlir::cast<ElementsAttr>(DenseElementsAttr::get(type, attribute)));
}

Value TensorOps::counted(ArrayRef<int64_t> shape, Type element) {
  static constexpr int64_t kMost = 1 << 22;
  const int64_t count = llvm::product_of(shape);
  if (count > kMost)
    return {};
  SmallVector<Attribute> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(isa<FloatType>(element) ? Attribute(FloatAttr::get(element, double(i)))
                                             : Attribute(IntegerAttr::get(element, i)));
  return constant<Attribute>(shape, element, values);
}

Value TensorOps::reduce(tm::ReduceKind kind, Value value, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> shape(shapeOf(value));
  for (const int64_t axis : axes)
    shape[size_t(axis)] = 1;
  return tm::ReduceOp::create(m_builder, m_location, typeOf(shape, elementOf(value)), kind, value,
                              axes);
}

Value TensorOps::matmul(Value lhs, Value rhs, Type element) {
  SmallVector<int64_t> shape = repeated(shapeOf(lhs).drop_back(2), shapeOf(rhs).drop_back(2));
  shape.push_back(shapeOf(lhs).end()[-2]);
  shape.push_back(shapeOf(rhs).back());
  return tm::MatmulOp::create(m_builder, m_location, typeOf(shape, element), lhs, rhs);
}

Value TensorOps::compare(tm::Comparison predicate, Value lhs, Value rhs) {
  return tm::CompareOp::create(m_builder, m_location,
                               typeOf(repeated(shapeOf(lhs), shapeOf(rhs)), m_builder.getI1Type()),
                               predicate, lhs, rhs);
}

Value TensorOps::where(Value condition, Value lhs, Value rhs) {
  const SmallVector<int64_t> shape =
      repeated(repeated(shapeOf(condition), shapeOf(lhs)), shapeOf(rhs));
  return tm::WhereOp::create(m_builder, m_location, typeOf(shape, elementOf(lhs)), condition, lhs,
                             rhs);
}

} // namespace tilescope::model
