// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ObservedCall.h"

#include "compiler/constant/Operators.h"
#include "compiler/frontend/Builtins.h"

#include <cmath>

namespace tilescope::compiler::frontend {

namespace {
/// A part of a selection that describes one value.
struct Description {
  std::string text;
  bool isConstant = false;
};
} // namespace

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

static std::string shapeText(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "[" : ",") + std::to_string(extent);
  return text.empty() ? text : text + "]";
}

static std::string entryOf(const Type &type) {
  return toSignature(type.scalar) + shapeText(type.shape) +
         (type.isPointer() && !type.isBlock() ? ":16" : "");
}

/// Empty text: the value cannot be described.
static Description describe(const Value &value, const SourceModule &document) {
  if (value.isConstexpr()) {
    if (const constant::Value *constant = value.constant())
      return {expressionOf(*constant, document), true};
    std::string items;
    for (const Value &item : value.asTuple()->items) {
      const std::string text = describe(item, document).text;
      if (text.empty())
        return {};
      items += text + ", ";
    }
    return {"(" + items + ")", true};
  }
  if (const Tensor *tensor = value.tensor())
    return {entryOf(tensor->type), false};
  if (const TensorDescriptor *descriptor = value.descriptor())
    return {"tensordesc<" + entryOf(descriptor->blockType) + ">", false};
  if (const BlockPointer *pointer = value.blockPointer())
    return {"blockptr<" + toSignature(pointer->base.type.scalar.pointee()) +
                shapeText(pointer->blockShape) + ">",
            false};
  const TupleValue *tuple = value.asTuple();
  if (!tuple)
    return {};
  std::string items;
  for (size_t i = 0; i < tuple->items.size(); ++i) {
    const std::string text = describe(tuple->items[i], document).text;
    if (text.empty())
      return {};
    items +=
        (items.empty() ? "" : ", ") + (tuple->fields.empty() ? "" : tuple->fields[i] + "=") + text;
  }
  return {"(" + items + ")", false};
}

Selection selectionOf(const Frame &callee, const SourceModule &document) {
  Selection selection;
  for (const Scope::Entry &entry : callee.locals.entries()) {
    Description description = describe(entry.value, document);
    if (description.text.empty())
      continue;
    (description.isConstant ? selection.constexprs : selection.signature)[std::string(entry.name)] =
        std::move(description.text);
  }
  return selection;
}

} // namespace tilescope::compiler::frontend
