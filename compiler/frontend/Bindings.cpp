// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Bindings of names, for step mode: see `Binding.h` of the dialect.
#include "compiler/constant/Operators.h"
#include "compiler/dialects/tt/ir/Binding.h"
#include "compiler/frontend/Emitter.h"

namespace tilescope::compiler::frontend {

/// The regions of these combine elements: nothing stops there.
static bool isInCombination(mlir::Operation *op) {
  for (; op; op = op->getParentOp())
    if (mlir::isa<tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(op))
      return true;
  return false;
}

/// Of a value that is not a run-time one; empty: it is.
static std::string textOf(const Value &value) {
  if (value.tensor())
    return {};
  return value.constant() ? constant::repr(*value.constant()) : value.describe();
}

void Emitter::keepBinding(std::string_view name, const Value &value, SourceRange range,
                          BindingKind kind) {
  if (!m_options.keepsBindings || value.isPoison() || m_frame->isCompileTime ||
      m_frame->isModuleLevel || m_frame->module->isPrelude ||
      isInCombination(ops.builder.getInsertionBlock()->getParentOp()))
    return;
  const Tensor operand =
      value.tensor() ? *value.tensor() : ops.literal(constant::Value::integer(0));
  // The operand belongs to what is before it, and keeps its own place and name.
  Range place(*this, range);
  const mlir::StringAttr savedName = std::exchange(m_name, {});
  llvm::scope_exit restore([&] { m_name = savedName; });
  const bool isSignedInteger =
      !operand.type.isPointer() && isInteger(operand.dtype()) && isSigned(operand.dtype());
  mlir::OpBuilder &builder = ops.builder;
  auto binding = ops.create<tt::PrintOp>(
      builder.getStringAttr(llvm::StringRef(name.data(), name.size())), builder.getBoolAttr(false),
      mlir::ValueRange(operand.handle), builder.getDenseI32ArrayAttr({isSignedInteger}));
  binding->setAttr(tt::kBindingAttr, builder.getUnitAttr());
  if (const std::string text = textOf(value); !text.empty())
    binding->setAttr(tt::kBindingTextAttr, builder.getStringAttr(text));
  if (kind == BindingKind::Parameter)
    binding->setAttr(tt::kBindingHiddenAttr, builder.getUnitAttr());
}

void Emitter::keepParameters() {
  for (const Scope::Entry &entry : m_frame->locals.entries())
    keepBinding(entry.name, entry.value, m_range, BindingKind::Parameter);
}

} // namespace tilescope::compiler::frontend
