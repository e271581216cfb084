// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Kernels that put tensors behind each other, and that take slices at indices.
#include "compiler/model/emit/Anchor.h"

using namespace mlir;

namespace tilescope::model {

void placeElements(Anchor &anchor, Value result) {
  anchor.result = result;
  anchor.value = "x";
  anchor.place = "at";
  anchor.mask = "mask";
  anchor.isOfResultType = true;
  anchor.kernel.walkElements(tensorType(result).getNumElements());
}

static std::optional<Anchor> emitConcat(tm::ConcatOp op) {
  static constexpr unsigned kMostOperands = 16;
  const RankedTensorType type = tensorType(op.getResult());
  const int64_t axis = int64_t(op.getAxis());
  const auto view = viewAround(type.getShape(), {axis});
  std::vector<Value> operands;
  for (const Value operand : op.getOperands())
    if (tensorType(operand).getNumElements() != 0)
      operands.push_back(operand);
  if (!view || operands.empty() || operands.size() > kMostOperands)
    return std::nullopt;
  Anchor anchor;
  EmittedKernel &kernel = anchor.kernel;
  kernel.name = "concat_" + std::to_string(operands.size());
  std::string body = std::string(kElementLines) + "    place = at // inner % extent\n"
                                                  "    before = at // (inner * extent)\n"
                                                  "    rest = at % inner\n"
                                                  "    begin = 0\n";
  std::string names;
  for (const auto &[i, operand] : llvm::enumerate(operands)) {
    const std::string name = "x" + std::to_string(i);
    const auto own = viewAround(tensorType(operand).getShape(), {axis});
    kernel.read(name + "_ptr", operand, {own->outer, own->extent, own->inner});
    kernel.number(name + "_extent", own->extent);
    names += name + "_ptr, ";
    const std::string load = "tl.load(" + name + "_ptr + (before * " + name +
                             "_extent + place - begin) * inner + rest, mask=mask & inside)";
    body += "    inside = (place >= begin) & (place < begin + " + name +
            "_extent)\n    x = " + (i == 0 ? load : "tl.where(inside, " + load + ", x)") +
            "\n    begin += " + name + "_extent\n";
  }
  anchor.shape = {view->outer, view->extent, view->inner};
  anchor.expected = "concatenate((" + names + "), axis=1)";
  kernel.number("extent", view->extent);
  kernel.number("inner", view->inner);
  placeElements(anchor, op.getResult());
  kernel.body = body;
  return anchor;
}

static std::optional<Anchor> emitGather(tm::GatherOp op) {
  const RankedTensorType type = tensorType(op.getOperand()), indices = tensorType(op.getIndices());
  const auto view = viewAround(type.getShape(), {int64_t(op.getAxis())});
  if (!view || view->extent == 0)
    return std::nullopt;
  Anchor anchor;
  EmittedKernel &kernel = anchor.kernel;
  kernel.name = "gather";
  kernel.read("x_ptr", op.getOperand(), {view->outer, view->extent, view->inner});
  kernel.read("index_ptr", op.getIndices(), {indices.getNumElements()});
  kernel.tensors.back().limit = view->extent;
  anchor.shape = {view->outer, indices.getNumElements(), view->inner};
  anchor.expected = "take(x_ptr, index_ptr, axis=1)";
  kernel.number("extent", view->extent);
  kernel.number("inner", view->inner);
  kernel.number("indices", indices.getNumElements());
  placeElements(anchor, op.getResult());
  kernel.body =
      std::string(kElementLines) +
      "    index = tl.load(index_ptr + at // inner % indices, mask=mask)\n"
      "    index = tl.where(index < 0, index + extent, index)\n"
      "    inside = mask & (index >= 0) & (index < extent)\n"
      "    before = at // (inner * indices)\n"
      "    x = tl.load(x_ptr + (before * extent + index) * inner + at % inner, mask=inside)\n";
  return anchor;
}

std::optional<Anchor> emitGathering(Operation *operation) {
  if (operation->getNumResults() != 1 || tensorType(operation->getResult(0)).getNumElements() == 0)
    return std::nullopt;
  if (auto op = dyn_cast<tm::ConcatOp>(operation))
    return emitConcat(op);
  if (auto op = dyn_cast<tm::GatherOp>(operation))
    return emitGather(op);
  return std::nullopt;
}

} // namespace tilescope::model
