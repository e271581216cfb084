// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Makes operations from values by the language's rules: promotion, casts, broadcasting. It knows
// types and the IR, nothing about syntax; the owner reports its place in the source.
#pragma once

#include "compiler/artifacts/DiagnosticKind.h"
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/frontend/Message.h"
#include "compiler/frontend/Promotion.h"
#include "compiler/frontend/Value.h"
#include "compiler/syntax/AstBase.h"

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/Builders.h"

#include <functional>
#include <string>
#include <string_view>

namespace tilescope::compiler::frontend {

/// The parts of the target and the options that affect the IR.
struct TargetRules {
  /// 90 for `cuda:90`.
  int capability = 90;
  std::string defaultDotPrecision = "tf32";
  bool debug = false;
  bool sanitizeOverflow = true;

  bool supports(DType dtype) const;
  /// Products of 8-bit floats that may be summed up imprecisely.
  int64_t maxNumImpreciseAcc() const { return capability == 90 ? int64_t{1} << 30 : 0; }
};

class TensorOps {
public:
  /// What the owner provides: the place of what is being emitted, and where messages go.
  struct Host {
    virtual ~Host() = default;
    virtual mlir::Location location() = 0;
    /// The same without the name of a variable: constants are shared.
    virtual mlir::Location constantLocation() = 0;
    [[noreturn]] virtual void fail(DiagnosticKind kind, Message message) = 0;
    virtual void warn(DiagnosticKind kind, std::string message) = 0;
  };

  TensorOps(mlir::MLIRContext *context, Host &host, TargetRules rules);

  mlir::OpBuilder builder;
  const TargetRules &rules() const { return m_rules; }
  mlir::MLIRContext *context() const { return builder.getContext(); }
  mlir::Location location() { return m_host.location(); }
  [[noreturn]] void fail(DiagnosticKind kind, Message message) {
    m_host.fail(kind, std::move(message));
  }
  void warn(DiagnosticKind kind, std::string message) { m_host.warn(kind, std::move(message)); }

  template <typename Op, typename... Args> Op create(Args &&...args) {
    requirePlace(builder.getInsertionBlock());
    return Op::create(builder, location(), std::forward<Args>(args)...);
  }
  /// The IR's type; fails for types that the target lacks.
  mlir::Type mlirType(const Type &type);
  Tensor wrap(mlir::Value handle, Type type) { return {handle, std::move(type)}; }

  // Constants. They are at the top of the innermost constant scope, one of each.
  Tensor constantInt(const constant::Int &value, DType dtype);
  Tensor constantInt(int64_t value, DType dtype) {
    return constantInt(constant::Int(value), dtype);
  }
  Tensor constantFloat(double value, DType dtype);
  /// A number as a scalar of that type, converted as Python would.
  Tensor constantOf(const constant::Value &number, DType dtype);
  /// A number as what it is by itself: int32 … uint64 by magnitude, fp32 or fp64, int1.
  Tensor literal(const constant::Value &number);
  /// The type of `literal`.
  DType literalType(const constant::Value &number);
  /// A block or scalar, all elements equal.
  Tensor full(const Type &type, int64_t value);
  /// Any operand as a run-time value; fails for what has no such form.
  Tensor toTensor(const Value &value);

  /// Constants emitted while it lives go to the top of `block`.
  class ConstantScope {
  public:
    ConstantScope(TensorOps &ops, mlir::Block *block);
    ~ConstantScope();
    ConstantScope(const ConstantScope &) = delete;

  private:
    friend class TensorOps;
    TensorOps &m_ops;
    mlir::Block *m_block;
    mlir::Operation *m_last;
    ConstantScope *m_outer;
    llvm::DenseMap<mlir::Attribute, mlir::Value> m_constants;
  };

  /// While it lives nothing can be emitted: for code outside functions.
  class OutsideScope {
  public:
    explicit OutsideScope(TensorOps &ops)
        : m_ops(ops), m_guard(ops.builder), m_outer(ops.m_constants) {
      ops.builder.clearInsertionPoint();
      ops.m_constants = nullptr;
    }
    ~OutsideScope() { m_ops.m_constants = m_outer; }
    OutsideScope(const OutsideScope &) = delete;

  private:
    TensorOps &m_ops;
    mlir::OpBuilder::InsertionGuard m_guard;
    ConstantScope *m_outer;
  };

  // Casts
  Tensor cast(const Tensor &value, const ScalarType &type) { return cast(value, type, ""); }
  /// `rounding`: `rtne`, `rtz` or empty for the default.
  Tensor cast(const Tensor &value, const ScalarType &type, std::string_view rounding);
  Tensor bitcast(const Tensor &value, const ScalarType &type);
  /// `x != 0`
  Tensor toBool(const Tensor &value);
  /// Converts to the int1 that `and`, `or` and `not` need, or fails.
  Tensor requireBool(const Tensor &value);

  // Shapes
  Tensor splat(const Tensor &scalar, llvm::ArrayRef<int64_t> shape);
  /// Scalars are splat, dimensions of extent 1 grow; ranks must be equal.
  Tensor broadcastTo(const Tensor &value, llvm::ArrayRef<int64_t> shape);
  /// To a common shape; the lower rank gets leading dimensions.
  void broadcastTogether(Tensor &left, Tensor &right);
  void broadcastTogether(llvm::MutableArrayRef<Tensor> values);
  Tensor expandDims(const Tensor &value, int64_t axis);
  Tensor reshape(const Tensor &value, llvm::ArrayRef<int64_t> shape, bool canReorder);
  Tensor permute(const Tensor &value, llvm::ArrayRef<int64_t> order);
  /// The only element of a block of one.
  Tensor unsplat(const Tensor &value);
  /// Fails unless extents are powers of two and there are not too many elements.
  void checkShape(llvm::ArrayRef<int64_t> shape);

  // Operators
  Tensor binary(ast::BinaryOpKind op, const Value &left, const Value &right);
  Tensor compare(ast::CompareOpKind op, const Value &left, const Value &right);
  Tensor unary(ast::UnaryOpKind op, const Tensor &operand);
  Tensor logical(ast::BoolOpKind op, const Value &left, const Value &right);
  Tensor bitwise(ast::BinaryOpKind op, Tensor left, Tensor right);
  /// Of equal shapes and types; element by element.
  Tensor select(const Tensor &condition, const Tensor &ifTrue, const Tensor &ifFalse);

  struct PromoteOptions {
    Arithmetic arithmetic = Arithmetic::Plain;
    bool allowLeftPointer = false;
    bool allowRightPointer = false;
    /// Numbers become literals before promotion instead of adopting the other's type.
    bool literalsFirst = false;
    /// Both operands are cast to the common type.
    bool promoteTypes = true;
  };
  /// Both operands as tensors of one type (unless pointers are involved) and one shape.
  std::pair<Tensor, Tensor> promoteOperands(const Value &left, const Value &right,
                                            const PromoteOptions &options);

  /// Pointer plus offset.
  Tensor addPointer(const Tensor &pointer, Tensor offset);

  /// Runs `emit` with the overflow checks of debug builds off.
  template <typename F> Tensor withoutOverflowChecks(F &&emit) {
    bool saved = std::exchange(m_rules.sanitizeOverflow, false);
    Tensor result = emit();
    m_rules.sanitizeOverflow = saved;
    return result;
  }

private:
  friend class ConstantScope;
  /// Fails where there is nothing to emit into.
  void requirePlace(const void *place);
  Tensor constantAttribute(mlir::TypedAttr attribute, const Type &type);
  Tensor castFloat(const Tensor &value, DType to, std::string_view rounding);
  Tensor convertFp8(const Tensor &value, DType to, std::string_view rounding);
  Tensor convertFp8e4b15(const Tensor &value, DType to);
  DType commonType(const Value &left, const Value &right, const PromoteOptions &options);

  Host &m_host;
  TargetRules m_rules;
  ConstantScope *m_constants = nullptr;
};

} // namespace tilescope::compiler::frontend
