// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators that make tensors of a few numbers.
#include "compiler/model/import/ResultExtents.h"
#include "compiler/model/torch_export/AtenRules.h"

using namespace mlir;

namespace tilescope::model {

/// The element type of the result, and its extents: its own or those of the first operand.
static std::pair<Type, tm::ExtentList> filledAs(AtenNode &node, bool likeFirst) {
  Type element = node.elementOfTensor("self");
  tm::ExtentList extents;
  if (likeFirst) {
    if (const Value like = node.first())
      extents = AtenNode::extentsOf(like);
  } else if (const auto told = node.sizes("size")) {
    extents.assign(told->begin(), told->end());
  }
  return {node.resultElement(element ? element : node.builder().getF32Type()), extents};
}

/// `zeros`, `new_zeros` and `zeros_like`; nothing tells what `empty` holds.
template <int value, bool likeFirst> static bool readFill(AtenNode &node) {
  const auto [element, extents] = filledAs(node, likeFirst);
  return !node.failed() && node.finish(node.filled(value, extents, element));
}
template <bool likeFirst> static bool readFull(AtenNode &node) {
  const auto [element, extents] = filledAs(node, likeFirst);
  return !node.failed() && node.finish(node.filled(node.operand("fill_value", element), extents));
}

/// In place: the first operand's extents and type, and one number everywhere.
static bool readFillInPlace(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  const Value value = node.operand("value", AtenNode::elementOf(x));
  return node.finish(node.expanded(value, AtenNode::extentsOf(x)));
}
static bool readZero(AtenNode &node) {
  const Value x = node.first();
  return x && node.finish(node.filled(0, AtenNode::extentsOf(x), AtenNode::elementOf(x)));
}

static bool readScalarTensor(AtenNode &node) {
  return node.finish(node.operand("s", node.resultElement(node.builder().getF32Type())));
}

/// start, start + step, … before the end, in the type of the result.
static bool readArange(AtenNode &node) {
  const Type element = node.resultElement(node.builder().getI64Type());
  const auto bound = [&](const char *name, double otherwise) {
    return node.has(name) ? node.operand(name, element) : node.scalar(otherwise, element);
  };
  const Value start = bound("start", 0), end = bound("end", 0), step = bound("step", 1);
  if (node.failed())
    return false;
  const Known *a = node.known(start), *b = node.known(end), *c = node.known(step);
  if (!a || !b || !c)
    return node.fail("its bounds are known only when the model runs");
  const auto extent = rangeExtent(node, a->front(), b->front(), c->front());
  return extent &&
         node.finish(node.emit<tm::RangeOp>(node.tensorType({*extent}, element), start, end, step));
}

static constexpr AtenRule kAtenSourceRules[] = {
    {"aten.arange", readArange},
    {"aten.empty", readFill<0, false>},
    {"aten.empty_like", readFill<0, true>},
    {"aten.fill", readFillInPlace},
    {"aten.full", readFull<false>},
    {"aten.full_like", readFull<true>},
    {"aten.new_empty", readFill<0, false>},
    {"aten.new_full", readFull<false>},
    {"aten.new_ones", readFill<1, false>},
    {"aten.new_zeros", readFill<0, false>},
    {"aten.ones", readFill<1, false>},
    {"aten.ones_like", readFill<1, true>},
    {"aten.scalar_tensor", readScalarTensor},
    {"aten.zero", readZero},
    {"aten.zeros", readFill<0, false>},
    {"aten.zeros_like", readFill<0, true>},
};

std::span<const AtenRule> atenSourceRules() { return kAtenSourceRules; }

} // namespace tilescope::model
