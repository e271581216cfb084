// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators whose results are truth values or bits, and the choice by them.
#include "compiler/model/torch_export/AtenRules.h"
#include "compiler/model/torch_export/ScalarTypes.h"

#include <limits>

using namespace mlir;

namespace tilescope::model {

/// The type in which the first operand and the argument are compared.
static Type commonType(AtenNode &node, Value a, const char *other) {
  const Type element = AtenNode::elementOf(a);
  if (const Type second = node.elementOfTensor(other))
    return promotedType(element, second);
  if (node.isReal(other) && !isa<FloatType>(element))
    return node.builder().getF32Type();
  return element.isInteger(1) ? Type(node.builder().getI64Type()) : element;
}

template <tm::Comparison predicate, bool isNegated> static bool readCompare(AtenNode &node) {
  const Value a = node.first();
  const Type element = a ? commonType(node, a, "other") : Type();
  if (!element)
    return false;
  const Value result =
      node.compare(predicate, node.cast(a, element), node.operand("other", element));
  return node.finish(isNegated ? node.unary<tm::NotOp>(result) : result);
}

template <typename Op> static bool readLogic(AtenNode &node) {
  const Type truth = node.builder().getI1Type();
  return node.finish(node.binary<Op>(node.cast(node.first(), truth), node.operand("other", truth)));
}
static bool readLogicalNot(AtenNode &node) {
  return node.finish(node.unary<tm::NotOp>(node.cast(node.first(), node.builder().getI1Type())));
}

template <typename Op> static bool readBits(AtenNode &node) {
  const Value a = node.first();
  const Type element = a ? node.resultElement(AtenNode::elementOf(a)) : Type();
  return a && node.finish(node.binary<Op>(node.cast(a, element), node.operand("other", element)));
}
static bool readBitsNot(AtenNode &node) {
  const Value a = node.first();
  if (a && !AtenNode::elementOf(a).isInteger(1))
    return node.finish(node.binary<tm::XorOp>(a, node.scalar(-1, AtenNode::elementOf(a))));
  return node.finish(node.unary<tm::NotOp>(a));
}

static Value isNan(AtenNode &node, Value x) {
  if (!x)
    return {};
  const RankedTensorType type = node.tensorType(AtenNode::extentsOf(x), node.builder().getI1Type());
  if (!isa<FloatType>(AtenNode::elementOf(x)))
    return node.filled(0, AtenNode::extentsOf(x), node.builder().getI1Type());
  return node.emit<tm::IsNanOp>(type, x);
}
static bool readIsNan(AtenNode &node) { return node.finish(isNan(node, node.first())); }
static bool readIsInf(AtenNode &node) {
  const Value x = node.first();
  if (!x || !isa<FloatType>(AtenNode::elementOf(x)))
    return node.fail("its operand has no infinities");
  const Value infinity =
      node.scalar(std::numeric_limits<double>::infinity(), AtenNode::elementOf(x));
  return node.finish(node.compare(tm::Comparison::Equal, node.unary<tm::AbsOp>(x), infinity));
}

static bool readWhere(AtenNode &node) {
  const Value condition = node.cast(node.tensor("condition"), node.builder().getI1Type());
  const Type element = node.resultElement(node.builder().getF32Type());
  return node.finish(
      node.where(condition, node.operand("self", element), node.operand("other", element)));
}
static bool readMaskedFill(AtenNode &node) {
  const Value x = node.first(), mask = node.cast(node.tensor("mask"), node.builder().getI1Type());
  if (!x)
    return false;
  return node.finish(node.where(mask, node.operand("value", AtenNode::elementOf(x)), x));
}

using enum tm::Comparison;
static constexpr AtenRule kAtenComparisonRules[] = {
    {"aten.__and__", readBits<tm::AndOp>},
    {"aten.__or__", readBits<tm::OrOp>},
    {"aten.__xor__", readBits<tm::XorOp>},
    {"aten.bitwise_and", readBits<tm::AndOp>},
    {"aten.bitwise_not", readBitsNot},
    {"aten.bitwise_or", readBits<tm::OrOp>},
    {"aten.bitwise_xor", readBits<tm::XorOp>},
    {"aten.eq", readCompare<Equal, false>},
    {"aten.ge", readCompare<GreaterEqual, false>},
    {"aten.gt", readCompare<Greater, false>},
    {"aten.isinf", readIsInf},
    {"aten.isnan", readIsNan},
    {"aten.le", readCompare<LessEqual, false>},
    {"aten.logical_and", readLogic<tm::AndOp>},
    {"aten.logical_not", readLogicalNot},
    {"aten.logical_or", readLogic<tm::OrOp>},
    {"aten.logical_xor", readLogic<tm::XorOp>},
    {"aten.lt", readCompare<Less, false>},
    {"aten.masked_fill", readMaskedFill},
    {"aten.ne", readCompare<Equal, true>},
    {"aten.where", readWhere},
};

std::span<const AtenRule> atenComparisonRules() { return kAtenComparisonRules; }

} // namespace tilescope::model
