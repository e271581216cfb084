// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/OneNumber.h"
#include "compiler/frontend/PlaceAdvice.h"
#include "compiler/frontend/Remedies.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilescope::compiler::frontend {

static tt::MemSemantic semantic(BuiltinCall &call, size_t parameter) {
  std::string text = call.string(parameter);
  auto semantic = llvm::StringSwitch<std::optional<tt::MemSemantic>>(text)
                      .Cases({"", "acq_rel"}, tt::MemSemantic::ACQUIRE_RELEASE)
                      .Case("acquire", tt::MemSemantic::ACQUIRE)
                      .Case("release", tt::MemSemantic::RELEASE)
                      .Case("relaxed", tt::MemSemantic::RELAXED)
                      .Default(std::nullopt);
  if (!semantic)
    call.fail(parameter, DiagnosticKind::BadArgument,
              "memory semantic \"" + text + "\" not supported");
  return *semantic;
}

static tt::MemSyncScope scope(BuiltinCall &call, size_t parameter) {
  std::string text = call.string(parameter);
  auto scope = llvm::StringSwitch<std::optional<tt::MemSyncScope>>(text)
                   .Cases({"", "gpu"}, tt::MemSyncScope::GPU)
                   .Case("cta", tt::MemSyncScope::CTA)
                   .Case("sys", tt::MemSyncScope::SYSTEM)
                   .Default(std::nullopt);
  if (!scope)
    call.fail(parameter, DiagnosticKind::BadArgument,
              "memory scope \"" + text + "\" not supported");
  return *scope;
}

static Tensor pointerArgument(BuiltinCall &call) {
  Tensor pointer = call.tensor(0);
  if (!pointer.type.isPointer())
    call.fail(0, DiagnosticKind::TypeMismatch,
              Message("pointer argument of {} has type `{}`", call.name(), pointer.type)
                  .needs(Need::Pointer));
  if (pointer.type.scalar.isConst)
    call.fail(0, DiagnosticKind::TypeMismatch, "cannot store to a constant pointer");
  return pointer;
}

namespace {
/// Operands of a read-modify-write, all of one shape; the mask is always there.
struct Rmw {
  Tensor pointer;
  Tensor value;
  Tensor mask;
  tt::MemSemantic semantic;
  tt::MemSyncScope scope;
};
} // namespace

/// A block that is to be added to one element: what one number is made of it.
[[noreturn]] static void failBlockAtAddress(const BuiltinCall &call, const Rmw &rmw) {
  checkNeedlessMask(call, 1, 2);
  const Frame &frame = call.emitter.frame();
  std::vector<std::string> notes;
  std::vector<DiagnosticFix> fixes;
  if (const OneNumber number = oneNumberOf(call, 1, 2); !number.code.empty()) {
    notes.push_back("one element takes one number, such as the block's " + number.words + ": `" +
                    number.code + "`" + (rmw.mask.isBlock() ? ", without the mask" : ""));
    notes.push_back(
        "where each element has a place of its own, add a block of offsets to the pointer");
    if (!rmw.mask.isBlock() && hasLanguageName(frame))
      fixes = rewriteFix(frame, call.rangeOf(1), call.rangeOf(1), number.code);
  }
  call.fail(rmw.value.isBlock() ? 1 : 2, DiagnosticKind::ShapeMismatch,
            "value and mask must be scalars if the pointer is one", std::move(notes),
            std::move(fixes));
}

static Rmw rmwOperands(BuiltinCall &call) {
  TensorOps &ops = call.ops;
  Rmw rmw{pointerArgument(call), call.tensor(1), {}, semantic(call, 3), scope(call, 4)};
  ScalarType element = rmw.pointer.type.scalar.pointee();
  std::string_view name = call.builtin.name;
  auto unsupported = [&] {
    call.fail(0, DiagnosticKind::TypeMismatch, {"`{}` does not support `{}`", name, element});
  };
  if (element.isPointer() || element.dtype == DType::Int1 || element.bits() < 16)
    unsupported();
  bool isHalf = element.bits() == 16;
  if (isHalf && (name != "atomic_add" || !isFloating(element.dtype)))
    unsupported();
  rmw.mask = call.isNone(2) ? ops.full(Type(DType::Int1), 1) : call.tensor(2);
  if (rmw.mask.type.isPointer() || rmw.mask.dtype() != DType::Int1)
    call.fail(2, DiagnosticKind::TypeMismatch,
              Message("mask must have boolean scalar type").wants(DType::Int1));
  if (!rmw.pointer.isBlock() && (rmw.value.isBlock() || rmw.mask.isBlock()))
    failBlockAtAddress(call, rmw);
  rmw.value = ops.cast(ops.broadcastTo(rmw.value, rmw.pointer.type.shape), element);
  rmw.mask = ops.broadcastTo(rmw.mask, rmw.pointer.type.shape);
  return rmw;
}

static Tensor emitRmw(TensorOps &ops, tt::RMWOp kind, const Rmw &rmw) {
  auto op = ops.create<tt::AtomicRMWOp>(ops.mlirType(rmw.value.type), kind, rmw.pointer.handle,
                                        rmw.value.handle, rmw.mask.handle, rmw.semantic, rmw.scope);
  return ops.wrap(op, rmw.value.type);
}

static Value atomicAdd(BuiltinCall &call) {
  Rmw rmw = rmwOperands(call);
  return emitRmw(call.ops, isFloating(rmw.value.dtype()) ? tt::RMWOp::FADD : tt::RMWOp::ADD, rmw);
}

/// The order of floats is that of their bits as integers where the sign is positive, and the
/// reverse of it where negative. So a maximum is a signed maximum for positive values and an
/// unsigned minimum for negative ones; each lane takes part in one of the two.
static Value floatExtremum(BuiltinCall &call, const Rmw &rmw, bool isMax) {
  TensorOps &ops = call.ops;
  int bits = bitWidth(rmw.value.dtype());
  ScalarType asSigned{integerOf(bits, true)}, asUnsigned{integerOf(bits, false)};
  auto pointerOf = [&](ScalarType type) { return ops.cast(rmw.pointer, type.pointerTo()); };
  // The sign bit decides, so that -0.0 counts as negative.
  Tensor isNegative =
      ops.cast(ops.binary(ast::BinaryOpKind::RShift, ops.bitcast(rmw.value, asUnsigned),
                          Value::integer(bits - 1)),
               ScalarType{DType::Int1});
  Tensor isPositive = ops.unary(ast::UnaryOpKind::Not, isNegative);
  auto masked = [&](const Tensor &condition) {
    return ops.bitwise(ast::BinaryOpKind::BitAnd, rmw.mask, condition);
  };
  Rmw positive{pointerOf(asSigned), ops.bitcast(rmw.value, asSigned), masked(isPositive),
               rmw.semantic, rmw.scope};
  Rmw negative{pointerOf(asUnsigned), ops.bitcast(rmw.value, asUnsigned), masked(isNegative),
               rmw.semantic, rmw.scope};
  Tensor ifPositive = emitRmw(ops, isMax ? tt::RMWOp::MAX : tt::RMWOp::MIN, positive);
  Tensor ifNegative = emitRmw(ops, isMax ? tt::RMWOp::UMIN : tt::RMWOp::UMAX, negative);
  Tensor old = ops.select(isPositive, ifPositive, ops.bitcast(ifNegative, asSigned));
  return ops.bitcast(old, rmw.value.type.scalar);
}

static Value extremum(BuiltinCall &call, bool isMax) {
  Rmw rmw = rmwOperands(call);
  DType type = rmw.value.dtype();
  if (isFloating(type))
    return floatExtremum(call, rmw, isMax);
  if (isSigned(type))
    return emitRmw(call.ops, isMax ? tt::RMWOp::MAX : tt::RMWOp::MIN, rmw);
  return emitRmw(call.ops, isMax ? tt::RMWOp::UMAX : tt::RMWOp::UMIN, rmw);
}
static Value atomicMax(BuiltinCall &call) { return extremum(call, true); }
static Value atomicMin(BuiltinCall &call) { return extremum(call, false); }

static Value bitOperation(BuiltinCall &call, tt::RMWOp kind) {
  TensorOps &ops = call.ops;
  Rmw rmw = rmwOperands(call);
  const ScalarType element = rmw.value.type.scalar;
  if (isInteger(element.dtype))
    return emitRmw(ops, kind, rmw);
  // Of reals, the bits.
  const ScalarType bits{integerOf(bitWidth(element.dtype), true)};
  rmw.pointer = ops.cast(rmw.pointer, bits.pointerTo());
  rmw.value = ops.bitcast(rmw.value, bits);
  return ops.bitcast(emitRmw(ops, kind, rmw), element);
}
static Value atomicAnd(BuiltinCall &call) { return bitOperation(call, tt::RMWOp::AND); }
static Value atomicOr(BuiltinCall &call) { return bitOperation(call, tt::RMWOp::OR); }
static Value atomicXor(BuiltinCall &call) { return bitOperation(call, tt::RMWOp::XOR); }
static Value atomicXchg(BuiltinCall &call) {
  return emitRmw(call.ops, tt::RMWOp::XCHG, rmwOperands(call));
}

static Value atomicCas(BuiltinCall &call) {
  TensorOps &ops = call.ops;
  Tensor pointer = pointerArgument(call);
  ScalarType element = pointer.type.scalar.pointee();
  if (element.isPointer() || element.bits() < 16)
    call.fail(0, DiagnosticKind::TypeMismatch,
              "atomic_cas only supports elements with width {16, 32, 64}");
  auto operand = [&](size_t parameter) {
    Tensor value = call.tensor(parameter);
    const bool isFraction = call[parameter].isNumber() && call[parameter].constant()->isFloat();
    if (call[parameter].isNumber() && !(isFraction && isInteger(element.dtype)))
      value = ops.constantOf(*call[parameter].constant(), element.dtype);
    if (value.type.scalar != element)
      call.fail(parameter, DiagnosticKind::TypeMismatch,
                {"the pointer points to `{}`, but the value is `{}`", element, value.type});
    return ops.broadcastTo(value, pointer.type.shape);
  };
  Tensor compared = operand(1), value = operand(2);
  auto op = ops.create<tt::AtomicCASOp>(ops.mlirType(value.type), pointer.handle, compared.handle,
                                        value.handle, semantic(call, 3), scope(call, 4));
  return ops.wrap(op, value.type);
}

static Value atomicPoll(BuiltinCall &call) {
  TensorOps &ops = call.ops;
  Tensor pointer = pointerArgument(call);
  ScalarType element = pointer.type.scalar.pointee();
  if (pointer.isBlock() || element.isPointer() || !isInteger(element.dtype) || element.bits() < 16)
    call.fail(0, DiagnosticKind::TypeMismatch,
              {"`atomic_poll` needs a scalar pointer to 16, 32 or 64-bit integers, got {}",
               pointer.type});
  tt::MemSemantic order = semantic(call, 2);
  if (order != tt::MemSemantic::ACQUIRE && order != tt::MemSemantic::RELAXED)
    call.fail(2, DiagnosticKind::BadArgument,
              "`sem` of `atomic_poll` must be \"acquire\" or \"relaxed\", got \"" + call.string(2) +
                  "\"");
  Tensor expected = ops.cast(call.tensor(1), element);
  if (expected.isBlock())
    call.fail(1, DiagnosticKind::TypeMismatch, "the expected value must be a scalar");
  mlir::Value timeout;
  if (!call.isNone(4))
    timeout = ops.cast(call.tensor(4), ScalarType{DType::Int64}).handle;
  auto op = ops.create<tt::AtomicPollOp>(ops.mlirType(DType::Int1), pointer.handle, expected.handle,
                                         timeout, order, scope(call, 3));
  return ops.wrap(op, DType::Int1);
}

std::span<const Builtin> atomicBuiltins() {
  static constexpr const char *kParameters = "pointer, val, mask=None, sem=None, scope=None";
  static const Builtin builtins[] = {
      {"atomic_add", kParameters, atomicAdd, true},
      {"atomic_max", kParameters, atomicMax, true},
      {"atomic_min", kParameters, atomicMin, true},
      {"atomic_and", kParameters, atomicAnd, true},
      {"atomic_or", kParameters, atomicOr, true},
      {"atomic_xor", kParameters, atomicXor, true},
      {"atomic_xchg", kParameters, atomicXchg, true},
      {"atomic_cas", "pointer, cmp, val, sem=None, scope=None", atomicCas, true},
      {"atomic_poll", "pointer, expected, sem=\"acquire\", scope=None, timeout_ns=None",
       atomicPoll},
  };
  return builtins;
}

} // namespace tilescope::compiler::frontend
