// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators that compute each element of two tensors, or of a tensor and a number.
#include "compiler/model/torch_export/AtenRules.h"
#include "compiler/model/torch_export/ScalarTypes.h"

using namespace mlir;

namespace tilescope::model {

namespace {
/// The two operands in the type of the result.
struct Pair {
  Value a, b;
};
} // namespace

/// The names of the operands, which differ where one of them is a number: `self`, `other`; `exponent`.
static Pair operandsOf(AtenNode &node, const char *second, Type element) {
  return {node.operand("self", element), node.operand(second, element)};
}

static Type resultElement(AtenNode &node) {
  return node.resultElement(node.builder().getF32Type());
}

template <typename Op> static bool readBinary(AtenNode &node) {
  const auto [a, b] = operandsOf(node, "other", resultElement(node));
  return node.finish(node.binary<Op>(a, b));
}

/// The second operand times alpha.
static Value scaled(AtenNode &node, Value value) {
  if (!node.has("alpha") || !value || node.real("alpha", 1) == 1)
    return value;
  return node.binary<tm::MulOp>(value, node.operand("alpha", AtenNode::elementOf(value)));
}
static bool readAdd(AtenNode &node) {
  const Type element = resultElement(node);
  const auto [a, b] = operandsOf(node, "other", element);
  if (element.isInteger(1))
    return node.finish(node.binary<tm::OrOp>(a, b));
  return node.finish(node.binary<tm::AddOp>(a, scaled(node, b)));
}
static bool readSub(AtenNode &node) {
  const auto [a, b] = operandsOf(node, "other", resultElement(node));
  return node.finish(node.binary<tm::SubOp>(a, scaled(node, b)));
}
/// The other way round.
static bool readRsub(AtenNode &node) {
  const auto [a, b] = operandsOf(node, "other", resultElement(node));
  return node.finish(node.binary<tm::SubOp>(b, scaled(node, a)));
}
static bool readMul(AtenNode &node) {
  const Type element = resultElement(node);
  const auto [a, b] = operandsOf(node, "other", element);
  return node.finish(element.isInteger(1) ? node.binary<tm::AndOp>(a, b)
                                          : node.binary<tm::MulOp>(a, b));
}

/// Rounded down; whole numbers whose signs differ are one less than what is rounded towards 0.
static Value floored(AtenNode &node, Value a, Value b) {
  const Value quotient = node.binary<tm::DivOp>(a, b);
  if (!quotient || isa<FloatType>(AtenNode::elementOf(quotient)))
    return node.unary<tm::FloorOp>(quotient);
  const Value zero = node.scalar(0, AtenNode::elementOf(a));
  const Value rest = node.emit<tm::ModOp>(AtenNode::typeOf(quotient), a, b, /*fmod=*/true);
  const Value hasRest = node.unary<tm::NotOp>(node.compare(tm::Comparison::Equal, rest, zero));
  const Value differs = node.binary<tm::XorOp>(node.compare(tm::Comparison::Less, rest, zero),
                                               node.compare(tm::Comparison::Less, b, zero));
  const Value less = node.binary<tm::SubOp>(quotient, node.scalar(1, AtenNode::elementOf(a)));
  return node.where(node.binary<tm::AndOp>(hasRest, differs), less, quotient);
}
static bool readDiv(AtenNode &node) {
  const std::string mode = node.text("rounding_mode", "");
  const auto [a, b] = operandsOf(node, "other", resultElement(node));
  if (mode == "floor")
    return node.finish(floored(node, a, b));
  const Value quotient = node.binary<tm::DivOp>(a, b);
  const bool isWhole = quotient && !isa<FloatType>(AtenNode::elementOf(quotient));
  if (mode == "trunc" && quotient && !isWhole) {
    const Value isBelow =
        node.compare(tm::Comparison::Less, quotient, node.scalar(0, AtenNode::elementOf(quotient)));
    return node.finish(
        node.where(isBelow, node.unary<tm::CeilOp>(quotient), node.unary<tm::FloorOp>(quotient)));
  }
  return mode.empty() || mode == "trunc"
             ? node.finish(quotient)
             : node.fail("its argument `rounding_mode` is `" + mode + "`");
}
static bool readFloorDivide(AtenNode &node) {
  const auto [a, b] = operandsOf(node, "other", resultElement(node));
  return node.finish(floored(node, a, b));
}
template <bool isFmod> static bool readRemainder(AtenNode &node) {
  const Type element = resultElement(node);
  const auto [a, b] = operandsOf(node, "other", element);
  if (!a || !b)
    return false;
  return node.finish(node.emit<tm::ModOp>(node.broadcast({a, b}, element), a, b, isFmod));
}

/// Squares are products.
static bool readPow(AtenNode &node) {
  const Type element = resultElement(node);
  const Value a = node.operand("self", element);
  const double exponent = node.elementOfTensor("exponent") ? 0 : node.real("exponent", 0);
  if (exponent == 2)
    return node.finish(node.binary<tm::MulOp>(a, a));
  if (exponent == 0.5)
    return node.finish(node.unary<tm::SqrtOp>(a));
  return node.finish(node.binary<tm::PowOp>(a, node.operand("exponent", element)));
}

/// self + value * tensor1 * tensor2, or / tensor2
template <typename Op> static bool readAddc(AtenNode &node) {
  const Type element = resultElement(node);
  const Value a = node.operand("tensor1", element), b = node.operand("tensor2", element);
  Value part = node.binary<Op>(a, b);
  if (node.real("value", 1) != 1)
    part = node.binary<tm::MulOp>(part, node.scalar(node.real("value", 1), element));
  return node.finish(node.binary<tm::AddOp>(node.operand("self", element), part));
}

/// self + weight * (end - self)
static bool readLerp(AtenNode &node) {
  const Type element = resultElement(node);
  const auto [a, b] = operandsOf(node, "end", element);
  const Value way = node.binary<tm::SubOp>(b, a);
  return node.finish(
      node.binary<tm::AddOp>(a, node.binary<tm::MulOp>(node.operand("weight", element), way)));
}

static constexpr AtenRule kAtenArithmeticRules[] = {
    {"aten.add", readAdd},
    {"aten.addcdiv", readAddc<tm::DivOp>},
    {"aten.addcmul", readAddc<tm::MulOp>},
    {"aten.div", readDiv},
    {"aten.floor_divide", readFloorDivide},
    {"aten.fmod", readRemainder<true>},
    {"aten.lerp", readLerp},
    {"aten.maximum", readBinary<tm::MaxOp>},
    {"aten.minimum", readBinary<tm::MinOp>},
    {"aten.mul", readMul},
    {"aten.pow", readPow},
    {"aten.remainder", readRemainder<false>},
    {"aten.rsub", readRsub},
    {"aten.sub", readSub},
    {"aten.true_divide", readDiv},
};

std::span<const AtenRule> atenArithmeticRules() { return kAtenArithmeticRules; }

} // namespace tilescope::model
