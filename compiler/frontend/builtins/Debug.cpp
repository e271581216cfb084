// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Hints to the compiler, checks and messages at compile time and at run time.
#include "compiler/constant/Operators.h"
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/CallChain.h"
#include "compiler/frontend/Remedies.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

/// Marks the operation (or argument) that defines a value.
static Value hint(BuiltinCall &call, llvm::StringRef attribute) {
  Tensor value = call.tensor(0);
  std::vector<int64_t> values = call.integers(1);
  size_t rank = std::max<size_t>(1, value.type.shape.size());
  if (values.size() != rank)
    call.fail(1, DiagnosticKind::BadArgument,
              "shape of input to " + call.name() +
                  " does not match the length of values: " + std::to_string(rank) + " needed");
  llvm::SmallVector<int32_t> numbers(values.begin(), values.end());
  mlir::OpBuilder &builder = call.ops.builder;
  auto type = mlir::RankedTensorType::get({static_cast<int64_t>(rank)}, builder.getI32Type());
  auto attr = mlir::DenseIntElementsAttr::get(type, numbers);
  if (mlir::Operation *op = value.handle.getDefiningOp()) {
    // Constants are shared, and need no hint.
    if (!op->hasTrait<mlir::OpTrait::ConstantLike>())
      op->setDiscardableAttr(attribute, attr);
  } else {
    auto argument = mlir::cast<mlir::BlockArgument>(value.handle);
    if (auto function = mlir::dyn_cast_or_null<tt::FuncOp>(argument.getOwner()->getParentOp()))
      function.setArgAttr(argument.getArgNumber(), attribute,
                          values.size() == 1
                              ? mlir::Attribute(builder.getI32IntegerAttr(numbers.front()))
                              : mlir::Attribute(attr));
  }
  return value;
}
static Value multipleOf(BuiltinCall &call) { return hint(call, tt::kDivisibilityAttr); }
static Value maxContiguous(BuiltinCall &call) { return hint(call, tt::kContiguityAttr); }
static Value maxConstancy(BuiltinCall &call) { return hint(call, tt::kConstancyAttr); }

static Value assume(BuiltinCall &call) {
  if (call[0].isConstexpr())
    return {};
  Tensor condition = call.tensor(0);
  if (condition.isBlock() || condition.type.isPointer() || condition.dtype() != DType::Int1)
    call.fail(
        0, DiagnosticKind::TypeMismatch,
        Message("`assume` needs a boolean scalar, got {}", condition.type).wants(DType::Int1));
  call.ops.create<mlir::LLVM::AssumeOp>(condition.handle);
  return {};
}

static Value debugBarrier(BuiltinCall &call) {
  call.ops.create<mlir::gpu::BarrierOp>();
  return {};
}

static Value staticAssert(BuiltinCall &call) {
  const constant::Value *condition = call[0].constant();
  if (!condition || !(condition->isBool() || condition->isInt()))
    call.fail(
        0, DiagnosticKind::NotConstexpr,
        {"assertion condition of `static_assert` could not be determined at compile time: got {}",
         call[0]});
  if (constant::truth(*condition))
    return {};
  std::string message = call[1].constant() ? constant::str(*call[1].constant()) : "";
  // An assertion of a bundled function is about how the user called it.
  const Frame &frame = call.emitter.frame();
  const bool isPrelude = frame.function && frame.module->isPrelude;
  std::string what = isPrelude ? "`" + std::string(calledName(frame, {})) + "`"
                               : std::string("static assertion failed");
  call.emitter.failAt(call.range, DiagnosticKind::StaticAssertFailed,
                      message.empty() ? what : what + ": " + message);
}

/// How Python would print a value.
static std::string printed(const Value &value) {
  if (std::optional<constant::Value> constant = value.toConstant())
    return constant::str(*constant);
  return value.describe();
}

static Value staticPrint(BuiltinCall &call) {
  std::string text;
  for (const Value &value : call.items(0))
    text += (text.empty() ? "" : call.string(1)) + printed(value);
  call.emitter.note(DiagnosticKind::StaticPrint, call.range, std::move(text));
  return {};
}

[[noreturn]] static void failWithoutText(BuiltinCall &call) {
  const bool isPython = call.name() == "`print`";
  const std::string value(call.text(0));
  const bool isShort =
      !value.empty() && value.size() < 24 && value.find_first_of("\"'\n#") == std::string::npos;
  const std::string shown = isShort ? value : "x";
  call.fail(0, DiagnosticKind::BadArgument,
            "the first argument of " + call.name() + " is the text to print before the values",
            {"write `" + std::string(isPython ? "print" : "tl.device_print") + "(\"" + shown +
             "\", " + shown + ")`"},
            rewriteFix(call.emitter.frame(), call.rangeOf(0), call.rangeOf(0),
                       "\"" + value + "\", " + value));
}

static Value devicePrint(BuiltinCall &call) {
  if (call[0].tensor())
    failWithoutText(call);
  std::string prefix = call.string(0);
  bool isPrintable = std::ranges::all_of(prefix, [](char c) { return c >= ' ' && c <= '~'; });
  if (!isPrintable)
    call.fail(0, DiagnosticKind::BadArgument,
              "`prefix` must consist of printable ASCII characters");
  std::vector<Tensor> values;
  for (const Value &value : call.items(1))
    values.push_back(call.ops.toTensor(value));
  if (prefix.empty() || prefix.front() != ' ')
    prefix = " " + prefix;
  if (!values.empty() && !prefix.ends_with(": "))
    prefix = (prefix.ends_with(" ") ? prefix.substr(0, prefix.size() - 1) : prefix) + ": ";
  if (prefix.size() > 2 && prefix.ends_with(":: "))
    prefix = prefix.substr(0, prefix.size() - 3) + ": ";
  llvm::SmallVector<mlir::Value> handles;
  llvm::SmallVector<int32_t> isSignedValue;
  for (const Tensor &value : values) {
    handles.push_back(value.handle);
    isSignedValue.push_back(!value.type.isPointer() && isInteger(value.dtype()) &&
                            isSigned(value.dtype()));
  }
  call.ops.create<tt::PrintOp>(call.ops.builder.getStringAttr(prefix),
                               call.ops.builder.getBoolAttr(call.boolean(2)), handles,
                               call.ops.builder.getDenseI32ArrayAttr(isSignedValue));
  return {};
}

static Value deviceAssert(BuiltinCall &call) {
  TensorOps &ops = call.ops;
  if (!ops.rules().debug) {
    call.emitter.note(DiagnosticKind::RunLaunchUnfit, call.range,
                      "`device_assert` is not checked: set `debug = true` under `[options]`");
    return {};
  }
  Tensor condition = ops.cast(call.tensor(0), ScalarType{DType::Int1});
  if (!call.isNone(2)) {
    // Lanes that are masked off pass.
    Tensor mask = ops.cast(call.tensor(2), ScalarType{DType::Int1});
    condition =
        ops.bitwise(ast::BinaryOpKind::BitOr, condition, ops.unary(ast::UnaryOpKind::Not, mask));
  }
  ops.create<tt::AssertOp>(condition.handle, ops.builder.getStringAttr(call.string(1)));
  return {};
}

std::span<const Builtin> debugBuiltins() {
  static const Builtin builtins[] = {
      {"multiple_of", "input, values", multipleOf},
      {"max_contiguous", "input, values", maxContiguous},
      {"max_constancy", "input, values", maxConstancy},
      {"assume", "cond", assume},
      {"debug_barrier", "", debugBarrier},
      {"static_assert", "cond, msg=\"\"", staticAssert},
      {"static_print", "*values, sep=\" \", end=None, file=None, flush=False", staticPrint},
      {"device_print", "prefix, *args, hex=False", devicePrint},
      {"builtins.print", "prefix, *args, hex=False", devicePrint},
      {"device_assert", "cond, msg=\"\", mask=None", deviceAssert},
  };
  return builtins;
}

} // namespace tilescope::compiler::frontend
