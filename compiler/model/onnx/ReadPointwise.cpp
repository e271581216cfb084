// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators that compute each element by itself.
#include "compiler/model/onnx/ElementTypes.h"
#include "compiler/model/onnx/OperatorRules.h"

using namespace mlir;

namespace tilescope::model {

template <typename Op> static bool readUnary(Node &node) {
  return node.expectOperands(1, 1) && node.finish(node.emit<Op>(node.type(0), node.operand(0)));
}

template <typename Op> static Value combined(Node &node, Value a, Value b) {
  if (!a || !b)
    return {};
  return node.emit<Op>(node.broadcast({a, b}, getElementTypeOrSelf(a)), a, b);
}

/// Of any number of operands.
template <typename Op> static bool readChain(Node &node) {
  if (node.numOperands() == 0 || !node.expectOperands(node.numOperands(), SIZE_MAX))
    return node.fail("it has no inputs");
  Value result = node.operand(0);
  for (size_t i = 1; i < node.numOperands(); ++i)
    result = combined<Op>(node, result, node.operand(i));
  return node.finish(result);
}

static bool readMean(Node &node) {
  if (node.numOperands() == 0 || !node.expectOperands(node.numOperands(), SIZE_MAX))
    return node.fail("it has no inputs");
  Value sum = node.operand(0);
  for (size_t i = 1; i < node.numOperands(); ++i)
    sum = combined<tm::AddOp>(node, sum, node.operand(i));
  return node.finish(
      combined<tm::DivOp>(node, sum, node.scalar(double(node.numOperands()), node.element(0))));
}

static bool readMod(Node &node) {
  if (!node.expectOperands(2, 2))
    return false;
  const bool isFmod = node.integer("fmod", 0) != 0;
  return node.finish(
      node.emit<tm::ModOp>(node.broadcast({node.operand(0), node.operand(1)}, node.element(0)),
                           node.operand(0), node.operand(1), isFmod));
}

static llvm::APFloat real(Node &node, const char *name, float otherwise) {
  return llvm::APFloat(node.real(name, otherwise));
}

static bool readElu(Node &node) {
  return node.expectOperands(1, 1) &&
         node.finish(node.emit<tm::EluOp>(node.type(0), node.operand(0), real(node, "alpha", 1)));
}
static bool readLeakyRelu(Node &node) {
  return node.expectOperands(1, 1) &&
         node.finish(
             node.emit<tm::LeakyReluOp>(node.type(0), node.operand(0), real(node, "alpha", 0.01f)));
}
static bool readGelu(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const std::string approximate = node.text("approximate", "none");
  if (approximate != "none" && approximate != "tanh")
    return node.fail("its attribute `approximate` is `" + approximate + "`");
  return node.finish(node.emit<tm::GeluOp>(node.type(0), node.operand(0), approximate == "tanh"));
}
static bool readHardSigmoid(Node &node) {
  return node.expectOperands(1, 1) &&
         node.finish(node.emit<tm::HardSigmoidOp>(
             node.type(0), node.operand(0), real(node, "alpha", 0.2f), real(node, "beta", 0.5f)));
}
/// x * hard_sigmoid(x) with 1/6 and 1/2
static bool readHardSwish(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const Value factor = node.emit<tm::HardSigmoidOp>(node.type(0), node.operand(0),
                                                    llvm::APFloat(1.0f / 6), llvm::APFloat(0.5f));
  return node.finish(node.emit<tm::MulOp>(node.type(0), node.operand(0), factor));
}
/// x * sigmoid(alpha * x)
static bool readSwish(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const float alpha = node.real("alpha", 1);
  Value scaled = node.operand(0);
  if (alpha != 1)
    scaled = combined<tm::MulOp>(node, scaled, node.scalar(alpha, node.element(0)));
  const Value factor = node.emit<tm::SigmoidOp>(node.type(0), scaled);
  return node.finish(node.emit<tm::MulOp>(node.type(0), node.operand(0), factor));
}
/// x * tanh(softplus(x))
static bool readMish(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const Value inner = node.emit<tm::SoftplusOp>(node.type(0), node.operand(0));
  const Value factor = node.emit<tm::TanhOp>(node.type(0), inner);
  return node.finish(node.emit<tm::MulOp>(node.type(0), node.operand(0), factor));
}
/// gamma * elu(x)
static bool readSelu(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const Value elu = node.emit<tm::EluOp>(node.type(0), node.operand(0),
                                         real(node, "alpha", 1.67326319217681884765625f));
  return node.finish(combined<tm::MulOp>(
      node, elu, node.scalar(node.real("gamma", 1.05070102214813232421875f), node.element(0))));
}
/// alpha * elu(x / alpha)
static bool readCelu(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const float alpha = node.real("alpha", 1);
  if (alpha == 0)
    return node.fail("its attribute `alpha` is 0");
  const Value factor = node.scalar(alpha, node.element(0));
  const Value scaled = combined<tm::DivOp>(node, node.operand(0), factor);
  if (!scaled)
    return false;
  const Value elu = node.emit<tm::EluOp>(node.type(0), scaled, llvm::APFloat(1.0f));
  return node.finish(combined<tm::MulOp>(node, factor, elu));
}
/// x / (1 + |x|)
static bool readSoftsign(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const Value size = node.emit<tm::AbsOp>(node.type(0), node.operand(0));
  return node.finish(combined<tm::DivOp>(
      node, node.operand(0), combined<tm::AddOp>(node, size, node.scalar(1, node.element(0)))));
}
/// where(alpha < x, x, 0)
static bool readThresholdedRelu(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const Value x = node.operand(0), alpha = node.scalar(node.real("alpha", 1), node.element(0));
  const Value isAbove = node.emit<tm::CompareOp>(
      node.tensorType(node.extents(0), node.builder().getI1Type()), tm::Comparison::Less, alpha, x);
  return node.finish(
      node.emit<tm::WhereOp>(node.type(0), isAbove, x, node.scalar(0, node.element(0))));
}

/// where(lambd < x, x - bias, where(x < -lambd, x + bias, 0))
static bool readShrink(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const Value x = node.operand(0), zero = node.scalar(0, node.element(0));
  const double lambd = node.real("lambd", 0.5F), bias = node.real("bias", 0);
  const RankedTensorType truth = node.tensorType(node.extents(0), node.builder().getI1Type());
  const Value above = combined<tm::SubOp>(node, x, node.scalar(bias, node.element(0))),
              below = combined<tm::AddOp>(node, x, node.scalar(bias, node.element(0)));
  if (!above || !below)
    return false;
  const Value isAbove = node.emit<tm::CompareOp>(truth, tm::Comparison::Less,
                                                 node.scalar(lambd, node.element(0)), x),
              isBelow = node.emit<tm::CompareOp>(truth, tm::Comparison::Less, x,
                                                 node.scalar(-lambd, node.element(0)));
  const Value rest = node.emit<tm::WhereOp>(node.type(0), isBelow, below, zero);
  return node.finish(node.emit<tm::WhereOp>(node.type(0), isAbove, above, rest));
}

/// Before version 7 there is one slope, or one for each channel.
static Value slopesOf(Node &node) {
  const Value slopes = node.operand(1);
  const int64_t rank = node.type(0).getRank();
  if (node.version() >= 7 || node.type(1).getRank() != 1 || rank < 3)
    return slopes;
  tm::ExtentList aligned = node.extents(1);
  aligned.append(size_t(rank) - 2, node.number(1));
  return node.emit<tm::ReshapeOp>(node.tensorType(aligned, node.element(1)), slopes, Value());
}

/// where(x < 0, slope * x, x)
static bool readPRelu(Node &node) {
  if (!node.expectOperands(2, 2))
    return false;
  const Value x = node.operand(0), zero = node.scalar(0, node.element(0));
  const Value scaled = combined<tm::MulOp>(node, x, slopesOf(node));
  if (!scaled)
    return false;
  if (scaled.getType() != x.getType())
    return node.fail("the slopes do not go together with the input");
  const Value isBelow = node.emit<tm::CompareOp>(
      node.tensorType(node.extents(0), node.builder().getI1Type()), tm::Comparison::Less, x, zero);
  return node.finish(node.emit<tm::WhereOp>(node.type(0), isBelow, scaled, x));
}

/// Bounds are attributes before version 11.
static bool readClip(Node &node) {
  if (!node.expectOperands(1, 3))
    return false;
  Value result = node.operand(0);
  Value lower = node.operand(1), upper = node.operand(2);
  if (node.version() < 11) {
    lower = node.has("min") ? node.scalar(node.real("min", 0), node.element(0)) : Value();
    upper = node.has("max") ? node.scalar(node.real("max", 0), node.element(0)) : Value();
  }
  if (lower)
    result = combined<tm::MaxOp>(node, result, lower);
  if (upper)
    result = combined<tm::MinOp>(node, result, upper);
  return node.finish(result);
}

/// Whether numbers beyond those of a type of 8 bits become its largest ones, the only way that kernels have.
static bool saturates(Node &node, Type element) {
  return !isa<FloatType>(element) || element.getIntOrFloatBitWidth() > 8 ||
         node.integer("saturate", 1) != 0 ||
         node.fail("its attribute `saturate` is 0, which is not supported");
}

static bool readCast(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const auto to = int32_t(node.integer("to", 0));
  const Type element = elementType(node.context(), to);
  if (!element)
    return node.fail("it casts to " + dataTypeName(to) + ", which is not supported");
  if (!saturates(node, element))
    return false;
  if (element == node.element(0))
    return node.finish(node.operand(0));
  return node.finish(
      node.emit<tm::CastOp>(node.tensorType(node.extents(0), element), node.operand(0)));
}

static bool readCastLike(Node &node) {
  if (!node.expectOperands(2, 2))
    return false;
  if (node.element(0) == node.element(1))
    return node.finish(node.operand(0));
  return saturates(node, node.element(1)) &&
         node.finish(node.emit<tm::CastOp>(node.tensorType(node.extents(0), node.element(1)),
                                           node.operand(0)));
}

static bool readIdentity(Node &node) {
  return node.expectOperands(1, 1) && node.finish(node.operand(0));
}

static constexpr OperatorRule kPointwiseRules[] = {
    {"Abs", readUnary<tm::AbsOp>},
    {"Add", readBinary<tm::AddOp>},
    {"Cast", readCast},
    {"CastLike", readCastLike},
    {"Ceil", readUnary<tm::CeilOp>},
    {"Celu", readCelu},
    {"Clip", readClip},
    {"Cos", readUnary<tm::CosOp>},
    {"Div", readBinary<tm::DivOp>},
    {"Elu", readElu},
    {"Erf", readUnary<tm::ErfOp>},
    {"Exp", readUnary<tm::ExpOp>},
    {"Floor", readUnary<tm::FloorOp>},
    {"Gelu", readGelu},
    {"HardSigmoid", readHardSigmoid},
    {"HardSwish", readHardSwish},
    {"Identity", readIdentity},
    {"LeakyRelu", readLeakyRelu},
    {"Log", readUnary<tm::LogOp>},
    {"Max", readChain<tm::MaxOp>},
    {"Mean", readMean},
    {"Min", readChain<tm::MinOp>},
    {"Mish", readMish},
    {"Mod", readMod},
    {"Mul", readBinary<tm::MulOp>},
    {"Neg", readUnary<tm::NegOp>},
    {"PRelu", readPRelu},
    {"Pow", readBinary<tm::PowOp>},
    {"Reciprocal", readUnary<tm::ReciprocalOp>},
    {"Relu", readUnary<tm::ReluOp>},
    {"Round", readUnary<tm::RoundOp>},
    {"Selu", readSelu},
    {"Shrink", readShrink},
    {"Sigmoid", readUnary<tm::SigmoidOp>},
    {"Sign", readUnary<tm::SignOp>},
    {"Sin", readUnary<tm::SinOp>},
    {"Softplus", readUnary<tm::SoftplusOp>},
    {"Softsign", readSoftsign},
    {"Sqrt", readUnary<tm::SqrtOp>},
    {"Sub", readBinary<tm::SubOp>},
    {"Sum", readChain<tm::AddOp>},
    {"Swish", readSwish},
    {"Tanh", readUnary<tm::TanhOp>},
    {"ThresholdedRelu", readThresholdedRelu},
};

std::span<const OperatorRule> pointwiseRules() { return kPointwiseRules; }

} // namespace tilescope::model
