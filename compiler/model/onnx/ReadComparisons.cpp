// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators whose results are truth values, and the choice by them.
#include "compiler/model/onnx/OperatorRules.h"

using namespace mlir;

namespace tilescope::model {

template <tm::Comparison predicate> static bool readComparison(Node &node) {
  if (!node.expectOperands(2, 2))
    return false;
  const RankedTensorType type =
      node.broadcast({node.operand(0), node.operand(1)}, node.builder().getI1Type());
  return node.finish(node.emit<tm::CompareOp>(type, predicate, node.operand(0), node.operand(1)));
}

template <typename Op> static bool readLogic(Node &node) {
  if (!node.expectOperands(2, 2))
    return false;
  return node.finish(
      node.emit<Op>(node.broadcast({node.operand(0), node.operand(1)}, node.element(0)),
                    node.operand(0), node.operand(1)));
}

static bool readNot(Node &node) {
  return node.expectOperands(1, 1) &&
         node.finish(node.emit<tm::NotOp>(node.type(0), node.operand(0)));
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

static constexpr OperatorRule kRules[] = {
    {"And", readLogic<tm::AndOp>},
    {"Equal", readComparison<tm::Comparison::Equal>},
    {"Greater", readComparison<tm::Comparison::Greater>},
    {"GreaterOrEqual", readComparison<tm::Comparison::GreaterEqual>},
    {"IsNaN", readIsNan},
    {"Less", readComparison<tm::Comparison::Less>},
    {"LessOrEqual", readComparison<tm::Comparison::LessEqual>},
    {"Not", readNot},
    {"Or", readLogic<tm::OrOp>},
    {"Where", readWhere},
    {"Xor", readLogic<tm::XorOp>},
};

std::span<const OperatorRule> comparisonRules() { return kRules; }

} // namespace tilescope::model
