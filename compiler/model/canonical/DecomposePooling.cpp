// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Windows with more than two axes go over the last two first, then over those before them, since the largest
// of the largest, and the mean of means over windows alike, are those of all. Where the places of the largest
// are wanted, they are found first.
#include "compiler/dialects/tm/ir/Extents.h"
#include "compiler/model/canonical/Decompose.h"

using namespace mlir;

namespace tilescope::model {

namespace {
/// A pool of images of one or two axes that takes the place of some of the window's axes.
struct Window {
  SmallVector<int64_t> kernel, strides, dilations;
  SmallVector<tm::Extent> begins, ends;

  template <typename Op> void add(Op op, size_t axis) {
    const size_t rank = op.getKernel().size();
    kernel.push_back(op.getKernel()[axis]);
    strides.push_back(op.getStrides()[axis]);
    dilations.push_back(op.getDilations()[axis]);
    begins.push_back(op.getPads().getValues()[axis]);
    ends.push_back(op.getPads().getValues()[rank + axis]);
  }
  /// An axis whose elements stay as they are.
  void addPlain(MLIRContext *context) {
    kernel.push_back(1);
    strides.push_back(1);
    dilations.push_back(1);
    begins.push_back(tm::number(context, 0));
    ends.push_back(tm::number(context, 0));
  }
  tm::ExtentsAttr pads(MLIRContext *context) const {
    SmallVector<tm::Extent> all(begins);
    all.append(ends);
    return tm::ExtentsAttr::get(context, all);
  }
};
} // namespace

static Value pooled(tm::AvgPoolOp op, TensorOps &ops, Value x, const Window &window,
                    RankedTensorType type) {
  return ops.make<tm::AvgPoolOp>(type, x, window.kernel, window.strides,
                                 window.pads(op.getContext()), window.dilations, op.getCountPads());
}

static Value pooled(tm::MaxPoolOp op, TensorOps &ops, Value x, const Window &window,
                    RankedTensorType type) {
  const Type types[] = {
      type, RankedTensorType::get(type.getShape(), IntegerType::get(op.getContext(), 64))};
  return ops.make<tm::MaxPoolOp>(types, x, window.kernel, window.strides,
                                 window.pads(op.getContext()), window.dilations,
                                 op.getColumnMajor());
}

/// [planes, axes before, height, width] over the last two, then [planes, axis, the rest] for each
/// of those before.
template <typename Op> static Value poolByAxes(Op op, TensorOps &ops) {
  const SmallVector<int64_t> to(TensorOps::shapeOf(op.getResult()));
  SmallVector<int64_t> shape(TensorOps::shapeOf(op.getOperand()));
  const size_t rank = shape.size();
  const Type element = TensorOps::elementOf(op.getOperand());
  const auto typeOf = [&](ArrayRef<int64_t> extents) {
    return RankedTensorType::get(extents, element);
  };
  Window last;
  last.add(op, rank - 4);
  last.add(op, rank - 3);
  const int64_t images = llvm::product_of(ArrayRef(shape).drop_back(2));
  Value x = ops.reshape(op.getOperand(), {1, images, shape[rank - 2], shape[rank - 1]});
  x = pooled(op, ops, x, last, typeOf({1, images, to[rank - 2], to[rank - 1]}));
  shape[rank - 2] = to[rank - 2];
  shape[rank - 1] = to[rank - 1];
  for (size_t axis = rank - 3; axis >= 2; --axis) {
    Window window;
    window.add(op, axis - 2);
    window.addPlain(op.getContext());
    const int64_t planes = llvm::product_of(ArrayRef(shape).take_front(axis)),
                  rest = llvm::product_of(ArrayRef(shape).drop_front(axis + 1));
    x = pooled(op, ops, ops.reshape(x, {1, planes, shape[axis], rest}), window,
               typeOf({1, planes, to[axis], rest}));
    shape[axis] = to[axis];
  }
  return ops.reshape(x, to);
}

/// The same places of images whose columns lie behind each other.
static Value byColumns(TensorOps &ops, Value places, ArrayRef<int64_t> shape) {
  const Type whole = TensorOps::elementOf(places);
  const int64_t width = shape.back(), pixels = llvm::product_of(shape.drop_front(2));
  const auto number = [&](int64_t value) { return ops.number(double(value), whole); };
  const auto rest = [&](Value value, int64_t divisor) {
    const Value quotient = ops.binary<tm::DivOp>(value, number(divisor));
    return ops.binary<tm::SubOp>(value, ops.binary<tm::MulOp>(quotient, number(divisor)));
  };
  const Value pixel = rest(places, pixels), x = rest(pixel, width);
  const Value y = ops.binary<tm::DivOp>(pixel, number(width));
  const Value moved = ops.binary<tm::AddOp>(ops.binary<tm::MulOp>(x, number(pixels / width)), y);
  return ops.binary<tm::AddOp>(ops.binary<tm::SubOp>(places, pixel), moved);
}

/// A kernel finds the places, and the elements are gathered there.
static Replacement gathered(tm::MaxPoolOp op, TensorOps &ops) {
  auto found = cast<tm::MaxPoolOp>(ops.clone(op));
  found.setColumnMajor(false);
  const ArrayRef<int64_t> shape = TensorOps::shapeOf(op.getOperand());
  const Value places = found.getIndices();
  const Value values =
      ops.gather(ops.reshape(op.getOperand(), {llvm::product_of(shape)}), places, 0);
  return {values, op.getColumnMajor() ? byColumns(ops, places, shape) : places};
}

Replacement decomposePooling(Operation *operation, TensorOps &ops) {
  auto largest = dyn_cast<tm::MaxPoolOp>(operation);
  if (auto op = dyn_cast<tm::AvgPoolOp>(operation))
    return op.getKernel().size() > 2 ? Replacement{poolByAxes(op, ops)} : Replacement();
  if (!largest)
    return {};
  if (largest.getKernel().size() > 2 && largest.getIndices().use_empty())
    return {poolByAxes(largest, ops), largest.getIndices()};
  const bool hasOtherUse = !largest.getResult().use_empty() || largest.getColumnMajor();
  if (largest.getKernel().size() <= 2 && !largest.getIndices().use_empty() && hasOtherUse)
    return gathered(largest, ops);
  return {};
}

} // namespace tilescope::model
