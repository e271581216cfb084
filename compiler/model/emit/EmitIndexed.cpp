// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Kernels whose elements come from places that are computed one by one: indices, pads, triangles.
#include "compiler/dialects/tm/ir/Extents.h"
#include "compiler/model/emit/Anchor.h"

using namespace mlir;

namespace tilescope::model {

Anchor elementAnchor(const std::string &name, Value result) {
  Anchor anchor;
  anchor.shape = tensorType(result).getShape().vec();
  anchor.kernel.name = name;
  anchor.kernel.body = kElementLines;
  placeElements(anchor, result);
  return anchor;
}

static std::optional<Anchor> emitTrilu(tm::TriluOp op) {
  const ArrayRef<int64_t> shape = tensorType(op.getResult()).getShape();
  if (shape.size() < 2)
    return std::nullopt;
  Anchor anchor =
      elementAnchor(op.getUpper() ? "upper_triangle" : "lower_triangle", op.getResult());
  EmittedKernel &kernel = anchor.kernel;
  kernel.read("x_ptr", op.getOperand());
  if (op.getDiagonal())
    kernel.read("diagonal_ptr", op.getDiagonal());
  kernel.number("rows", shape.end()[-2]);
  kernel.number("columns", shape.back());
  kernel.body +=
      std::string("    x = tl.load(x_ptr + at, mask=mask)\n") +
      "    diagonal = " + (op.getDiagonal() ? "tl.load(diagonal_ptr)" : "0") +
      "\n    distance = at % columns - at // columns % rows\n    x = tl.where(distance " +
      (op.getUpper() ? ">=" : "<=") + " diagonal, x, 0)\n";
  return anchor;
}

/// Indices from the end are counted from there; those outside load nothing.
static constexpr const char *kWrapped = "    index = tl.where(index < 0, index + extent, index)\n"
                                        "    inside = mask & (index >= 0) & (index < extent)\n";

static std::optional<Anchor> emitGatherElements(tm::GatherElementsOp op) {
  const ArrayRef<int64_t> shape = tensorType(op.getOperand()).getShape();
  const auto axis = size_t(op.getAxis());
  Anchor anchor = elementAnchor("gather_elements", op.getResult());
  EmittedKernel &kernel = anchor.kernel;
  kernel.read("x_ptr", op.getOperand());
  kernel.read("index_ptr", op.getIndices());
  kernel.tensors.back().limit = shape[axis];
  IndexMap map{tensorType(op.getIndices()).getShape().vec(), rowStrides(shape), 0};
  kernel.number("extent", shape[axis]);
  kernel.number("stride", map.strides[axis]);
  map.strides[axis] = 0;
  const std::string rest = map.text("x", kernel);
  kernel.body += std::string("    index = tl.load(index_ptr + at, mask=mask)\n") + kWrapped +
                 "    x = tl.load(x_ptr + " + (rest.empty() ? "" : rest + " + ") +
                 "index * stride, mask=inside)\n";
  return anchor;
}

static std::optional<Anchor> emitGatherNd(tm::GatherNdOp op) {
  const ArrayRef<int64_t> shape = tensorType(op.getOperand()).getShape();
  const ArrayRef<int64_t> indices = tensorType(op.getIndices()).getShape();
  const auto batchAxes = size_t(op.getBatchAxes()), depth = size_t(indices.back());
  const ArrayRef<int64_t> indexed = shape.slice(batchAxes, depth);
  Anchor anchor = elementAnchor("gather_nd", op.getResult());
  EmittedKernel &kernel = anchor.kernel;
  kernel.read("x_ptr", op.getOperand());
  kernel.read("index_ptr", op.getIndices());
  kernel.tensors.back().limit = depth == 0 ? 1 : *llvm::min_element(indexed);
  kernel.number("inner", llvm::product_of(shape.drop_front(batchAxes + depth)));
  kernel.number("rows", llvm::product_of(indices.slice(batchAxes, indices.size() - 1 - batchAxes)));
  kernel.number("depth", int64_t(depth));
  kernel.body += "    which = at // inner\n    inside = mask\n    place = which // rows\n";
  for (const auto &[i, extent] : llvm::enumerate(indexed)) {
    const std::string name = "extent" + std::to_string(i);
    kernel.number(name, extent);
    kernel.body += "    index = tl.load(index_ptr + which * depth + " + std::to_string(i) +
                   ", mask=mask)\n    index = tl.where(index < 0, index + " + name +
                   ", index)\n    inside = inside & (index >= 0) & (index < " + name +
                   ")\n    place = place * " + name + " + index\n";
  }
  kernel.body += "    x = tl.load(x_ptr + place * inner + at % inner, mask=inside)\n";
  return anchor;
}

/// Where the element of an axis comes from, and, of constant pads, whether it is inside.
static std::string paddedText(tm::PadMode mode, const std::string &at, const std::string &extent) {
  switch (mode) {
  case tm::PadMode::Constant:
    return "    inside = inside & (" + at + " >= 0) & (" + at + " < " + extent + ")\n";
  case tm::PadMode::Edge:
    return "    " + at + " = tl.minimum(tl.maximum(" + at + ", 0), " + extent + " - 1)\n";
  case tm::PadMode::Wrap:
    return "    " + at + " = (" + at + " % " + extent + " + " + extent + ") % " + extent + "\n";
  case tm::PadMode::Reflect:
    break;
  }
  const std::string period = "tl.maximum(2 * " + extent + " - 2, 1)";
  return "    " + at + " = (" + at + " % " + period + " + " + period + ") % " + period + "\n    " +
         at + " = " + extent + " - 1 - tl.abs(" + extent + " - 1 - " + at + ")\n";
}

/// The strides of an operand's axes, in a tensor that it is transposed from where the group does that.
static std::vector<int64_t> takeTransposed(Value &operand, const Group &group) {
  const std::vector<int64_t> own = rowStrides(tensorType(operand).getShape());
  auto transpose = operand.getDefiningOp<tm::TransposeOp>();
  if (!transpose || !group.contains(transpose))
    return own;
  operand = transpose.getOperand();
  const std::vector<int64_t> before = rowStrides(tensorType(operand).getShape());
  std::vector<int64_t> strides;
  for (const int64_t axis : transpose.getOrder())
    strides.push_back(before[size_t(axis)]);
  return strides;
}

std::optional<Anchor> emitPad(Operation *operation, const Group &group) {
  auto op = dyn_cast<tm::PadOp>(operation);
  if (!op)
    return std::nullopt;
  const ArrayRef<int64_t> from = tensorType(op.getOperand()).getShape();
  const ArrayRef<int64_t> to = tensorType(op.getResult()).getShape();
  if (!op.getPads() || tensorType(op.getOperand()).getNumElements() == 0)
    return std::nullopt;
  const bool isConstant = op.getMode() == tm::PadMode::Constant;
  Anchor anchor = elementAnchor("pad_" + stringifyPadMode(op.getMode()).str(), op.getResult());
  EmittedKernel &kernel = anchor.kernel;
  Value operand = op.getOperand();
  const std::vector<int64_t> inner = rowStrides(to), strides = takeTransposed(operand, group);
  kernel.read("x_ptr", operand);
  if (isConstant && op.getValue())
    kernel.read("value_ptr", op.getValue());
  IndexMap kept{to.vec(), strides, 0};
  std::string place;
  kernel.body += "    inside = mask\n";
  for (size_t axis = 0; axis < to.size(); ++axis) {
    const auto begin = tm::numberOf(op.getPads()->getValues()[axis]);
    if (!begin)
      return std::nullopt;
    if (*begin == 0 && from[axis] == to[axis])
      continue;
    kept.strides[axis] = 0;
    const std::string number = std::to_string(axis), at = "place" + number;
    kernel.number("inner" + number, inner[axis]);
    kernel.number("padded" + number, to[axis]);
    kernel.number("begin" + number, *begin);
    kernel.number("extent" + number, from[axis]);
    kernel.number("stride" + number, strides[axis]);
    kernel.body += "    " + at + " = at // inner" + number + " % padded" + number + " - begin" +
                   number + "\n" + paddedText(op.getMode(), at, "extent" + number);
    place += (place.empty() ? "" : " + ") + at + " * stride" + number;
  }
  const std::string rest = kept.text("x", kernel);
  const std::string full = rest.empty() || place.empty() ? rest + place : rest + " + " + place;
  kernel.body += "    x = tl.load(x_ptr + " + (full.empty() ? "at * 0" : full) + ", mask=inside)\n";
  if (isConstant)
    kernel.body += std::string("    x = tl.where(inside, x, ") +
                   (op.getValue() ? "tl.load(value_ptr)" : "0") + ")\n";
  // Of elements of two bytes, a thread of a larger block has as many bytes under way as of those of four.
  if (tensorType(operand).getElementTypeBitWidth() <= 16 && bytesMoved(kernel) >= kLargeLaunch / 2)
    kernel.constexprs = {{"BLOCK", 2048}};
  return anchor;
}

std::optional<Anchor> emitIndexed(Operation *operation) {
  if (auto op = dyn_cast<tm::TriluOp>(operation))
    return emitTrilu(op);
  if (auto op = dyn_cast<tm::GatherElementsOp>(operation))
    return emitGatherElements(op);
  if (auto op = dyn_cast<tm::GatherNdOp>(operation))
    return emitGatherNd(op);
  return std::nullopt;
}

} // namespace tilescope::model
