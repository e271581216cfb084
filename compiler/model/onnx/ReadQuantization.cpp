// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/onnx/ElementTypes.h"
#include "compiler/model/onnx/OperatorRules.h"

#include "onnx.pb.h"

using namespace mlir;

namespace tilescope::model {

/// The type that an attribute names; null, and a fault, where it is not supported.
static Type toldType(Node &node, Type otherwise) {
  const auto told = int32_t(node.integer("output_dtype", 0));
  const Type type = told == 0 ? otherwise : elementType(node.context(), told);
  if (!type)
    node.fail("it makes elements of type " + dataTypeName(told) + ", which is not supported");
  return type;
}

template <typename Op> static bool readScaled(Node &node, Type element) {
  if (!element)
    return false;
  const int64_t rank = node.type(0).getRank();
  // One scale for all needs no axis.
  int64_t axis = node.integer("axis", 1);
  if (node.type(1).getRank() > 0)
    axis = node.axis(axis, std::max(rank, int64_t{1}));
  const int64_t block = node.integer("block_size", 0);
  return node.finish(node.emit<Op>(node.tensorType(node.extents(0), element), node.operand(0),
                                   node.operand(1), node.operand(2), axis, block));
}

static bool readQuantize(Node &node) {
  if (!node.expectOperands(2, 3))
    return false;
  const Type usual =
      node.operand(2) ? node.element(2) : elementType(node.context(), onnx::TensorProto::UINT8);
  return readScaled<tm::QuantizeOp>(node, toldType(node, usual));
}

static bool readDequantize(Node &node) {
  return node.expectOperands(2, 3) &&
         readScaled<tm::DequantizeOp>(node, toldType(node, node.element(1)));
}

static constexpr OperatorRule kQuantizationRules[] = {{"DequantizeLinear", readDequantize},
                                                      {"QuantizeLinear", readQuantize}};

std::span<const OperatorRule> quantizationRules() { return kQuantizationRules; }

} // namespace tilescope::model
