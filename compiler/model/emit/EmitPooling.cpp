// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The largest element and the mean of windows, and where the largest one is.
#include "compiler/model/emit/PixelTiles.h"
#include "compiler/model/emit/WindowStrips.h"

using namespace mlir;

namespace tilescope::model {

namespace {
struct Pool {
  std::string name;
  Value operand, result;
  WindowView view;
};
} // namespace

/// The kernel with its tensors; `initial` and `inner`: lines before the loops over the window, and
/// what they do with each `value`.
static Anchor poolAnchor(const Pool &pool, const std::string &other, const std::string &initial,
                         const std::string &inner) {
  const ArrayRef<int64_t> shape = tensorType(pool.result).getShape();
  Anchor anchor;
  anchor.result = pool.result;
  anchor.shape = shape.vec();
  anchor.value = "total";
  EmittedKernel &kernel = anchor.kernel;
  kernel.name = pool.name;
  kernel.read("x_ptr", pool.operand);
  pool.view.addNumbers(kernel);
  pool.view.addConstantWindow(kernel);
  walkPixels(anchor, {shape[0] * shape[1], pool.view.y.result, pool.view.x.result});
  kernel.body += initial + pool.view.loadWindow(other) + inner;
  return anchor;
}

/// Whole numbers are compared in fp32, which has all of them.
static bool isDouble(const Pool &pool) { return tensorType(pool.operand).getElementType().isF64(); }

static std::string filled(const Pool &pool, const std::string &name, const std::string &value) {
  return "    " + name + " = tl.full([BLOCK_Y, BLOCK_X], " + value +
         (isDouble(pool) ? ", tl.float64)\n" : ", tl.float32)\n");
}

static std::string valueOf(const Pool &pool) {
  return isDouble(pool) ? "value" : "value.to(tl.float32)";
}

static Anchor meanAnchor(Pool pool, bool countsPads) {
  pool.name = countsPads ? "avg_pool_with_pads" : "avg_pool";
  const std::string counted =
      countsPads ? "(y < height + pad_bottom) & (x < width + pad_right)" : "inside";
  Anchor anchor =
      poolAnchor(pool, "0.0", filled(pool, "total", "0.0") + filled(pool, "count", "0.0"),
                 "            total += " + valueOf(pool) + "\n            count += (" + counted +
                     ").to(tl.float32)\n");
  if (countsPads) {
    anchor.kernel.number("pad_bottom", pool.view.y.end);
    anchor.kernel.number("pad_right", pool.view.x.end);
  }
  anchor.kernel.body += "    total = total / count\n";
  return anchor;
}

static Anchor largestAnchor(Pool pool, const std::string &other) {
  if (std::optional<Anchor> strips =
          emitStrips({"max_pool_strips", pool.operand, pool.result, {}, {}, pool.view}))
    return std::move(*strips);
  pool.name = "max_pool";
  return poolAnchor(pool, other, filled(pool, "total", "float(\"-inf\")"),
                    "            total = tl.maximum(total, tl.where(inside, " + valueOf(pool) +
                        ", float(\"-inf\")))\n");
}

/// The place in the whole tensor of the first element that is as large as any.
static Anchor placeAnchor(Pool pool, const std::string &other) {
  pool.name = "max_pool_places";
  Anchor anchor = poolAnchor(
      pool, other,
      filled(pool, "total", "float(\"-inf\")") +
          "    index = tl.full([BLOCK_Y, BLOCK_X], -1, tl.int64)\n",
      "            is_larger = inside & ((" + valueOf(pool) +
          " > total) | (index < 0))\n"
          "            total = tl.where(is_larger, " +
          valueOf(pool) +
          ", total)\n"
          "            index = tl.where(is_larger, (plane * height + y) * width + x, index)\n");
  anchor.value = "index";
  anchor.isOfResultType = true;
  return anchor;
}

static bool isComparedExactly(Type element) {
  const auto integer = dyn_cast<IntegerType>(element);
  return isComputedReal(element) || (integer && integer.getWidth() > 1 && integer.getWidth() <= 16);
}

std::optional<Anchor> emitPooling(Operation *operation) {
  const auto poolOf = [](auto op, Value result) -> std::optional<Pool> {
    const RankedTensorType type = tensorType(op.getOperand());
    const auto view = windowView(type, tensorType(op.getResult()), op.getKernel(), op.getStrides(),
                                 op.getPads(), op.getDilations());
    // What has a depth was decomposed.
    if (!view || view->hasDepth || tensorType(result).getNumElements() == 0)
      return std::nullopt;
    return Pool{"", op.getOperand(), result, *view};
  };
  if (auto op = dyn_cast<tm::AvgPoolOp>(operation); op && !op.getChannelsLast()) {
    const auto pool = poolOf(op, op.getResult());
    const bool isReal = isComputedReal(getElementTypeOrSelf(op.getOperand()));
    return pool && isReal ? std::optional(meanAnchor(*pool, op.getCountPads())) : std::nullopt;
  }
  auto op = dyn_cast<tm::MaxPoolOp>(operation);
  // Where places are wanted, the elements are gathered there.
  if (!op || op.getChannelsLast() || !isComparedExactly(getElementTypeOrSelf(op.getOperand())) ||
      (!op.getResult().use_empty() && !op.getIndices().use_empty()))
    return std::nullopt;
  const Type element = getElementTypeOrSelf(op.getOperand());
  const std::string other = neutralText(tm::ReduceKind::Max, element);
  if (op.getIndices().use_empty()) {
    const auto pool = poolOf(op, op.getResult());
    return pool ? std::optional(largestAnchor(*pool, other)) : std::nullopt;
  }
  const auto pool = poolOf(op, op.getIndices());
  return pool ? std::optional(placeAnchor(*pool, other)) : std::nullopt;
}

} // namespace tilescope::model
