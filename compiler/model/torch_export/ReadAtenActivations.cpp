// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators that compute each element of one tensor by itself.
#include "compiler/model/torch_export/AtenRules.h"

#include <cmath>

using namespace mlir;

namespace tilescope::model {

/// Whole numbers become reals, as PyTorch does it for functions whose results are real.
static Value realOperand(AtenNode &node) {
  const Value x = node.first();
  return x ? node.cast(x, node.resultElement(AtenNode::elementOf(x))) : Value();
}

template <typename Op> static bool readUnary(AtenNode &node) {
  return node.finish(node.unary<Op>(node.first()));
}
template <typename Op> static bool readReal(AtenNode &node) {
  return node.finish(node.unary<Op>(realOperand(node)));
}

/// With attributes of 32 bits.
template <typename Op, typename... Numbers>
static Value shaped(AtenNode &node, Value x, Numbers... numbers) {
  return x ? node.emit<Op>(AtenNode::typeOf(x), x, llvm::APFloat(float(numbers))...) : Value();
}

static Value number(AtenNode &node, Value x, double value) {
  return x ? node.scalar(value, AtenNode::elementOf(x)) : Value();
}
static Value times(AtenNode &node, Value x, double factor) {
  return factor == 1 ? x : node.binary<tm::MulOp>(x, number(node, x, factor));
}
static Value plus(AtenNode &node, Value x, double addend) {
  return node.binary<tm::AddOp>(x, number(node, x, addend));
}

static bool readRsqrt(AtenNode &node) {
  return node.finish(node.unary<tm::ReciprocalOp>(node.unary<tm::SqrtOp>(realOperand(node))));
}
static bool readSquare(AtenNode &node) {
  const Value x = node.first();
  return node.finish(node.binary<tm::MulOp>(x, x));
}
/// Logarithms of another base.
static bool readLog2(AtenNode &node) {
  return node.finish(times(node, node.unary<tm::LogOp>(realOperand(node)), 1 / std::log(2.0)));
}
static bool readLog10(AtenNode &node) {
  return node.finish(times(node, node.unary<tm::LogOp>(realOperand(node)), 1 / std::log(10.0)));
}
static bool readLog1p(AtenNode &node) {
  return node.finish(node.unary<tm::LogOp>(plus(node, realOperand(node), 1)));
}
static bool readExp2(AtenNode &node) {
  return node.finish(node.unary<tm::ExpOp>(times(node, realOperand(node), std::log(2.0))));
}
static bool readExpm1(AtenNode &node) {
  return node.finish(plus(node, node.unary<tm::ExpOp>(realOperand(node)), -1));
}

static bool readGelu(AtenNode &node) {
  const std::string approximate = node.text("approximate", "none");
  if (approximate != "none" && approximate != "tanh")
    return node.fail("its argument `approximate` is `" + approximate + "`");
  const Value x = node.first();
  return x && node.finish(node.emit<tm::GeluOp>(AtenNode::typeOf(x), x, approximate == "tanh"));
}
static bool readSilu(AtenNode &node) {
  const Value x = node.first();
  return node.finish(node.binary<tm::MulOp>(x, node.unary<tm::SigmoidOp>(x)));
}
static bool readMish(AtenNode &node) {
  const Value x = node.first();
  const Value inner = node.unary<tm::SoftplusOp>(x);
  return node.finish(node.binary<tm::MulOp>(x, node.unary<tm::TanhOp>(inner)));
}
static bool readHardsigmoid(AtenNode &node) {
  return node.finish(shaped<tm::HardSigmoidOp>(node, node.first(), 1.0 / 6, 0.5));
}
static bool readHardswish(AtenNode &node) {
  const Value x = node.first();
  return node.finish(node.binary<tm::MulOp>(x, shaped<tm::HardSigmoidOp>(node, x, 1.0 / 6, 0.5)));
}
static bool readLeakyRelu(AtenNode &node) {
  return node.finish(
      shaped<tm::LeakyReluOp>(node, node.first(), node.real("negative_slope", 0.01)));
}

/// scale * x above 0, scale * alpha * (exp(input_scale * x) - 1) below
static Value eluOf(AtenNode &node, double alpha, double scale, double inputScale) {
  const Value x = node.first();
  if (inputScale == 1)
    return times(node, shaped<tm::EluOp>(node, x, alpha), scale);
  const Value below =
      times(node, plus(node, node.unary<tm::ExpOp>(times(node, x, inputScale)), -1), scale * alpha);
  const Value isAbove = node.compare(tm::Comparison::Greater, x, number(node, x, 0));
  return node.where(isAbove, times(node, x, scale), below);
}
static bool readElu(AtenNode &node) {
  return node.finish(
      eluOf(node, node.real("alpha", 1), node.real("scale", 1), node.real("input_scale", 1)));
}
static bool readSelu(AtenNode &node) {
  return node.finish(eluOf(node, 1.6732632423543772, 1.0507009873554805, 1));
}
/// x above 0, alpha * (exp(x / alpha) - 1) below
static bool readCelu(AtenNode &node) {
  const double alpha = node.real("alpha", 1);
  if (alpha == 0)
    return node.fail("its argument `alpha` is 0");
  return node.finish(eluOf(node, alpha, 1, 1 / alpha));
}

/// log(1 + exp(beta * x)) / beta, and x itself where beta * x is above the threshold
static bool readSoftplus(AtenNode &node) {
  const Value x = node.first();
  const double beta = node.real("beta", 1), threshold = node.real("threshold", 20);
  if (beta == 0)
    return node.fail("its argument `beta` is 0");
  const Value scaled = times(node, x, beta);
  const Value curve = times(node, node.unary<tm::SoftplusOp>(scaled), 1 / beta);
  const Value isAbove = node.compare(tm::Comparison::Greater, scaled, number(node, x, threshold));
  return node.finish(node.where(isAbove, x, curve));
}

static bool readPrelu(AtenNode &node) {
  const Value x = node.first(), slopes = node.tensor("weight");
  if (!x || !slopes)
    return false;
  // One for each channel, axis 1, or one for all.
  tm::ExtentList extents(size_t(AtenNode::rankOf(x)), node.number(1));
  if (extents.size() > 1)
    extents[1] = tm::product(node.context(), AtenNode::extentsOf(slopes));
  const Value factors = extents.size() > 1 ? node.reshaped(slopes, extents) : slopes;
  const Value isBelow = node.compare(tm::Comparison::Less, x, number(node, x, 0));
  return node.finish(node.where(isBelow, node.binary<tm::MulOp>(x, factors), x));
}

/// Bounds are numbers or tensors; one may be left out.
static Value clamped(AtenNode &node, Value x, const char *least, const char *most) {
  if (!x)
    return {};
  const Type element = node.resultElement(AtenNode::elementOf(x));
  Value result = node.cast(x, element);
  if (node.has(least))
    result = node.binary<tm::MaxOp>(result, node.operand(least, element));
  if (node.has(most))
    result = node.binary<tm::MinOp>(result, node.operand(most, element));
  return result;
}
static bool readClamp(AtenNode &node) {
  return node.finish(clamped(node, node.first(), "min", "max"));
}
static Value between(AtenNode &node, Value x, double least, double most) {
  const Value above = node.binary<tm::MaxOp>(x, number(node, x, least));
  return node.binary<tm::MinOp>(above, number(node, x, most));
}
static bool readHardtanh(AtenNode &node) {
  return node.finish(
      between(node, node.first(), node.real("min_val", -1), node.real("max_val", 1)));
}
static bool readRelu6(AtenNode &node) { return node.finish(between(node, node.first(), 0, 6)); }

/// x above the threshold, else the value
static bool readThreshold(AtenNode &node) {
  const Value x = node.first();
  const Value isAbove =
      node.compare(tm::Comparison::Greater, x, number(node, x, node.real("threshold", 0)));
  const Value other = number(node, x, node.real("value", 0));
  return node.finish(node.where(isAbove, x, other));
}

static bool readRound(AtenNode &node) {
  if (node.integer("decimals", 0) != 0)
    return node.fail("it rounds to decimals, which is not supported");
  return node.finish(node.unary<tm::RoundOp>(node.first()));
}
/// Towards 0.
static bool readTrunc(AtenNode &node) {
  const Value x = node.first();
  const Value isBelow = node.compare(tm::Comparison::Less, x, number(node, x, 0));
  return node.finish(node.where(isBelow, node.unary<tm::CeilOp>(x), node.unary<tm::FloorOp>(x)));
}
static bool readTan(AtenNode &node) {
  const Value x = realOperand(node);
  return node.finish(node.binary<tm::DivOp>(node.unary<tm::SinOp>(x), node.unary<tm::CosOp>(x)));
}

static constexpr AtenRule kAtenActivationRules[] = {
    {"aten.abs", readUnary<tm::AbsOp>},
    {"aten.ceil", readUnary<tm::CeilOp>},
    {"aten.celu", readCelu},
    {"aten.clamp", readClamp},
    {"aten.clamp_max", readClamp},
    {"aten.clamp_min", readClamp},
    {"aten.clip", readClamp},
    {"aten.cos", readReal<tm::CosOp>},
    {"aten.elu", readElu},
    {"aten.erf", readReal<tm::ErfOp>},
    {"aten.exp", readReal<tm::ExpOp>},
    {"aten.exp2", readExp2},
    {"aten.expm1", readExpm1},
    {"aten.floor", readUnary<tm::FloorOp>},
    {"aten.gelu", readGelu},
    {"aten.hardsigmoid", readHardsigmoid},
    {"aten.hardswish", readHardswish},
    {"aten.hardtanh", readHardtanh},
    {"aten.leaky_relu", readLeakyRelu},
    {"aten.log", readReal<tm::LogOp>},
    {"aten.log10", readLog10},
    {"aten.log1p", readLog1p},
    {"aten.log2", readLog2},
    {"aten.mish", readMish},
    {"aten.neg", readUnary<tm::NegOp>},
    {"aten.prelu", readPrelu},
    {"aten._prelu_kernel", readPrelu},
    {"aten.reciprocal", readReal<tm::ReciprocalOp>},
    {"aten.relu", readUnary<tm::ReluOp>},
    {"aten.relu6", readRelu6},
    {"aten.round", readRound},
    {"aten.rsqrt", readRsqrt},
    {"aten.selu", readSelu},
    {"aten.sigmoid", readReal<tm::SigmoidOp>},
    {"aten.sign", readUnary<tm::SignOp>},
    {"aten.silu", readSilu},
    {"aten.sin", readReal<tm::SinOp>},
    {"aten.softplus", readSoftplus},
    {"aten.sqrt", readReal<tm::SqrtOp>},
    {"aten.square", readSquare},
    {"aten.tan", readTan},
    {"aten.tanh", readReal<tm::TanhOp>},
    {"aten.threshold", readThreshold},
    {"aten.trunc", readTrunc},
};

std::span<const AtenRule> atenActivationRules() { return kAtenActivationRules; }

} // namespace tilescope::model
