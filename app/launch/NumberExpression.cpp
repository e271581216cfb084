// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/NumberExpression.h"

#include "app/launch/ArrayFunctions.h"

#include <algorithm>
#include <cmath>

namespace tilescope::app {

namespace ast = compiler::ast;
namespace constant = compiler::constant;
using constant::Value;

/// Integers up to it are the same as floats.
static constexpr int64_t kMostExact = int64_t{1} << 53;

static bool isExact(int64_t integer) { return -kMostExact <= integer && integer <= kMostExact; }

Value NumberExpression::Number::value() const {
  return kind == Kind::Float ? Value::real(real)
         : kind == Kind::Int ? Value::integer(integer)
                             : Value::boolean(integer != 0);
}

std::optional<NumberExpression::Number> NumberExpression::numberOf(const Value &value) {
  if (value.isFloat())
    return Number{Number::Kind::Float, 0, value.real()};
  if (value.isBool())
    return Number{Number::Kind::Bool, value.boolean(), 0};
  const std::optional<int64_t> integer = value.isInt() ? value.toInt64() : std::nullopt;
  return integer ? std::optional(Number{Number::Kind::Int, *integer, 0}) : std::nullopt;
}

/// Makes the steps of an expression, operands first. False: it has other operations.
struct NumberExpression::Maker {
  const ArrayOperands &operands;
  const constant::Environment &environment;
  std::vector<Step> steps = {};

  bool add(const ast::Expr &expr) {
    if (const auto *node = ast::as<ast::Name>(&expr))
      return name(*node);
    if (const auto *node = ast::as<ast::BinOp>(&expr))
      return binary(*node);
    if (const auto *node = ast::as<ast::Call>(&expr))
      return call(*node);
    if (const auto *node = ast::as<ast::Compare>(&expr); node && node->ops.size() == 1)
      return node->ops[0] <= ast::CompareOpKind::GtE && add(*node->left) &&
             add(*node->comparators[0]) &&
             push({.kind = StepKind::Compare, .compare = node->ops[0]});
    if (const auto *node = ast::as<ast::UnaryOp>(&expr); node && node->op == ast::UnaryOpKind::USub)
      return add(*node->operand) && push({.kind = StepKind::Negate});
    return ast::is<ast::Constant>(&expr) && fixed(expr);
  }

private:
  bool push(Step step) {
    steps.push_back(step);
    return true;
  }

  /// Something that is the same for all elements.
  bool fixed(const ast::Expr &expr) {
    const constant::Evaluation value = constant::evaluate(expr, environment);
    const std::optional<Number> number = value ? numberOf(*value.value) : std::nullopt;
    return number && push({.kind = StepKind::Constant, .constant = *number});
  }

  bool name(const ast::Name &node) {
    const auto found = operands.find(node.id);
    return found != operands.end() ? push({.kind = StepKind::Load, .operand = &found->second})
                                   : fixed(node);
  }

  bool binary(const ast::BinOp &node) {
    using Kind = ast::BinaryOpKind;
    const bool isKnown = node.op == Kind::Add || node.op == Kind::Sub || node.op == Kind::Mult ||
                         node.op == Kind::Div;
    return isKnown && add(*node.left) && add(*node.right) &&
           push({.kind = StepKind::Binary, .binary = node.op});
  }

  bool call(const ast::Call &node) {
    if (!node.keywords.empty() || node.args.empty() ||
        std::ranges::any_of(node.args,
                            [](const ast::Expr *each) { return ast::is<ast::Starred>(each); }))
      return false;
    const constant::Evaluation callee = constant::evaluate(*node.func, environment);
    if (!callee)
      return false;
    for (const ast::Expr *argument : node.args)
      if (!add(*argument))
        return false;
    const size_t count = node.args.size();
    if (callee.value->isBuiltin()) {
      const std::string &builtin = callee.value->str();
      return count == 2 && (builtin == "max" || builtin == "min") &&
             push({.kind = StepKind::Extreme, .wantsLarger = builtin == "max"});
    }
    const std::string function = arrayFunctionOf(*callee.value);
    if (const ArrayFunction apply = arrayFunction(function))
      return count == 1 && push({.kind = StepKind::Apply, .apply = apply});
    if (function == "where")
      return count == 3 && push({.kind = StepKind::Where});
    return count == 2 && (function == "maximum" || function == "minimum") &&
           push(
               {.kind = StepKind::Extreme, .wantsLarger = function == "maximum", .isArrays = true});
  }
};

std::optional<NumberExpression> NumberExpression::of(const ast::Expr &expr,
                                                     const ArrayOperands &operands,
                                                     const constant::Environment &environment) {
  Maker maker{operands, environment};
  if (!maker.add(expr))
    return std::nullopt;
  NumberExpression made;
  made.m_steps = std::move(maker.steps);
  made.m_stack.reserve(made.m_steps.size());
  return made;
}

bool NumberExpression::combine(const Step &step, Number &left, const Number &right) {
  using Kind = ast::BinaryOpKind;
  if (step.binary == Kind::Div) {
    // Python divides large integers exactly.
    const bool isRounded =
        (left.isInt() && !isExact(left.integer)) || (right.isInt() && !isExact(right.integer));
    const double divisor = right.number();
    left = {Number::Kind::Float, 0, left.number() / divisor};
    return divisor != 0 && !isRounded;
  }
  if (left.isInt() && right.isInt()) {
    left.kind = Number::Kind::Int;
    int64_t &into = left.integer;
    return !(step.binary == Kind::Add   ? __builtin_add_overflow(into, right.integer, &into)
             : step.binary == Kind::Sub ? __builtin_sub_overflow(into, right.integer, &into)
                                        : __builtin_mul_overflow(into, right.integer, &into));
  }
  const double a = left.number(), b = right.number();
  left = {Number::Kind::Float, 0,
          step.binary == Kind::Add   ? a + b
          : step.binary == Kind::Sub ? a - b
                                     : a * b};
  return true;
}

template <typename T> static bool holds(ast::CompareOpKind op, T a, T b) {
  using Kind = ast::CompareOpKind;
  switch (op) {
  case Kind::Eq:
    return a == b;
  case Kind::NotEq:
    return a != b;
  case Kind::Lt:
    return a < b;
  case Kind::LtE:
    return a <= b;
  case Kind::Gt:
    return a > b;
  default:
    return a >= b;
  }
}

std::optional<bool> NumberExpression::compared(ast::CompareOpKind op, const Number &left,
                                               const Number &right) {
  if (left.isInt() && right.isInt())
    return holds(op, left.integer, right.integer);
  // Python compares an integer with a float exactly.
  if ((left.isInt() && !isExact(left.integer)) || (right.isInt() && !isExact(right.integer)))
    return std::nullopt;
  return holds(op, left.number(), right.number());
}

bool NumberExpression::execute(const Step &step, const std::vector<int64_t> &coordinates) {
  const auto take = [this] {
    const Number top = m_stack.back();
    m_stack.pop_back();
    return top;
  };
  switch (step.kind) {
  case StepKind::Load: {
    const profiler::Dtype dtype = step.operand->tensor.dtype;
    if (profiler::isFloat(dtype)) {
      m_stack.push_back({Number::Kind::Float, 0, step.operand->numberAt(coordinates)});
      return true;
    }
    m_stack.push_back({Number::Kind::Int, step.operand->integerAt(coordinates), 0});
    return dtype != profiler::Dtype::Uint64 || m_stack.back().integer >= 0;
  }
  case StepKind::Constant:
    m_stack.push_back(step.constant);
    return true;
  case StepKind::Binary: {
    const Number right = take();
    return combine(step, m_stack.back(), right);
  }
  case StepKind::Negate: {
    Number &top = m_stack.back();
    if (!top.isInt()) {
      top.real = -top.real;
      return true;
    }
    top.kind = Number::Kind::Int;
    return !__builtin_sub_overflow(int64_t{0}, top.integer, &top.integer);
  }
  case StepKind::Compare: {
    const Number right = take();
    const std::optional<bool> truth = compared(step.compare, m_stack.back(), right);
    m_stack.back() = {Number::Kind::Bool, truth.value_or(false), 0};
    return truth.has_value();
  }
  case StepKind::Apply:
    m_stack.back() = {Number::Kind::Float, 0, step.apply(m_stack.back().number())};
    return true;
  case StepKind::Extreme: {
    const Number right = take();
    Number &left = m_stack.back();
    if (step.isArrays) {
      const double a = left.number(), b = right.number();
      const bool takesLeft =
          std::isnan(a) || std::isnan(b) ? std::isnan(a) : (step.wantsLarger ? a >= b : a <= b);
      left = takesLeft ? left : right;
      return true;
    }
    const std::optional<bool> isBetter =
        compared(step.wantsLarger ? ast::CompareOpKind::Gt : ast::CompareOpKind::Lt, right, left);
    left = isBetter.value_or(false) ? right : left;
    return isBetter.has_value();
  }
  case StepKind::Where: {
    const Number otherwise = take();
    const Number chosen = take();
    m_stack.back() = m_stack.back().truth() ? chosen : otherwise;
    return true;
  }
  }
  return false;
}

std::optional<Value> NumberExpression::at(const std::vector<int64_t> &coordinates) {
  m_stack.clear();
  for (const Step &step : m_steps)
    if (!execute(step, coordinates))
      return std::nullopt;
  return m_stack.back().value();
}

} // namespace tilescope::app
