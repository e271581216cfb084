// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators that make tensors of nothing or of a few numbers.
#include "compiler/model/import/ResultExtents.h"
#include "compiler/model/onnx/GraphReader.h"
#include "compiler/model/onnx/OperatorRules.h"
#include "compiler/model/onnx/TensorData.h"

using namespace mlir;

namespace tilescope::model {

static Value constant(Node &node, DenseElementsAttr elements) {
  return node.emit<tm::ConstantOp>(cast<RankedTensorType>(elements.getType()),
                                   cast<ElementsAttr>(elements));
}

template <typename Element>
static Value constant(Node &node, Type type, ArrayRef<Element> values, bool isVector) {
  SmallVector<int64_t> shape;
  if (isVector)
    shape.push_back(int64_t(values.size()));
  return constant(node, DenseElementsAttr::get(RankedTensorType::get(shape, type), values));
}

static bool readConstant(Node &node) {
  if (const onnx::TensorProto *tensor = node.tensor("value")) {
    const Value value = node.graph().read(*tensor, &node.proto());
    return value && node.finish(value);
  }
  Builder &builder = node.builder();
  if (node.has("value_float"))
    return node.finish(
        constant<float>(node, builder.getF32Type(), {node.real("value_float", 0)}, false));
  if (node.has("value_int"))
    return node.finish(
        constant<int64_t>(node, builder.getI64Type(), {node.integer("value_int", 0)}, false));
  if (const auto values = node.reals("value_floats"))
    return node.finish(constant<float>(node, builder.getF32Type(), ArrayRef(*values), true));
  if (const auto values = node.integers("value_ints"))
    return node.finish(constant<int64_t>(node, builder.getI64Type(), ArrayRef(*values), true));
  return node.fail("its value is not a tensor of numbers");
}

static bool readConstantOfShape(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  TypedAttr value = node.builder().getF32FloatAttr(0);
  if (const onnx::TensorProto *tensor = node.tensor("value")) {
    const Result<ReadTensor> read = readTensor(node.context(), *tensor, node.graph().files());
    if (!read || !read->elements || read->type.getNumElements() != 1)
      return node.fail(read ? "its value is not one element" : read.error().message);
    value = cast<TypedAttr>(*cast<DenseElementsAttr>(read->elements).value_begin<Attribute>());
  }
  const auto sizes = node.knownSizes(0);
  const RankedTensorType shape = node.type(0);
  if (!sizes && (shape.getRank() != 1 || !shape.hasStaticShape() || shape.getDimSize(0) > 64))
    return node.fail("how many axes its result has is known only when the model runs");
  tm::ExtentList extents;
  for (size_t axis = 0, rank = sizes ? sizes->size() : size_t(shape.getDimSize(0)); axis < rank;
       ++axis)
    extents.push_back(sizes ? (*sizes)[axis] : node.unknownExtent(axis));
  const RankedTensorType type = node.tensorType(extents, value.getType());
  if (!type)
    return false;
  // A small one may be what shapes are computed from.
  if (type.hasStaticShape() && type.getNumElements() <= kMostKnown)
    return node.finish(constant(node, DenseElementsAttr::get(type, Attribute(value))));
  return node.finish(node.emit<tm::FillOp>(type, value, sizes ? Value() : node.operand(0)));
}

static bool readRange(Node &node) {
  if (!node.expectOperands(3, 3))
    return false;
  const Known *start = node.known(0), *limit = node.known(1), *step = node.known(2);
  std::optional<tm::Extent> size = node.unknownExtent(0);
  if (start && limit && step && start->size() == 1 && limit->size() == 1 && step->size() == 1)
    size = rangeExtent(node, start->front(), limit->front(), step->front());
  if (!size)
    return false;
  return node.finish(node.emit<tm::RangeOp>(node.tensorType({*size}, node.element(0)),
                                            node.operand(0), node.operand(1), node.operand(2)));
}

/// Nothing is dropped when a model is used; the mask is that of everything.
static bool readDropout(Node &node) {
  if (!node.expectOperands(1, 3))
    return false;
  SmallVector<Value> results{node.operand(0)};
  const Known *training = node.known(2);
  if (node.operand(2) && !(training && training->size() == 1 && training->front().value() == 0.0))
    return node.fail("its training form is not supported");
  if (node.proto().output_size() > 1)
    results.push_back(
        node.emit<tm::FillOp>(node.tensorType(node.extents(0), node.builder().getI1Type()),
                              TypedAttr(node.builder().getBoolAttr(true)), Value()));
  return node.finish(results);
}

static constexpr OperatorRule kSourceRules[] = {{"Constant", readConstant},
                                                {"ConstantOfShape", readConstantOfShape},
                                                {"Dropout", readDropout},
                                                {"Range", readRange}};

std::span<const OperatorRule> sourceRules() { return kSourceRules; }

} // namespace tilescope::model
