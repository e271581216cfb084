// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a node of a program says: its arguments, by name.
#include "compiler/model/torch_export/AtenNode.h"
#include "compiler/model/torch_export/ExportReader.h"
#include "compiler/model/torch_export/ScalarTypes.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::model {

using Kind = ExportedArgument::Kind;

const ExportedArgument *AtenNode::find(StringRef name) const {
  for (const ExportedOperand &operand : m_node.operands)
    if (operand.name == name)
      return operand.value.kind == Kind::None ? nullptr : &operand.value;
  return nullptr;
}

const ExportedArgument *AtenNode::find(StringRef name, Kind kind) {
  const ExportedArgument *found = find(name);
  if (!found || found->kind == kind)
    return found;
  // An empty list says nothing about its kind.
  const bool isEmptyList = found->kind == Kind::Sizes && found->sizes.empty();
  if (!isEmptyList)
    fail("its argument `" + name.str() + "` has another type");
  return nullptr;
}

Value AtenNode::first() {
  const bool isTensor =
      !m_node.operands.empty() && m_node.operands.front().value.kind == Kind::Tensor;
  if (!isTensor)
    fail("its first argument is not a tensor");
  const Value value = isTensor ? m_graph.value(m_node.operands.front().value.text) : Value();
  // The name of a size.
  if (isTensor && !value)
    fail("its first argument is not a tensor");
  return value;
}

Value AtenNode::optionalTensor(StringRef name) {
  const ExportedArgument *found = find(name, Kind::Tensor);
  const Value value = found ? m_graph.value(found->text) : Value();
  if (found && !value)
    fail("its argument `" + name.str() + "` is not a tensor");
  return value;
}

Value AtenNode::tensor(StringRef name) {
  const Value value = optionalTensor(name);
  if (!value)
    fail("its argument `" + name.str() + "` is missing");
  return value;
}

SmallVector<Value> AtenNode::tensors(StringRef name) {
  SmallVector<Value> values;
  if (const ExportedArgument *found = find(name, Kind::Tensors))
    for (const std::string &each : found->texts) {
      values.push_back(each.empty() ? Value() : m_graph.value(each));
      if (!each.empty() && !values.back())
        fail("its argument `" + name.str() + "` has something else than tensors");
    }
  return values;
}

Value AtenNode::operand(StringRef name, Type element) {
  const ExportedArgument *found = find(name);
  if (found && found->kind == Kind::Tensor)
    return cast(tensor(name), element);
  if (found && found->kind == Kind::Real)
    return scalar(found->reals.front(), element);
  if (found && found->kind == Kind::Size) {
    const tm::Extent extent = extentOf(found->sizes.front());
    const auto number = tm::numberOf(extent);
    if (number || found->sizes.front().symbol.empty())
      return scalar(double(number.value_or(found->sizes.front().value)), element);
    return cast(sizes({extent}, {}), element);
  }
  fail("its argument `" + name.str() + "` is missing or not a number");
  return {};
}

Type AtenNode::elementOfTensor(StringRef name) const {
  const ExportedArgument *found = find(name);
  const Value value = found && found->kind == Kind::Tensor ? m_graph.value(found->text) : Value();
  return value ? elementOf(value) : Type();
}

bool AtenNode::isReal(StringRef name) const {
  const ExportedArgument *found = find(name);
  return found && found->kind == Kind::Real;
}

tm::Extent AtenNode::extentOf(const ExportedSize &size) {
  return size.symbol.empty() ? tm::number(context(), size.value) : m_graph.size(size.symbol);
}

int64_t AtenNode::integer(StringRef name, int64_t otherwise) {
  const ExportedArgument *found = find(name, Kind::Size);
  if (!found)
    return otherwise;
  if (found->sizes.front().symbol.empty())
    return found->sizes.front().value;
  if (const auto number = tm::numberOf(extentOf(found->sizes.front())))
    return *number;
  fail("its argument `" + name.str() + "` is symbolic, which is not supported");
  return otherwise;
}

double AtenNode::real(StringRef name, double otherwise) {
  const ExportedArgument *found = find(name);
  if (found && found->kind == Kind::Size)
    return double(integer(name, 0));
  found = find(name, Kind::Real);
  return found ? found->reals.front() : otherwise;
}

std::string AtenNode::text(StringRef name, const std::string &otherwise) {
  const ExportedArgument *found = find(name, Kind::String);
  return found ? found->text : otherwise;
}

std::optional<std::vector<tm::Extent>> AtenNode::sizes(StringRef name) {
  const ExportedArgument *found = find(name);
  // One number may stand for a list of one.
  if (found && found->kind != Kind::Size)
    found = find(name, Kind::Sizes);
  if (!found)
    return std::nullopt;
  std::vector<tm::Extent> result;
  for (const ExportedSize &size : found->sizes)
    result.push_back(extentOf(size));
  return result;
}

std::optional<std::vector<int64_t>> AtenNode::integers(StringRef name) {
  const ExportedArgument *found = find(name);
  if (found && found->kind != Kind::Size)
    found = find(name, Kind::Sizes);
  if (!found)
    return std::nullopt;
  std::vector<int64_t> result;
  for (const ExportedSize &size : found->sizes) {
    const auto number =
        size.symbol.empty() ? std::optional(size.value) : tm::numberOf(extentOf(size));
    if (!number) {
      fail("its argument `" + name.str() + "` is symbolic, which is not supported");
      return std::nullopt;
    }
    result.push_back(*number);
  }
  return result;
}

std::optional<std::vector<double>> AtenNode::reals(StringRef name) {
  const ExportedArgument *found = find(name, Kind::Reals);
  return found ? std::optional(found->reals) : std::nullopt;
}

tm::Extent AtenNode::size(StringRef name, tm::Extent otherwise) {
  const ExportedArgument *found = find(name, Kind::Size);
  if (!found)
    return otherwise;
  const ExportedSize &size = found->sizes.front();
  // `x[:9223372036854775807]` is all of it.
  if (size.symbol.empty())
    return number(std::clamp(size.value, -tm::kMostExtent, tm::kMostExtent));
  return extentOf(size);
}

std::pair<tm::Extent, tm::Extent> AtenNode::twoSizes() {
  SmallVector<tm::Extent, 2> sizes;
  for (const ExportedOperand &operand : m_node.operands)
    if (operand.value.kind == Kind::Size)
      sizes.push_back(extentOf(operand.value.sizes.front()));
  sizes.resize(2);
  return {sizes[0], sizes[1]};
}

bool AtenNode::isRowMajor() const {
  const ExportedTensor *tensor =
      m_node.operands.empty() ? nullptr : m_graph.described(m_node.operands.front().value.text);
  if (!tensor || tensor->strides.size() != tensor->extents.size())
    return false;
  int64_t expected = 1;
  for (size_t axis = tensor->extents.size(); axis-- > 0;) {
    const ExportedSize &extent = tensor->extents[axis], &stride = tensor->strides[axis];
    if (!extent.symbol.empty() || extent.value < 1 || extent.value >= tm::kMostExtent)
      return false;
    if (extent.value != 1 && (!stride.symbol.empty() || stride.value != expected))
      return false;
    expected = int64_t(std::min<uint64_t>(
        uint64_t(tm::kMostExtent),
        llvm::SaturatingMultiply<uint64_t>(uint64_t(expected), uint64_t(extent.value))));
  }
  return true;
}

std::optional<std::vector<int64_t>> AtenNode::repeated(StringRef name, size_t count,
                                                       int64_t otherwise) {
  std::vector<int64_t> values = integers(name).value_or(std::vector<int64_t>());
  if (failed())
    return std::nullopt;
  if (values.empty())
    values.assign(count, otherwise);
  if (values.size() == 1)
    values.assign(count, values.front());
  if (values.size() == count)
    return values;
  fail("its argument `" + name.str() + "` has " + std::to_string(values.size()) + " numbers for " +
       std::to_string(count) + " axes");
  return std::nullopt;
}

Type AtenNode::elementType(StringRef name) {
  const ExportedArgument *found = find(name, Kind::ElementType);
  if (!found)
    return {};
  const Type element = elementTypeOf(context(), found->sizes.front().value);
  if (!element)
    fail("elements of type " + scalarTypeName(found->sizes.front().value) + " are not supported");
  return element;
}

} // namespace tilescope::model
