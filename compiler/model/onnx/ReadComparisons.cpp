// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators whose results are truth values or bits, and the choice by them.
#include "compiler/model/onnx/OperatorRules.h"

using namespace mlir;

namespace tilescope::model {

template <tm::Comparison predicate> static bool readComparison(Node &node) {
  if (!node.expectOperands(2, 2))
    return false;
  const Value second = node.secondOperand();
  return second && node.finish(node.emit<tm::CompareOp>(
                       node.broadcast({node.operand(0), second}, node.builder().getI1Type()),
                       predicate, node.operand(0), second));
}

static bool readNot(Node &node) {
  return node.expectOperands(1, 1) &&
         node.finish(node.emit<tm::NotOp>(node.type(0), node.operand(0)));
}

/// x ^ all bits
static bool readBitwiseNot(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  return node.finish(
      node.emit<tm::XorOp>(node.type(0), node.operand(0), node.scalar(-1, node.element(0))));
}

static bool readBitShift(Node &node) {
  if (!node.expectOperands(2, 2))
    return false;
  const std::string direction = node.text("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    return node.fail("its direction `" + direction + "` is neither `LEFT` nor `RIGHT`");
  return node.finish(
      node.emit<tm::ShiftOp>(node.broadcast({node.operand(0), node.operand(1)}, node.element(0)),
                             node.operand(0), node.operand(1), direction == "RIGHT"));
}

/// Either sign by default.
static bool readIsInf(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const bool takesPositive = node.integer("detect_positive", 1) != 0,
             takesNegative = node.integer("detect_negative", 1) != 0;
  const double infinity = std::numeric_limits<double>::infinity();
  Value x = node.operand(0);
  if (takesPositive && takesNegative)
    x = node.emit<tm::AbsOp>(node.type(0), x);
  else if (!takesPositive && !takesNegative)
    return node.fail("it looks for no infinity: that is not supported");
  return node.finish(node.emit<tm::CompareOp>(
      node.tensorType(node.extents(0), node.builder().getI1Type()), tm::Comparison::Equal, x,
      node.scalar(takesPositive ? infinity : -infinity, node.element(0))));
}

static bool readIsNan(Node &node) {
  return node.expectOperands(1, 1) &&
         node.finish(node.emit<tm::IsNanOp>(
             node.tensorType(node.extents(0), node.builder().getI1Type()), node.operand(0)));
}

static bool readWhere(Node &node) {
  if (!node.expectOperands(3, 3))
    return false;
  const RankedTensorType type =
      node.broadcast({node.operand(0), node.operand(1), node.operand(2)}, node.element(1));
  return node.finish(
      node.emit<tm::WhereOp>(type, node.operand(0), node.operand(1), node.operand(2)));
}

static constexpr OperatorRule kComparisonRules[] = {
    {"And", readBinary<tm::AndOp>},
    {"BitShift", readBitShift},
    {"BitwiseAnd", readBinary<tm::AndOp>},
    {"BitwiseNot", readBitwiseNot},
    {"BitwiseOr", readBinary<tm::OrOp>},
    {"BitwiseXor", readBinary<tm::XorOp>},
    {"Equal", readComparison<tm::Comparison::Equal>},
    {"Greater", readComparison<tm::Comparison::Greater>},
    {"GreaterOrEqual", readComparison<tm::Comparison::GreaterEqual>},
    {"IsInf", readIsInf},
    {"IsNaN", readIsNan},
    {"Less", readComparison<tm::Comparison::Less>},
    {"LessOrEqual", readComparison<tm::Comparison::LessEqual>},
    {"Not", readNot},
    {"Or", readBinary<tm::OrOp>},
    {"Where", readWhere},
    {"Xor", readBinary<tm::XorOp>},
};

std::span<const OperatorRule> comparisonRules() { return kComparisonRules; }

} // namespace tilescope::model
