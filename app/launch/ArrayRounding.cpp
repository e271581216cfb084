// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayRounding.h"

#include "app/launch/ArrayFunctions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;
namespace constant = compiler::constant;

static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

namespace {
class Walk {
public:
  Walk(const RoundingRules &rules, const RoundedNames &names) : m_rules(rules), m_names(names) {}

  RoundedNumber at(const ast::Expr &expr) const;

private:
  RoundedNumber plain(const ast::Expr &expr) const;
  RoundedNumber binary(const ast::BinOp &node) const;
  RoundedNumber compared(const ast::Compare &node) const;
  RoundedNumber joined(const ast::Expr &node, std::span<const ast::Expr *const> operands) const;
  RoundedNumber chosen(const RoundedNumber &condition, const ast::Expr &ifTrue,
                       const ast::Expr &ifFalse) const;
  RoundedNumber call(const ast::Call &node) const;

  const RoundingRules &m_rules;
  const RoundedNames &m_names;
};
} // namespace

/// Anything else: a number that is exact, or one whose size is not known.
RoundedNumber Walk::plain(const ast::Expr &expr) const {
  // The most frequent ones need no evaluation.
  const auto *literal = ast::as<ast::Constant>(&expr);
  if (literal && literal->constantKind == ast::ConstantKind::Float)
    return m_rules.constant(literal->floatValue);
  if (literal && literal->constantKind == ast::ConstantKind::Int && literal->intValue)
    return {static_cast<double>(*literal->intValue), 0, true};
  const constant::Evaluation value = constant::evaluate(expr, m_names.others);
  const std::optional<double> number = value ? numberOf(*value.value) : std::nullopt;
  if (!number)
    return {kUnknown, kUnknown, false};
  // `np.inf` is a constant, and nothing is off by something from infinity.
  const bool isScalar = ast::is<ast::Name>(&expr) || ast::is<ast::Constant>(&expr) ||
                        ast::is<ast::Attribute>(&expr) || std::isinf(*number);
  if (value.value->isFloat())
    return isScalar ? m_rules.constant(*number) : RoundedNumber{*number, kUnknown, false};
  return {*number, 0, true};
}

static double floorOf(double x) { return std::floor(x); }

/// An integer, whatever it is held in.
static bool isWhole(const RoundedNumber &number) {
  return number.isExact() && number.value == floorOf(number.value);
}

/// That of integers is one, also where they are held as floats: `%` of kernels does not divide.
static RoundedNumber remainderOf(const RoundingRules &rules, const RoundedNumber &a,
                                 const RoundedNumber &b) {
  if (isWhole(a) && isWhole(b))
    return {a.value - b.value * floorOf(a.value / b.value), 0, false, true};
  return rules.difference(a, rules.product(b, rules.stepped(floorOf, rules.quotient(a, b))));
}

/// What an operation on bits makes of integers; nothing: it is another operation.
static std::optional<double> bitsOf(ast::BinaryOpKind op, double left, double right) {
  using Kind = ast::BinaryOpKind;
  constexpr double kMost = 0x1p53;
  if (!(std::fabs(left) < kMost && std::fabs(right) < kMost))
    return std::nullopt;
  const auto a = static_cast<int64_t>(left), b = static_cast<int64_t>(right);
  const bool isShift = 0 <= b && b < 10;
  switch (op) {
  case Kind::BitAnd:
    return static_cast<double>(a & b);
  case Kind::BitOr:
    return static_cast<double>(a | b);
  case Kind::BitXor:
    return static_cast<double>(a ^ b);
  case Kind::LShift:
    return isShift ? std::optional(std::ldexp(static_cast<double>(a), int(b))) : std::nullopt;
  case Kind::RShift:
    return isShift ? std::optional(static_cast<double>(a >> b)) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// An operation on bits of integers that are not certain: of all that they may be.
static RoundedNumber ofBits(ast::BinaryOpKind op, const RoundedNumber &a, const RoundedNumber &b,
                            const RoundedNumber &whole) {
  double least = whole.value, most = whole.value;
  for (const double x : {a.least(), a.value, a.most()})
    for (const double y : {b.least(), b.value, b.most()}) {
      const std::optional<double> made = bitsOf(op, x, y);
      if (!made)
        return {whole.value, kUnknown, false};
      least = std::min(least, *made);
      most = std::max(most, *made);
    }
  return whole.within(least, most);
}

RoundedNumber Walk::binary(const ast::BinOp &node) const {
  using Kind = ast::BinaryOpKind;
  const RoundedNumber a = at(*node.left), b = at(*node.right);
  const bool areIntegers = a.isInteger && b.isInteger;
  const bool areExact = areIntegers && a.isExact() && b.isExact();
  switch (node.op) {
  case Kind::Add:
    return m_rules.sum(a, b);
  case Kind::Sub:
    return m_rules.difference(a, b);
  case Kind::Mult:
    return m_rules.product(a, b);
  case Kind::Div:
    return m_rules.quotient(a, b);
  case Kind::Pow:
    return areIntegers ? plain(node)
                       : m_rules.applied([](double x, double y) { return std::pow(x, y); }, a, b);
  case Kind::FloorDiv:
    return areExact ? plain(node) : m_rules.stepped(floorOf, m_rules.quotient(a, b));
  case Kind::Mod:
    return areExact ? plain(node) : remainderOf(m_rules, a, b);
  default:
    return a.isExact() && b.isExact() ? plain(node) : ofBits(node.op, a, b, plain(node));
  }
}

/// Truths: as uncertain as one of their operands is.
RoundedNumber Walk::joined(const ast::Expr &node,
                           std::span<const ast::Expr *const> operands) const {
  const RoundedNumber whole = plain(node);
  for (const ast::Expr *operand : operands)
    if (!at(*operand).isExact())
      return whole.within(0, 1);
  return whole;
}

RoundedNumber Walk::compared(const ast::Compare &node) const {
  const RoundedNumber whole = plain(node);
  RoundedNumber left = at(*node.left);
  for (const ast::Expr *comparator : node.comparators) {
    const RoundedNumber right = at(*comparator);
    if (const RoundedNumber each = m_rules.comparison(whole.value != 0, left, right);
        !each.isExact())
      return each;
    left = right;
  }
  return whole;
}

RoundedNumber Walk::chosen(const RoundedNumber &condition, const ast::Expr &ifTrue,
                           const ast::Expr &ifFalse) const {
  if (std::isnan(condition.value))
    return {kUnknown, kUnknown, false};
  const bool isTrue = condition.value != 0;
  const RoundedNumber taken = at(isTrue ? ifTrue : ifFalse);
  return condition.isExact() ? taken
                             : m_rules.chosen(condition, taken, at(isTrue ? ifFalse : ifTrue));
}

/// The functions that jump; null: it is another one.
static ArrayFunction steppedFunction(std::string_view name) {
  if (name == "int")
    return arrayFunction("trunc");
  constexpr std::string_view kStepped[] = {"ceil",  "floor", "isnan", "rint",
                                           "round", "sign",  "trunc"};
  return std::ranges::find(kStepped, name) != std::end(kStepped) ? arrayFunction(name) : nullptr;
}

/// The function that a call names, behind a module or without one; empty: something else.
static std::string_view functionName(const ast::Call &node) {
  if (const auto *name = ast::as<ast::Name>(node.func))
    return name->id;
  const auto *member = ast::as<ast::Attribute>(node.func);
  return member && ast::is<ast::Name>(member->value) ? std::string_view(member->attr)
                                                     : std::string_view();
}

/// Of several numbers the largest or the least; NaN wins.
static RoundedNumber extremeOf(const std::vector<RoundedNumber> &numbers, bool wantsLarger) {
  RoundedNumber chosen = numbers.front();
  double least = chosen.least(), most = chosen.most();
  const auto beyond = [&](double a, double b) {
    return wantsLarger ? std::max(a, b) : std::min(a, b);
  };
  for (const RoundedNumber &each : numbers) {
    if (std::isnan(each.value) ||
        (wantsLarger ? each.value > chosen.value : each.value < chosen.value))
      chosen = each;
    least = beyond(least, each.least());
    most = beyond(most, each.most());
  }
  return chosen.within(least, most);
}

static RoundedNumber negative(const RoundedNumber &number) {
  return {-number.value,       number.square, number.isInteger,
          number.isOfIntegers, number.above,  number.below};
}

static RoundedNumber magnitudeOf(const RoundedNumber &number) {
  const RoundedNumber magnitude = number.value < 0 ? negative(number) : number;
  return magnitude.within(std::max(0.0, magnitude.least()),
                          std::max(-magnitude.least(), magnitude.most()));
}

RoundedNumber Walk::call(const ast::Call &node) const {
  const std::string_view name = functionName(node);
  const auto unary = arrayFunction(name);
  const bool isLarger = name == "maximum" || name == "max";
  const bool isExtreme = isLarger || name == "minimum" || name == "min";
  const size_t numArgs = node.args.size();
  const ArrayFunction stepped = steppedFunction(name);
  const bool isKnown = ((unary || stepped) && numArgs == 1) || (isExtreme && numArgs > 1) ||
                       ((name == "power" || name == "pow") && numArgs == 2) ||
                       ((name == "where" || name == "clip") && numArgs == 3);
  if (!isKnown || !node.keywords.empty())
    return plain(node);
  if (name == "where")
    return chosen(at(*node.args[0]), *node.args[1], *node.args[2]);
  std::vector<RoundedNumber> args;
  for (const ast::Expr *arg : node.args)
    args.push_back(at(*arg));
  if (isExtreme)
    return extremeOf(args, isLarger);
  if (name == "clip")
    return extremeOf({extremeOf({args[0], args[1]}, true), args[2]}, false);
  if (stepped) {
    const bool isExact = args[0].isInteger && args[0].isExact();
    const RoundedNumber whole = isExact ? plain(node) : RoundedNumber{0, kUnknown, false};
    // `sign` and `floor` of an integer may make a float of it.
    return std::isnan(whole.square) ? m_rules.stepped(stepped, args[0]) : whole;
  }
  if (!unary)
    return m_rules.applied([](double x, double y) { return std::pow(x, y); }, args[0], args[1]);
  if (name == "abs")
    return magnitudeOf(args[0]);
  constexpr std::string_view kPlain[] = {"reciprocal", "rsqrt", "sqrt", "square"};
  return std::ranges::find(kPlain, name) != std::end(kPlain) ? m_rules.applied(unary, args[0])
                                                             : m_rules.approximated(unary, args[0]);
}

RoundedNumber Walk::at(const ast::Expr &expr) const {
  if (const auto *name = ast::as<ast::Name>(&expr)) {
    const std::optional<RoundedNumber> tensor = m_names.tensor(name->id);
    return tensor ? *tensor : plain(expr);
  }
  if (const auto *node = ast::as<ast::BinOp>(&expr))
    return binary(*node);
  if (const auto *node = ast::as<ast::Call>(&expr))
    return call(*node);
  if (const auto *node = ast::as<ast::IfExp>(&expr))
    return chosen(at(*node->test), *node->body, *node->orelse);
  if (const auto *node = ast::as<ast::Compare>(&expr))
    return compared(*node);
  if (const auto *node = ast::as<ast::BoolOp>(&expr))
    return joined(expr, node->values);
  const auto *unary = ast::as<ast::UnaryOp>(&expr);
  if (unary && (unary->op == ast::UnaryOpKind::USub || unary->op == ast::UnaryOpKind::UAdd)) {
    const RoundedNumber operand = at(*unary->operand);
    return unary->op == ast::UnaryOpKind::USub ? negative(operand) : operand;
  }
  if (unary) {
    const ast::Expr *operands[] = {unary->operand};
    return joined(expr, operands);
  }
  return plain(expr);
}

RoundedNumber evaluateRounded(const ast::Expr &expr, const RoundingRules &rules,
                              const RoundedNames &names) {
  return Walk(rules, names).at(expr);
}

} // namespace tilescope::app
