// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Value.h"

#include "compiler/constant/Operators.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

Value::Value(constant::Value value) {
  if (!value.isSequence()) {
    m_data = std::move(value);
    return;
  }
  std::vector<Value> items(value.items().begin(), value.items().end());
  m_data = std::make_shared<const TupleValue>(TupleValue{std::move(items), {}, nullptr});
}

Value Value::poison() {
  Value value;
  value.m_data = Poison{};
  return value;
}

bool Value::isConstexpr() const {
  if (constant())
    return true;
  const TupleValue *tuple = asTuple();
  return tuple && std::ranges::all_of(tuple->items, &Value::isConstexpr);
}

std::optional<constant::Value> Value::toConstant() const {
  if (const constant::Value *value = constant())
    return *value;
  const TupleValue *tuple = asTuple();
  if (!tuple)
    return std::nullopt;
  constant::Value::Items items;
  items.reserve(tuple->items.size());
  for (const Value &item : tuple->items) {
    std::optional<constant::Value> converted = item.toConstant();
    if (!converted)
      return std::nullopt;
    items.push_back(std::move(*converted));
  }
  return constant::Value::tuple(std::move(items));
}

static void flattenAll(const std::vector<Tensor> &tensors,
                       llvm::SmallVectorImpl<mlir::Value> &handles) {
  for (const Tensor &tensor : tensors)
    handles.push_back(tensor.handle);
}

void Value::flatten(llvm::SmallVectorImpl<mlir::Value> &handles) const {
  if (const Tensor *value = tensor()) {
    handles.push_back(value->handle);
  } else if (const TupleValue *tuple = asTuple()) {
    for (const Value &item : tuple->items)
      item.flatten(handles);
  } else if (const BlockPointer *pointer = blockPointer()) {
    handles.push_back(pointer->base.handle);
    flattenAll(pointer->shape, handles);
    flattenAll(pointer->strides, handles);
    flattenAll(pointer->offsets, handles);
  } else if (const TensorDescriptor *value = descriptor()) {
    handles.push_back(value->handle);
    flattenAll(value->shape, handles);
    flattenAll(value->strides, handles);
  }
}

Value Value::rebuild(llvm::ArrayRef<mlir::Value> &handles) const {
  auto take = [&](mlir::Value &handle) {
    handle = handles.front();
    handles = handles.drop_front();
  };
  auto takeAll = [&](std::vector<Tensor> &tensors) {
    for (Tensor &tensor : tensors)
      take(tensor.handle);
  };
  if (const Tensor *value = tensor()) {
    Tensor copy = *value;
    take(copy.handle);
    return copy;
  }
  if (const TupleValue *tuple = asTuple()) {
    TupleValue copy{{}, tuple->fields, tuple->type};
    for (const Value &item : tuple->items)
      copy.items.push_back(item.rebuild(handles));
    return copy;
  }
  if (const BlockPointer *pointer = blockPointer()) {
    BlockPointer copy = *pointer;
    take(copy.base.handle);
    takeAll(copy.shape);
    takeAll(copy.strides);
    takeAll(copy.offsets);
    return copy;
  }
  if (const TensorDescriptor *value = descriptor()) {
    TensorDescriptor copy = *value;
    take(copy.handle);
    takeAll(copy.shape);
    takeAll(copy.strides);
    return copy;
  }
  return *this;
}

static bool sameTypes(const std::vector<Tensor> &a, const std::vector<Tensor> &b) {
  return std::ranges::equal(a, b,
                            [](const Tensor &x, const Tensor &y) { return x.type == y.type; });
}

bool Value::hasTypeOf(const Value &other) const {
  if (m_data.index() != other.m_data.index())
    return false;
  if (const Tensor *value = tensor())
    return value->type == other.tensor()->type;
  if (const constant::Value *value = constant())
    return value->kind() == other.constant()->kind() && constant::equal(*value, *other.constant());
  if (const TupleValue *tuple = asTuple())
    return std::ranges::equal(tuple->items, other.asTuple()->items,
                              [](const Value &x, const Value &y) { return x.hasTypeOf(y); });
  if (const BlockPointer *pointer = blockPointer())
    return pointer->base.type == other.blockPointer()->base.type &&
           pointer->blockShape == other.blockPointer()->blockShape;
  if (const TensorDescriptor *value = descriptor())
    return value->blockType == other.descriptor()->blockType &&
           sameTypes(value->strides, other.descriptor()->strides);
  return true;
}

static std::string describeConstant(const constant::Value &value, bool withValue) {
  if (value.isNone())
    return "None";
  if (value.isDType())
    return "dtype " + value.dtype().name();
  if (value.isExtension())
    return value.extension().typeName();
  std::string text = "constexpr " + value.typeName();
  return withValue ? text + " = " + constant::repr(value) : text;
}

static std::string describeValue(const Value &value, bool withValue);

/// Many items of one type are counted: `tuple<int32 × 1024>`.
static std::string describeTuple(const Value &value, const TupleValue &tuple, bool withValue) {
  constexpr size_t kMostItems = 4;
  const std::vector<Value> &items = tuple.items;
  const std::optional<constant::Value> constant = value.toConstant();
  const std::string first = items.empty() ? "" : describeValue(items.front(), false);
  const bool isLong =
      items.size() > kMostItems && std::ranges::all_of(items, [&](const Value &item) {
        return describeValue(item, false) == first;
      });
  if (constant && withValue && !isLong)
    return "constexpr tuple = " + constant::repr(*constant);
  std::string text = "tuple<";
  if (isLong)
    text += first + " × " + std::to_string(items.size());
  for (size_t i = 0; i < items.size() && !isLong; ++i)
    text += (i ? ", " : "") + describeValue(items[i], withValue);
  return text + ">";
}

static std::string describeValue(const Value &value, bool withValue) {
  if (const Tensor *tensor = value.tensor())
    return toString(tensor->type);
  if (const constant::Value *constant = value.constant())
    return describeConstant(*constant, withValue);
  if (const TupleValue *tuple = value.asTuple()) {
    return describeTuple(value, *tuple, withValue);
  }
  if (const BlockPointer *pointer = value.blockPointer())
    return "block_pointer<" + toString(pointer->base.type.scalar.pointee()) + ">" +
           shapeToString(pointer->blockShape);
  if (const TensorDescriptor *descriptor = value.descriptor())
    return "tensor_descriptor<" + toString(descriptor->blockType.scalar) + ">" +
           shapeToString(descriptor->blockType.shape);
  return "unknown";
}

std::string Value::describe() const { return describeValue(*this, true); }
std::string Value::describeType() const { return describeValue(*this, false); }

} // namespace tilescope::compiler::frontend
