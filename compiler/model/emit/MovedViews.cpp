// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/MovedViews.h"

#include "compiler/dialects/tm/ir/Extents.h"

using namespace mlir;

namespace tilescope::model {

using Axis = ElementView::Axis;

ElementView viewOf(size_t space, std::vector<int64_t> extents, ArrayRef<int64_t> shape,
                   std::vector<Axis> axes) {
  ElementView view;
  view.space = space;
  view.map = {std::move(extents), {}, 0};
  view.map.strides.assign(view.map.extents.size(), 0);
  const std::vector<int64_t> strides = rowStrides(shape);
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    view.map.offset += axes[axis].offset * strides[axis];
    if (axes[axis].from >= 0)
      view.map.strides[size_t(axes[axis].from)] += axes[axis].step * strides[axis];
  }
  view.axes = std::move(axes);
  return view;
}

static ElementView withAxes(const ElementView &view, ArrayRef<int64_t> shape,
                            std::vector<Axis> axes) {
  return viewOf(view.space, view.map.extents, shape, std::move(axes));
}

ElementView viewInOrder(size_t space, ArrayRef<int64_t> shape) {
  std::vector<Axis> axes;
  for (const auto &[axis, extent] : llvm::enumerate(shape))
    axes.push_back(extent == 1 ? Axis{} : Axis{int64_t(axis), 1, 0});
  return viewOf(space, shape.vec(), shape, std::move(axes));
}

static ElementView reshaped(tm::ReshapeOp op, const ElementView &view) {
  const ArrayRef<int64_t> from = tensorType(op.getOperand()).getShape();
  const ArrayRef<int64_t> to = tensorType(op.getResult()).getShape();
  // In order: the space is seen as the operand is.
  if (view.map.isIdentity() && llvm::product_of(view.map.extents) == llvm::product_of(from))
    return viewInOrder(view.space, from);
  ElementView result = view;
  result.axes.clear();
  result.hasAxes = false;
  if (!view.hasAxes)
    return result;
  // Axes of one element come and go, the others follow each other.
  std::vector<Axis> longAxes;
  SmallVector<int64_t> longTo, longFrom;
  for (const auto &[axis, extent] : llvm::enumerate(to))
    if (extent != 1) {
      longAxes.push_back(view.axes[axis]);
      longTo.push_back(extent);
    }
  for (const int64_t extent : from)
    if (extent != 1)
      longFrom.push_back(extent);
  if (longTo != longFrom)
    return result;
  std::vector<Axis> axes;
  size_t next = 0;
  for (const int64_t extent : from)
    axes.push_back(extent == 1 ? Axis{} : longAxes[next++]);
  return withAxes(view, from, std::move(axes));
}

std::optional<ElementView> repeatedView(const ElementView &view, ArrayRef<int64_t> result,
                                        ArrayRef<int64_t> operand) {
  if (llvm::product_of(operand) == 1)
    return withAxes(view, operand, std::vector<Axis>(operand.size()));
  if (operand == result)
    return view;
  if (!view.hasAxes)
    return std::nullopt;
  std::vector<Axis> axes;
  const size_t skipped = result.size() - operand.size();
  for (const auto &[axis, extent] : llvm::enumerate(operand))
    axes.push_back(extent == 1 ? Axis{} : view.axes[skipped + axis]);
  return withAxes(view, operand, std::move(axes));
}

static std::optional<ElementView> sliced(tm::SliceOp op, const ElementView &view) {
  if (!op.getBegins())
    return std::nullopt;
  std::vector<Axis> axes = view.axes;
  for (const auto &[axis, begin] : llvm::enumerate(op.getBegins()->getValues())) {
    const auto number = tm::numberOf(begin);
    if (!number)
      return std::nullopt;
    const int64_t step = (*op.getSteps())[axis];
    axes[axis] = {axes[axis].from, axes[axis].step * step, *number + axes[axis].offset * step};
  }
  return withAxes(view, tensorType(op.getOperand()).getShape(), std::move(axes));
}

std::optional<ElementView> movedView(Operation *operation, const ElementView &view) {
  if (auto op = dyn_cast<tm::ReshapeOp>(operation))
    return reshaped(op, view);
  if (auto op = dyn_cast<tm::ExpandOp>(operation))
    return repeatedView(view, tensorType(op.getResult()).getShape(),
                        tensorType(op.getOperand()).getShape());
  if (!view.hasAxes)
    return std::nullopt;
  if (auto op = dyn_cast<tm::SliceOp>(operation))
    return sliced(op, view);
  auto op = dyn_cast<tm::TransposeOp>(operation);
  if (!op)
    return std::nullopt;
  std::vector<Axis> axes(view.axes.size());
  for (const auto &[axis, from] : llvm::enumerate(op.getOrder()))
    axes[size_t(from)] = view.axes[axis];
  return withAxes(view, tensorType(op.getOperand()).getShape(), std::move(axes));
}

static std::string list(ArrayRef<int64_t> numbers) {
  std::string text;
  for (const int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

/// `x[0:4:1, 8:2:-1]`
static std::string slicedNumpy(tm::SliceOp op, const std::string &operand) {
  std::string text;
  for (const auto &[axis, extent] : llvm::enumerate(tensorType(op.getResult()).getShape())) {
    const int64_t begin = *tm::numberOf(op.getBegins()->getValues()[axis]);
    const int64_t step = (*op.getSteps())[axis], end = begin + step * extent;
    text += (text.empty() ? "" : ", ") + std::to_string(begin) + ":" +
            (end < 0 ? "" : std::to_string(end)) + ":" + std::to_string(step);
  }
  return text.empty() ? "" : "(" + operand + ")[" + text + "]";
}

std::string movedNumpy(Operation *operation, const std::string &operand) {
  if (operand.empty())
    return "";
  if (auto op = dyn_cast<tm::TransposeOp>(operation))
    return "transpose(" + operand + ", (" + list(op.getOrder()) + "))";
  if (auto op = dyn_cast<tm::SliceOp>(operation))
    return slicedNumpy(op, operand);
  return isa<tm::ExpandOp>(operation) ? operand : "";
}

/// The view of an operation's result from that of an operand of as many elements.
static std::optional<ElementView> resultView(Operation *operation, const ElementView &view) {
  const ArrayRef<int64_t> shape = tensorType(operation->getResult(0)).getShape();
  if (auto op = dyn_cast<tm::TransposeOp>(operation)) {
    if (!view.hasAxes)
      return std::nullopt;
    std::vector<Axis> axes;
    for (const int64_t from : op.getOrder())
      axes.push_back(view.axes[size_t(from)]);
    return withAxes(view, shape, std::move(axes));
  }
  if (!isa<tm::ReshapeOp>(operation))
    return std::nullopt;
  if (view.map.isIdentity())
    return viewInOrder(view.space, shape);
  // The same elements in the same order are where they were.
  ElementView result = view;
  result.axes.clear();
  result.hasAxes = false;
  return result;
}

std::optional<ElementView> viewFrom(const Group &group, Value anchor, Value result,
                                    const ElementView &view) {
  if (result == anchor)
    return view;
  Operation *operation = result.getDefiningOp();
  if (!operation || !group.contains(operation))
    return std::nullopt;
  for (const Value operand : operation->getOperands())
    if (tensorType(operand).getNumElements() == tensorType(result).getNumElements())
      if (const auto before = viewFrom(group, anchor, operand, view)) {
        const bool isPlain = tensorType(operand).getShape() == tensorType(result).getShape();
        if (!isPlain || isa<tm::TransposeOp>(operation))
          return resultView(operation, *before);
        return before;
      }
  return std::nullopt;
}

} // namespace tilescope::model
