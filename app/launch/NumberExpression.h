// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// An expression of numbers as a list of steps, for expressions that are evaluated for millions of
// elements. It has the usual operations, and comes to the very values that `constant::evaluate`
// does; everything else is left to that, also an element at which Python raises an error or an
// integer needs more than 64 bits.
//
//   x * 0.5 + 1      load x │ constant 0.5 │ multiply │ constant 1 │ add
#pragma once

#include "app/launch/ArrayOperand.h"
#include "compiler/constant/Evaluate.h"
#include "compiler/syntax/Ast.h"

#include <optional>
#include <vector>

namespace tilescope::app {

class NumberExpression {
public:
  /// Nothing: it has other operations. Operands and their strides stay as they are while it is used;
  /// names that are no tensors have the same values for all elements.
  static std::optional<NumberExpression> of(const compiler::ast::Expr &expr,
                                            const ArrayOperands &operands,
                                            const compiler::constant::Environment &environment);

  /// The value for an element; nothing: `constant::evaluate` knows it.
  std::optional<compiler::constant::Value> at(const std::vector<int64_t> &coordinates);

private:
  /// A truth is an integer in all operations.
  struct Number {
    enum class Kind : uint8_t { Float, Int, Bool } kind = Kind::Float;
    int64_t integer = 0;
    double real = 0;

    bool isInt() const { return kind != Kind::Float; }
    double number() const { return isInt() ? static_cast<double>(integer) : real; }
    bool truth() const { return isInt() ? integer != 0 : real != 0; }
    compiler::constant::Value value() const;
  };
  enum class StepKind : uint8_t { Load, Constant, Binary, Negate, Compare, Apply, Extreme, Where };
  struct Step {
    StepKind kind = StepKind::Constant;
    const ArrayOperand *operand = nullptr;
    Number constant = {};
    compiler::ast::BinaryOpKind binary = {};
    compiler::ast::CompareOpKind compare = {};
    double (*apply)(double) = nullptr;
    bool wantsLarger = false;
    /// Of extremes: NaN wins as in NumPy, instead of what is compared first.
    bool isArrays = false;
  };
  struct Maker;

  static std::optional<Number> numberOf(const compiler::constant::Value &value);
  /// Of what is below the top of the stack and the top. False: this element is left to others.
  static bool combine(const Step &step, Number &left, const Number &right);
  static std::optional<bool> compared(compiler::ast::CompareOpKind op, const Number &left,
                                      const Number &right);
  bool execute(const Step &step, const std::vector<int64_t> &coordinates);

  std::vector<Step> m_steps;
  std::vector<Number> m_stack;
};

} // namespace tilescope::app
