// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The operators `+ - * / // % & | ^ << >> ~`, comparisons and `and or not` on run-time values.
#include "compiler/constant/Operators.h"

#include "compiler/frontend/Fp8e4b15.h"
#include "compiler/frontend/TensorOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>

namespace arith = mlir::arith;

namespace tilescope::compiler::frontend {

using ast::BinaryOpKind;
using ast::CompareOpKind;

static Message invalidOperands(const ScalarType &left, const ScalarType &right,
                               std::string_view rule) {
  return {"invalid operands of type `{}` and `{}`: {}", left, right, rule};
}

static NumberKind kindOf(const constant::Value &number) {
  if (number.isBool())
    return NumberKind::Boolean;
  return number.isInt() ? NumberKind::Integral : NumberKind::Floating;
}

/// Numbers must be representable in the type they adopt.
static void checkNumber(TensorOps &ops, const constant::Value &number, DType type) {
  if (!isInteger(type) || number.isFloat())
    return;
  constant::Int value = number.integer();
  if (isUnsignedInteger(type) && value.isNegative())
    ops.fail(
        DiagnosticKind::ScalarOutOfRange,
        "cannot perform a binary operation between an unsigned tensor and the negative scalar " +
            constant::repr(number) + ": cast one of them explicitly");
  int valueBits = bitWidth(type) - (isSigned(type) ? 1 : 0);
  constant::Int limit = *constant::Int::shiftLeft(constant::Int(1), constant::Int(valueBits));
  constant::Int lowest = isSigned(type) ? -limit : constant::Int(0);
  if (value < lowest || value >= limit)
    ops.fail(DiagnosticKind::ScalarOutOfRange,
             {"scalar {} is out of range for type `{}`", constant::repr(number), type});
}

static const constant::Value *asNumber(const Value &value) {
  return value.isNumber() ? value.constant() : nullptr;
}

/// Of a tensor or a number.
static ScalarType scalarOf(TensorOps &ops, const Value &value) {
  return value.tensor() ? value.tensor()->type.scalar
                        : ScalarType{ops.literalType(*value.constant())};
}

DType TensorOps::commonType(const Value &left, const Value &right, const PromoteOptions &options) {
  const constant::Value *leftNumber = asNumber(left), *rightNumber = asNumber(right);
  DType leftType = leftNumber ? literalType(*leftNumber) : left.tensor()->dtype();
  DType rightType = rightNumber ? literalType(*rightNumber) : right.tensor()->dtype();
  Promotion promotion;
  if (!leftNumber == !rightNumber || options.literalsFirst)
    promotion = promote(leftType, rightType, options.arithmetic);
  else if (leftNumber)
    promotion = promoteWithNumber(kindOf(*leftNumber), leftType, rightType, options.arithmetic);
  else
    promotion = promoteWithNumber(kindOf(*rightNumber), rightType, leftType, options.arithmetic);
  if (!promotion.type)
    fail(DiagnosticKind::TypeMismatch, std::move(promotion.error));
  if (!options.literalsFirst) {
    if (leftNumber)
      checkNumber(*this, *leftNumber, *promotion.type);
    if (rightNumber)
      checkNumber(*this, *rightNumber, *promotion.type);
  }
  return *promotion.type;
}

std::pair<Tensor, Tensor> TensorOps::promoteOperands(const Value &left, const Value &right,
                                                     const PromoteOptions &options) {
  const auto isSequence = [](const Value &value) {
    return value.asTuple() || (value.constant() && value.constant()->isSequence());
  };
  for (const Value *operand : {&left, &right})
    if (isSequence(*operand))
      fail(DiagnosticKind::TypeMismatch,
           {"invalid operands: {} and {}; kernels compute with blocks, not with lists or tuples: "
            "`tl.zeros([128], dtype=tl.float32)` is a block of 128 zeros",
            left, right});
    else if (!operand->tensor() && !operand->isNumber())
      fail(DiagnosticKind::TypeMismatch, {"invalid operands: {} and {}", left, right});
  ScalarType leftScalar = scalarOf(*this, left), rightScalar = scalarOf(*this, right);
  if (leftScalar.isPointer() || rightScalar.isPointer()) {
    bool allowed = (!leftScalar.isPointer() || options.allowLeftPointer) &&
                   (!rightScalar.isPointer() || options.allowRightPointer);
    if (leftScalar.isPointer() && rightScalar.isPointer())
      allowed = allowed && leftScalar == rightScalar;
    else
      allowed = allowed && isInteger((leftScalar.isPointer() ? rightScalar : leftScalar).dtype);
    if (!allowed)
      fail(DiagnosticKind::TypeMismatch,
           invalidOperands(leftScalar, rightScalar,
                           leftScalar.isPointer() && rightScalar.isPointer() &&
                                   options.allowRightPointer
                               ? "pointers must be of one type"
                           : options.allowLeftPointer
                               ? "only integers can be added to a pointer or subtracted from it"
                               : "a pointer is not a number; `tl.load` reads what it points to"));
    std::pair<Tensor, Tensor> result{toTensor(left), toTensor(right)};
    broadcastTogether(result.first, result.second);
    return result;
  }
  std::pair<Tensor, Tensor> result;
  if (options.promoteTypes) {
    DType type = commonType(left, right, options);
    auto convert = [&](const Value &value) {
      if (const constant::Value *number = asNumber(value); number && !options.literalsFirst)
        return constantOf(*number, type);
      return cast(toTensor(value), ScalarType{type});
    };
    result = {convert(left), convert(right)};
  } else {
    result = {toTensor(left), toTensor(right)};
  }
  broadcastTogether(result.first, result.second);
  return result;
}

Tensor TensorOps::addPointer(const Tensor &pointer, Tensor offset) {
  // `addptr` takes its offset as signed.
  if (isUnsignedInteger(offset.dtype()) && bitWidth(offset.dtype()) < 64)
    offset = cast(offset, ScalarType{DType::Int64});
  return {create<tt::AddPtrOp>(pointer.handle.getType(), pointer.handle, offset.handle),
          pointer.type};
}

/// In a debug build, results that wrap around are asserted not to: computed once more in 64 bits.
template <typename WideOp> static void assertNoOverflow(TensorOps &ops, Tensor left, Tensor right) {
  DType type = left.dtype();
  if (!ops.rules().debug || !ops.rules().sanitizeOverflow || bitWidth(type) >= 64 ||
      bitWidth(type) == 1)
    return;
  left = ops.cast(left, ScalarType{DType::Int64});
  right = ops.cast(right, ScalarType{DType::Int64});
  Tensor exact = ops.wrap(ops.create<WideOp>(left.handle, right.handle), left.type);
  int valueBits = bitWidth(type) - (isSigned(type) ? 1 : 0);
  int64_t highest = (int64_t{1} << valueBits) - 1;
  int64_t lowest = isSigned(type) ? -highest - 1 : 0;
  Tensor below =
      ops.compare(CompareOpKind::LtE, exact, ops.constantInt(constant::Int(highest), DType::Int64));
  Tensor above =
      ops.compare(CompareOpKind::GtE, exact, ops.constantInt(constant::Int(lowest), DType::Int64));
  Tensor fits = ops.bitwise(BinaryOpKind::BitAnd, below, above);
  ops.create<tt::AssertOp>(fits.handle,
                           ops.builder.getStringAttr(nameOf(type) + " overflow detected"));
}

template <typename FloatOp, typename IntOp>
static Tensor arithmetic(TensorOps &ops, const Tensor &left, const Tensor &right) {
  requireArithmetic(ops, left);
  if (isFloating(left.dtype()))
    return ops.wrap(ops.create<FloatOp>(left.handle, right.handle), left.type);
  assertNoOverflow<IntOp>(ops, left, right);
  return ops.wrap(ops.create<IntOp>(left.handle, right.handle), left.type);
}

static Tensor add(TensorOps &ops, const Value &left, const Value &right) {
  auto [a, b] =
      ops.promoteOperands(left, right, {.allowLeftPointer = true, .allowRightPointer = true});
  if (a.type.isPointer() && b.type.isPointer())
    ops.fail(DiagnosticKind::TypeMismatch,
             "cannot add pointers together: `tl.load` reads what they point to");
  if (b.type.isPointer())
    std::swap(a, b);
  if (a.type.isPointer())
    return ops.addPointer(a, b);
  return arithmetic<arith::AddFOp, arith::AddIOp>(ops, a, b);
}

static Tensor subtract(TensorOps &ops, const Value &left, const Value &right) {
  auto [a, b] = ops.promoteOperands(left, right, {.allowLeftPointer = true});
  if (a.type.isPointer())
    return ops.addPointer(a, ops.unary(ast::UnaryOpKind::USub, b));
  return arithmetic<arith::SubFOp, arith::SubIOp>(ops, a, b);
}

static Tensor divide(TensorOps &ops, const Value &left, const Value &right) {
  auto [a, b] = ops.promoteOperands(left, right, {.arithmetic = Arithmetic::DivisionOrRemainder});
  if (isInteger(a.dtype())) {
    a = ops.cast(a, ScalarType{DType::Fp32});
    b = ops.cast(b, ScalarType{DType::Fp32});
  }
  return ops.wrap(ops.create<arith::DivFOp>(a.handle, b.handle), a.type);
}

static Tensor floorDivide(TensorOps &ops, const Value &left, const Value &right) {
  auto [a, b] = ops.promoteOperands(left, right, {.arithmetic = Arithmetic::DivisionOrRemainder});
  if (isFloating(a.dtype()))
    ops.fail(DiagnosticKind::TypeMismatch,
             {"`//` is not supported for `{}`: divide with `/` and use `tl.floor`", a.dtype()});
  if (isSigned(a.dtype()))
    return ops.wrap(ops.create<arith::DivSIOp>(a.handle, b.handle), a.type);
  return ops.wrap(ops.create<arith::DivUIOp>(a.handle, b.handle), a.type);
}

static Tensor remainder(TensorOps &ops, const Value &left, const Value &right) {
  auto [a, b] = ops.promoteOperands(left, right, {.arithmetic = Arithmetic::DivisionOrRemainder});
  if (isFloating(a.dtype()))
    return ops.wrap(ops.create<arith::RemFOp>(a.handle, b.handle), a.type);
  if (isSigned(a.dtype()))
    return ops.wrap(ops.create<arith::RemSIOp>(a.handle, b.handle), a.type);
  return ops.wrap(ops.create<arith::RemUIOp>(a.handle, b.handle), a.type);
}

/// `&`, `<<` and the like are for integers.
static void requireIntegers(TensorOps &ops, const Value &left, const Value &right) {
  bool areData = (left.tensor() || left.isNumber()) && (right.tensor() || right.isNumber());
  if (!areData)
    return;
  ScalarType leftType = scalarOf(ops, left), rightType = scalarOf(ops, right);
  for (const ScalarType &type : {leftType, rightType})
    if (type.isPointer() || !isInteger(type.dtype))
      ops.fail(DiagnosticKind::TypeMismatch,
               invalidOperands(leftType, rightType, "integers are needed"));
}

Tensor TensorOps::bitwise(BinaryOpKind op, Tensor left, Tensor right) {
  ScalarType type{promoteIntegers(left.dtype(), right.dtype())};
  left = cast(left, type);
  right = cast(right, type);
  broadcastTogether(left, right);
  switch (op) {
  case BinaryOpKind::BitAnd:
    return {create<arith::AndIOp>(left.handle, right.handle), left.type};
  case BinaryOpKind::BitOr:
    return {create<arith::OrIOp>(left.handle, right.handle), left.type};
  default:
    return {create<arith::XOrIOp>(left.handle, right.handle), left.type};
  }
}

static Tensor shift(TensorOps &ops, BinaryOpKind op, const Value &left, const Value &right) {
  requireIntegers(ops, left, right);
  auto [a, b] = ops.promoteOperands(left, right, {});
  std::optional<int64_t> amount = right.isNumber() ? right.constant()->toInt64() : std::nullopt;
  if (amount && *amount >= bitWidth(a.dtype()))
    ops.warn(DiagnosticKind::ShiftTooFar, "shift by " + std::to_string(*amount) + " of a `" +
                                              nameOf(a.dtype()) + "`, whose width is " +
                                              std::to_string(bitWidth(a.dtype())) +
                                              " bits: the result is undefined");
  if (op == BinaryOpKind::LShift)
    return ops.wrap(ops.create<arith::ShLIOp>(a.handle, b.handle), a.type);
  bool isArithmetic = left.tensor() ? isSigned(left.tensor()->dtype()) : isSigned(a.dtype());
  if (isArithmetic)
    return ops.wrap(ops.create<arith::ShRSIOp>(a.handle, b.handle), a.type);
  return ops.wrap(ops.create<arith::ShRUIOp>(a.handle, b.handle), a.type);
}

Tensor TensorOps::binary(BinaryOpKind op, const Value &left, const Value &right) {
  switch (op) {
  case BinaryOpKind::Add:
    return add(*this, left, right);
  case BinaryOpKind::Sub:
    return subtract(*this, left, right);
  case BinaryOpKind::Mult: {
    auto [a, b] = promoteOperands(left, right, {});
    return arithmetic<arith::MulFOp, arith::MulIOp>(*this, a, b);
  }
  case BinaryOpKind::Div:
    return divide(*this, left, right);
  case BinaryOpKind::FloorDiv:
    return floorDivide(*this, left, right);
  case BinaryOpKind::Mod:
    return remainder(*this, left, right);
  case BinaryOpKind::BitAnd:
  case BinaryOpKind::BitOr:
  case BinaryOpKind::BitXor: {
    requireIntegers(*this, left, right);
    auto [a, b] = promoteOperands(left, right, {});
    return bitwise(op, a, b);
  }
  case BinaryOpKind::LShift:
  case BinaryOpKind::RShift:
    return shift(*this, op, left, right);
  case BinaryOpKind::Pow:
    fail(DiagnosticKind::UnsupportedSyntax,
         "`**` works on constexprs only: use `tl.exp`, `libdevice.pow` or multiplication");
  case BinaryOpKind::MatMult:
    fail(DiagnosticKind::UnsupportedSyntax, "`@` is not supported: use `tl.dot`");
  }
  llvm_unreachable("all operators are handled");
}

static arith::CmpFPredicate floatPredicate(CompareOpKind op) {
  switch (op) {
  case CompareOpKind::Eq:
    return arith::CmpFPredicate::OEQ;
  case CompareOpKind::NotEq:
    return arith::CmpFPredicate::UNE;
  case CompareOpKind::Lt:
    return arith::CmpFPredicate::OLT;
  case CompareOpKind::LtE:
    return arith::CmpFPredicate::OLE;
  case CompareOpKind::Gt:
    return arith::CmpFPredicate::OGT;
  default:
    return arith::CmpFPredicate::OGE;
  }
}

static arith::CmpIPredicate intPredicate(CompareOpKind op, bool isSigned) {
  switch (op) {
  case CompareOpKind::Eq:
    return arith::CmpIPredicate::eq;
  case CompareOpKind::NotEq:
    return arith::CmpIPredicate::ne;
  case CompareOpKind::Lt:
    return isSigned ? arith::CmpIPredicate::slt : arith::CmpIPredicate::ult;
  case CompareOpKind::LtE:
    return isSigned ? arith::CmpIPredicate::sle : arith::CmpIPredicate::ule;
  case CompareOpKind::Gt:
    return isSigned ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::ugt;
  default:
    return isSigned ? arith::CmpIPredicate::sge : arith::CmpIPredicate::uge;
  }
}

Tensor TensorOps::compare(CompareOpKind op, const Value &left, const Value &right) {
  if (op == CompareOpKind::In || op == CompareOpKind::NotIn)
    fail(DiagnosticKind::UnsupportedSyntax, "`in` is not supported for run-time values");
  auto [a, b] = promoteOperands(left, right, {.literalsFirst = true});
  requireArithmetic(*this, a);
  Type result = a.type.with(ScalarType{DType::Int1});
  if (isFloating(a.dtype()))
    return {create<arith::CmpFOp>(floatPredicate(op), a.handle, b.handle), result};
  return {create<arith::CmpIOp>(intPredicate(op, isSigned(a.dtype())), a.handle, b.handle), result};
}

Tensor TensorOps::unary(ast::UnaryOpKind op, const Tensor &operand) {
  auto refuse = [&](const char *text) {
    fail(DiagnosticKind::TypeMismatch,
         {"wrong type argument to unary `{}`: {}", text, operand.type});
  };
  switch (op) {
  case ast::UnaryOpKind::UAdd:
    return operand;
  case ast::UnaryOpKind::USub: {
    if (operand.type.isPointer())
      refuse("-");
    requireArithmetic(*this, operand);
    if (isFloating(operand.dtype())) {
      // The same as a negation, signed zeros included, in an operation that all of Triton's
      // versions know.
      Tensor zero = splat(constantFloat(-0.0, operand.dtype()), operand.type.shape);
      return {create<arith::SubFOp>(zero.handle, operand.handle), operand.type};
    }
    Tensor zero = full(operand.type, 0);
    assertNoOverflow<arith::SubIOp>(*this, zero, operand);
    return {create<arith::SubIOp>(zero.handle, operand.handle), operand.type};
  }
  case ast::UnaryOpKind::Invert: {
    if (operand.type.isPointer() || isFloating(operand.dtype()))
      refuse("~");
    return {create<arith::XOrIOp>(operand.handle, full(operand.type, -1).handle), operand.type};
  }
  case ast::UnaryOpKind::Not: {
    Tensor condition = requireBool(operand);
    return {create<arith::XOrIOp>(condition.handle, full(condition.type, 1).handle),
            condition.type};
  }
  }
  llvm_unreachable("all operators are handled");
}

Tensor TensorOps::select(const Tensor &condition, const Tensor &ifTrue, const Tensor &ifFalse) {
  return {create<arith::SelectOp>(condition.handle, ifTrue.handle, ifFalse.handle), ifTrue.type};
}

Tensor TensorOps::logical(ast::BoolOpKind op, const Value &left, const Value &right) {
  Tensor a = requireBool(toTensor(left)), b = requireBool(toTensor(right));
  return bitwise(op == ast::BoolOpKind::And ? BinaryOpKind::BitAnd : BinaryOpKind::BitOr, a, b);
}

} // namespace tilescope::compiler::frontend
