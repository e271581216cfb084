// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Updates put at indices. Each element of the result looks for those that are its own, in their order, so
// that updates of the same place are combined in the same way each time.
#include "compiler/model/emit/Anchor.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tilescope::model {

/// More pairs of an element and an update are not looked at.
static constexpr double kMostLooks = 1e10;

/// What becomes of an element `x` and its `update`; empty: there is no such rule.
static StringRef combinedText(StringRef combine) {
  return llvm::StringSwitch<StringRef>(combine)
      .Case("none", "update")
      .Case("add", "x + update")
      .Case("mul", "x * update")
      .Case("max", "tl.maximum(x, update)")
      .Case("min", "tl.minimum(x, update)")
      .Default("");
}

namespace {
/// The tensors of a scatter, and how it combines them.
struct Scatter {
  Value operand, indices, updates, result;
  StringRef combine;
};
} // namespace

/// The kernel with its tensors, up to the element `x`; nothing: there is none for it.
static std::optional<Anchor> startScatter(const Scatter &scatter, const std::string &name,
                                          int64_t limit, int64_t numLooks) {
  const RankedTensorType type = tensorType(scatter.result);
  if (combinedText(scatter.combine).empty() || type.getNumElements() == 0 ||
      double(type.getNumElements()) * double(numLooks) > kMostLooks)
    return std::nullopt;
  Anchor anchor = elementAnchor(
      name + (scatter.combine == "none" ? "" : "_" + scatter.combine.str()), scatter.result);
  EmittedKernel &kernel = anchor.kernel;
  kernel.read("x_ptr", scatter.operand);
  kernel.read("index_ptr", scatter.indices);
  kernel.tensors.back().limit = limit;
  kernel.read("update_ptr", scatter.updates);
  kernel.body += "    x = tl.load(x_ptr + at, mask=mask)" + widened(scatter.result) + "\n";
  return anchor;
}

static std::string updateLines(const Scatter &scatter, const std::string &place) {
  return "        update = tl.load(update_ptr + " + place + ", mask=hit)" +
         widened(scatter.result) + "\n        x = tl.where(hit, " +
         combinedText(scatter.combine).str() + ", x)\n";
}

static std::optional<Anchor> emitScatterNd(tm::ScatterNdOp op) {
  const Scatter scatter{op.getOperand(), op.getIndices(), op.getUpdates(), op.getResult(),
                        op.getCombine()};
  const ArrayRef<int64_t> shape = tensorType(op.getResult()).getShape();
  const ArrayRef<int64_t> indices = tensorType(op.getIndices()).getShape();
  const auto depth = size_t(indices.back());
  const int64_t rows = llvm::product_of(indices.drop_back());
  const ArrayRef<int64_t> indexed = shape.take_front(depth);
  std::optional<Anchor> anchor =
      startScatter(scatter, "scatter_nd", depth == 0 ? 1 : *llvm::min_element(indexed), rows);
  if (!anchor)
    return std::nullopt;
  EmittedKernel &kernel = anchor->kernel;
  kernel.number("inner", llvm::product_of(shape.drop_front(depth)));
  kernel.number("rows", rows);
  kernel.number("depth", int64_t(depth));
  kernel.body += "    for row in range(rows):\n        place = 0\n        inside = mask\n";
  for (const auto &[i, extent] : llvm::enumerate(indexed)) {
    const std::string name = "extent" + std::to_string(i);
    kernel.number(name, extent);
    kernel.body += "        index = tl.load(index_ptr + row * depth + " + std::to_string(i) +
                   ")\n        index = tl.where(index < 0, index + " + name +
                   ", index)\n        inside = inside & (index >= 0) & (index < " + name +
                   ")\n        place = place * " + name + " + index\n";
  }
  kernel.body += "        hit = inside & (at // inner == place)\n" +
                 updateLines(scatter, "row * inner + at % inner");
  return anchor;
}

static std::optional<Anchor> emitScatterElements(tm::ScatterElementsOp op) {
  const Scatter scatter{op.getOperand(), op.getIndices(), op.getUpdates(), op.getResult(),
                        op.getCombine()};
  const ArrayRef<int64_t> shape = tensorType(op.getResult()).getShape();
  const ArrayRef<int64_t> indices = tensorType(op.getIndices()).getShape();
  const auto axis = size_t(op.getAxis());
  std::optional<Anchor> anchor =
      startScatter(scatter, "scatter_elements", shape[axis], indices[axis]);
  if (!anchor)
    return std::nullopt;
  EmittedKernel &kernel = anchor->kernel;
  const std::vector<int64_t> inner = rowStrides(shape);
  IndexMap map{shape.vec(), rowStrides(indices), 0};
  kernel.number("updates", indices[axis]);
  kernel.number("step", map.strides[axis]);
  kernel.number("inner", inner[axis]);
  kernel.number("extent", shape[axis]);
  map.strides[axis] = 0;
  kernel.body += "    inside = mask\n";
  // There may be updates for a part of the other axes alone.
  for (size_t other = 0; other < shape.size(); ++other) {
    if (other == axis || indices[other] == shape[other])
      continue;
    const std::string number = std::to_string(other);
    kernel.number("inner" + number, inner[other]);
    kernel.number("extent" + number, shape[other]);
    kernel.number("updated" + number, indices[other]);
    kernel.body += "    inside = inside & (at // inner" + number + " % extent" + number +
                   " < updated" + number + ")\n";
  }
  const std::string rest = map.text("first", kernel);
  kernel.body += "    first = " + (rest.empty() ? std::string("at * 0") : rest) +
                 "\n    for i in range(updates):\n"
                 "        index = tl.load(index_ptr + first + i * step, mask=inside, other=0)\n"
                 "        index = tl.where(index < 0, index + extent, index)\n"
                 "        hit = inside & (at // inner % extent == index)\n" +
                 updateLines(scatter, "first + i * step");
  return anchor;
}

std::optional<Anchor> emitScatter(Operation *operation) {
  if (auto op = dyn_cast<tm::ScatterNdOp>(operation))
    return emitScatterNd(op);
  if (auto op = dyn_cast<tm::ScatterElementsOp>(operation))
    return emitScatterElements(op);
  return std::nullopt;
}

} // namespace tilescope::model
