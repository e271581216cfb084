// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ObservedCall.h"

#include "compiler/constant/Operators.h"
#include "compiler/frontend/Builtins.h"

#include <cmath>

namespace tilescope::compiler::frontend {

/// What `document` calls a function: its own, one that it imports, one of `tl`; empty for others.
static std::string nameOf(const FunctionObject &function, const SourceModule &document) {
  const std::string name(function.definition.name);
  if (function.module.isPrelude)
    return "tl." + name;
  if (function.module.path == document.path)
    return name;
  for (const auto &binding : document.bindings)
    if (binding.second.kind == Binding::Kind::Import && binding.second.member == name)
      return binding.first().str();
  return {};
}

/// An expression for the constant; empty when there is none.
static std::string expressionOf(const constant::Value &value, const SourceModule &document) {
  if (value.isDType())
    return "tl." + value.dtype().languageName();
  if (value.isFloat() && !std::isfinite(value.real()))
    return "float('" + constant::repr(value) + "')";
  if (const auto *function = value.as<FunctionObject>())
    return nameOf(*function, document);
  if (const auto *builtin = value.as<BuiltinObject>())
    return std::string("tl.") + builtin->builtin.name;
  if (const auto *function = value.as<LibdeviceObject>())
    return "tl.extra.libdevice." + function->name;
  if (const auto *type = value.as<ClassObject>())
    return type->name;
  return value.isExtension() ? std::string() : constant::repr(value);
}

/// The constant's text; empty when there is none.
static std::string constantText(const Value &value, const SourceModule &document) {
  if (const constant::Value *constant = value.constant())
    return expressionOf(*constant, document);
  std::string items;
  for (const Value &item : value.asTuple()->items) {
    const std::string text = item.isConstexpr() ? constantText(item, document) : std::string();
    if (text.empty())
      return {};
    items += text + ", ";
  }
  return "(" + items + ")";
}

static SignatureType blockOf(const ScalarType &element, llvm::ArrayRef<int64_t> shape,
                             SignatureType::Form form) {
  return SignatureType::block(element, {shape.begin(), shape.end()}, form);
}

/// What a signature says of the value, a constant as literal; nothing when it cannot be described.
static std::optional<SignatureType> describe(const Value &value, const SourceModule &document) {
  using Form = SignatureType::Form;
  if (value.isConstexpr()) {
    SignatureType literal;
    literal.form = Form::Literal;
    literal.literal = constantText(value, document);
    return literal.literal.empty() ? std::nullopt : std::optional(std::move(literal));
  }
  if (const Tensor *tensor = value.tensor()) {
    SignatureType type = blockOf(tensor->type.scalar, tensor->type.shape, Form::Value);
    if (type.isPointer() && !type.isBlock())
      type.hint = SignatureHint::Divisible;
    return type;
  }
  if (const TensorDescriptor *descriptor = value.descriptor())
    return blockOf(descriptor->blockType.scalar, descriptor->blockType.shape, Form::Descriptor);
  if (const BlockPointer *pointer = value.blockPointer())
    return blockOf(pointer->base.type.scalar.pointee(), pointer->blockShape, Form::BlockPointer);
  const TupleValue *tuple = value.asTuple();
  if (!tuple)
    return std::nullopt;
  SignatureType type = SignatureType::tuple({});
  for (size_t i = 0; i < tuple->items.size(); ++i) {
    std::optional<SignatureType> item = describe(tuple->items[i], document);
    if (!item)
      return std::nullopt;
    item->field = tuple->fields.empty() ? "" : tuple->fields[i];
    type.items.push_back(std::move(*item));
  }
  return type;
}

Selection selectionOf(const Frame &callee, const SourceModule &document) {
  Selection selection;
  for (const Scope::Entry &entry : callee.locals.entries()) {
    const std::optional<SignatureType> type = describe(entry.value, document);
    if (!type)
      continue;
    const bool isConstant = type->form == SignatureType::Form::Literal;
    (isConstant ? selection.constexprs : selection.signature)[std::string(entry.name)] =
        toSignature(*type);
  }
  return selection;
}

} // namespace tilescope::compiler::frontend
