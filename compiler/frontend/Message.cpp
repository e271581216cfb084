// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Message.h"

#include <algorithm>
#include <fmt/args.h>
#include <utility>

namespace tilescope::compiler::frontend {

/// As a signature writes what a pointer points to: `i1`, where a scalar would be `u1`.
static std::string elementName(DType type) { return std::string(scalarInfo(type).signatureName); }

Message Message::needs(Need need) && {
  m_cause.need = need;
  return std::move(*this);
}

Message Message::wants(llvm::ArrayRef<DType> types) && {
  std::vector<std::string> names;
  llvm::transform(types, std::back_inserter(names), elementName);
  llvm::erase_if(m_cause.types,
                 [&](const std::string &type) { return llvm::is_contained(names, type); });
  m_cause.types.insert(m_cause.types.begin(), names.begin(), names.end());
  return std::move(*this);
}

Message Message::about(std::string_view subject) && {
  m_cause.subject = subject;
  return std::move(*this);
}

Message Message::totals(int64_t one, int64_t other) && {
  m_cause.totals = {one, other};
  return std::move(*this);
}

Message Message::extents(int64_t one, int64_t other) && {
  m_cause.extents = {one, other};
  return std::move(*this);
}

void Message::writeTo(Diagnostic &diagnostic) && {
  diagnostic.message = std::move(m_text);
  diagnostic.cause = std::move(m_cause);
}

std::string Message::print(const Type &type) {
  mention(type.scalar);
  mention(type.shape);
  return toString(type);
}

std::string Message::print(const ScalarType &type) {
  mention(type);
  return toString(type);
}

std::string Message::print(DType type) { return print(ScalarType{type}); }

std::string Message::print(llvm::ArrayRef<int64_t> shape) {
  mention(shape);
  return shapeToString(shape);
}

std::string Message::print(const Value &value) {
  mention(value);
  return value.describe();
}

void Message::fill(fmt::string_view format, llvm::ArrayRef<std::string> texts) {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (const std::string &text : texts)
    store.push_back(std::cref(text));
  m_text = fmt::vformat(format, store);
}

void Message::mention(const ScalarType &type) {
  m_cause.namesPointer |= type.isPointer();
  if (type.dtype == DType::Void)
    return;
  const std::string name = elementName(type.dtype);
  if (std::ranges::find(m_cause.types, name) == m_cause.types.end())
    m_cause.types.push_back(name);
}

void Message::mention(llvm::ArrayRef<int64_t> shape) {
  if (!shape.empty())
    m_cause.shapes.emplace_back(shape.begin(), shape.end());
}

void Message::mention(const constant::Value &value) {
  if (value.isNone())
    m_cause.namesNone = true;
  else if (!value.isDType())
    m_cause.namesConstexpr |= !value.isExtension();
  else if (const std::optional<ScalarType> type = value.dtype().toScalar())
    mention(*type);
}

void Message::mention(const Value &value) {
  if (const Tensor *tensor = value.tensor()) {
    mention(tensor->type.scalar);
    mention(tensor->type.shape);
  } else if (const constant::Value *constant = value.constant()) {
    mention(*constant);
  } else if (const TupleValue *tuple = value.asTuple()) {
    m_cause.namesConstexpr |= value.isConstexpr();
    for (const Value &item : tuple->items)
      mention(item);
  } else if (const BlockPointer *pointer = value.blockPointer()) {
    mention(pointer->base.type.scalar.pointee());
    mention(pointer->blockShape);
  } else if (const TensorDescriptor *descriptor = value.descriptor()) {
    mention(descriptor->blockType.scalar);
    mention(descriptor->blockType.shape);
  }
}

} // namespace tilescope::compiler::frontend
