// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators that take tensors apart, put them together and surround them.
#include "compiler/model/import/ResultExtents.h"
#include "compiler/model/onnx/OperatorRules.h"

#include <numeric>

using namespace mlir;

namespace tilescope::model {

static bool readConcat(Node &node) {
  if (node.numOperands() == 0 || !node.expectOperands(node.numOperands(), SIZE_MAX))
    return node.fail("it has no inputs");
  const auto axis = size_t(node.axis(node.integer("axis", 0), node.type(0).getRank()));
  const auto result =
      node.failed() ? std::nullopt : joinedExtents(node, SmallVector<Value>(node.operands()), axis);
  if (!result)
    return false;
  return node.finish(node.emit<tm::ConcatOp>(node.tensorType(*result, node.element(0)),
                                             node.operands(), int64_t(axis)));
}

/// A part of the input along one axis.
static Value part(Node &node, size_t axis, tm::Extent begin, tm::Extent size) {
  tm::ExtentList extents = node.extents(0), begins(extents.size(), node.number(0));
  if (!begin)
    return {};
  extents[axis] = size;
  begins[axis] = begin;
  return node.emit<tm::SliceOp>(
      node.tensorType(extents, node.element(0)), node.operand(0), ValueRange(),
      tm::ExtentsAttr::get(node.context(), begins),
      node.builder().getDenseI64ArrayAttr(SmallVector<int64_t>(extents.size(), 1)));
}

/// Sizes are an attribute before version 13, then an operand; without them all parts are equal, but
/// for the last.
static bool readSplit(Node &node) {
  if (!node.expectOperands(1, 2))
    return false;
  const auto axis = size_t(node.axis(node.integer("axis", 0), node.type(0).getRank()));
  const auto told = node.integers("split");
  std::optional<std::vector<tm::Extent>> sizes = node.knownSizes(1);
  if (node.failed() || (node.operand(1) && !sizes))
    return node.fail("the sizes of its parts are known only when the model runs");
  const auto count = int64_t(node.proto().output_size());
  const tm::Extent all = node.extents(0)[axis];
  if (told && !sizes) {
    sizes.emplace();
    for (const int64_t size : *told)
      sizes->push_back(node.number(size));
  }
  if (!sizes) {
    const tm::Extent each = tm::ceilDivide(all, node.number(count));
    sizes.emplace(size_t(count), each);
    if (count > 0)
      sizes->back() = tm::subtract(all, tm::multiply(each, node.number(count - 1)));
  }
  const tm::Extent sum = std::accumulate(sizes->begin(), sizes->end(), node.number(0), tm::add);
  const auto have = tm::numberOf(all), need = tm::numberOf(sum);
  if (int64_t(sizes->size()) != count || !sum || (have && need && *have != *need))
    return node.fail("its " + std::to_string(count) + " parts do not make up " +
                     tm::extentsText({all}));
  SmallVector<Value> parts;
  tm::Extent begin = node.number(0);
  for (const tm::Extent size : *sizes) {
    parts.push_back(part(node, axis, begin, size));
    begin = tm::add(begin, size);
  }
  return node.finish(parts);
}

namespace {
struct Bounds {
  std::vector<tm::Extent> begins, ends;
  std::vector<int64_t> axes, steps;
};
} // namespace

/// From attributes before version 10, then from operands. Nothing where they are not known, or after
/// a fault.
static std::optional<Bounds> boundsOf(Node &node) {
  Bounds bounds;
  const auto numbers = [&](const std::vector<int64_t> &values) {
    std::vector<tm::Extent> result;
    for (const int64_t value : values)
      result.push_back(node.number(std::clamp(value, -tm::kMostExtent, tm::kMostExtent)));
    return result;
  };
  std::optional<std::vector<int64_t>> axes, steps;
  if (node.version() < 10) {
    bounds.begins = numbers(node.integers("starts").value_or(std::vector<int64_t>()));
    bounds.ends = numbers(node.integers("ends").value_or(std::vector<int64_t>()));
    axes = node.integers("axes");
  } else {
    const auto begins = node.knownSizes(1), ends = node.knownSizes(2);
    axes = node.knownNumbers(3);
    steps = node.knownNumbers(4);
    if (!begins || !ends || (node.operand(3) && !axes) || (node.operand(4) && !steps))
      return std::nullopt;
    bounds.begins = *begins;
    bounds.ends = *ends;
  }
  const size_t count = bounds.begins.size();
  bounds.axes.resize(count);
  std::iota(bounds.axes.begin(), bounds.axes.end(), 0);
  const auto checked = node.axes(axes.value_or(bounds.axes), node.type(0).getRank());
  bounds.steps = steps.value_or(std::vector<int64_t>(count, 1));
  if (!checked || bounds.ends.size() != count || checked->size() != count ||
      bounds.steps.size() != count || llvm::is_contained(bounds.steps, 0)) {
    node.fail("its bounds, axes and steps do not go together");
    return std::nullopt;
  }
  bounds.axes = *checked;
  return bounds;
}

static bool readSlice(Node &node) {
  if (!node.expectOperands(node.version() < 10 ? 1 : 3, 5))
    return false;
  tm::ExtentList extents = node.extents(0);
  const auto bounds = boundsOf(node);
  if (node.failed())
    return false;
  if (!bounds) {
    const auto axes = node.operand(3) ? node.knownNumbers(3) : std::nullopt;
    for (size_t axis = 0; axis < extents.size(); ++axis)
      if (!axes || llvm::is_contained(*axes, int64_t(axis)) ||
          llvm::is_contained(*axes, int64_t(axis) - int64_t(extents.size())))
        extents[axis] = node.unknownExtent(axis);
    SmallVector<Value> operands;
    for (size_t i = 1; i < node.numOperands(); ++i)
      if (node.operand(i))
        operands.push_back(node.operand(i));
    return node.finish(node.emit<tm::SliceOp>(node.tensorType(extents, node.element(0)),
                                              node.operand(0), operands, tm::ExtentsAttr(),
                                              DenseI64ArrayAttr()));
  }
  tm::ExtentList begins(extents.size(), node.number(0));
  SmallVector<int64_t> steps(extents.size(), 1);
  for (size_t i = 0; i < bounds->axes.size(); ++i) {
    const auto axis = size_t(bounds->axes[i]);
    std::tie(begins[axis], extents[axis]) =
        slicedExtent(bounds->begins[i], bounds->ends[i], bounds->steps[i], extents[axis]);
    steps[axis] = bounds->steps[i];
  }
  if (llvm::is_contained(begins, tm::Extent()))
    return node.fail("its bounds are out of range");
  return node.finish(node.emit<tm::SliceOp>(
      node.tensorType(extents, node.element(0)), node.operand(0), ValueRange(),
      tm::ExtentsAttr::get(node.context(), begins), node.builder().getDenseI64ArrayAttr(steps)));
}

/// Attributes before version 11, then operands; from version 18 on for some of the axes.
static bool readPad(Node &node) {
  if (!node.expectOperands(node.version() < 11 ? 1 : 2, 4))
    return false;
  const std::optional<tm::PadMode> mode = tm::symbolizePadMode(node.text("mode", "constant"));
  if (!mode)
    return node.fail("its mode is `" + node.text("mode", "") + "`");
  tm::ExtentList extents = node.extents(0);
  const auto rank = extents.size();
  std::vector<int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  if (node.operand(3)) {
    const auto told = node.knownNumbers(3);
    const auto checked = told ? node.axes(*told, int64_t(rank)) : std::nullopt;
    if (!checked)
      return node.fail("its axes are known only when the model runs");
    axes = *checked;
  }
  std::optional<std::vector<tm::Extent>> pads = node.knownSizes(1);
  Value value = node.operand(2);
  if (node.version() < 11) {
    pads.emplace();
    for (const int64_t pad : node.integers("pads").value_or(std::vector<int64_t>()))
      pads->push_back(node.number(pad));
    value = node.scalar(node.real("value", 0), node.element(0));
  }
  if (pads && pads->size() != 2 * axes.size())
    return node.fail("it has " + std::to_string(pads->size()) + " pads for " +
                     std::to_string(axes.size()) + " axes");
  SmallVector<tm::Extent> all(2 * rank, node.number(0));
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis = size_t(axes[i]);
    if (pads) {
      all[axis] = (*pads)[i];
      all[rank + axis] = (*pads)[axes.size() + i];
    }
    extents[axis] = pads ? tm::add(extents[axis], tm::add(all[axis], all[rank + axis]))
                         : node.unknownExtent(axis);
  }
  SmallVector<Value> amounts;
  if (!pads)
    amounts.push_back(node.operand(1));
  const RankedTensorType type = node.tensorType(extents, node.element(0));
  if (!type)
    return false;
  return node.finish(
      node.emit<tm::PadOp>(type, *mode, node.operand(0), value, amounts,
                           pads ? tm::ExtentsAttr::get(node.context(), all) : tm::ExtentsAttr()));
}

static bool readTile(Node &node) {
  if (!node.expectOperands(2, 2))
    return false;
  tm::ExtentList extents = node.extents(0);
  const auto repeats = node.knownSizes(1);
  if (repeats && repeats->size() != extents.size())
    return node.fail("it has " + std::to_string(repeats->size()) + " repeats for " +
                     std::to_string(extents.size()) + " axes");
  for (size_t axis = 0; axis < extents.size(); ++axis)
    extents[axis] =
        repeats ? tm::multiply(extents[axis], (*repeats)[axis]) : node.unknownExtent(axis);
  return node.finish(node.emit<tm::TileOp>(node.tensorType(extents, node.element(0)),
                                           node.operand(0), repeats ? Value() : node.operand(1)));
}

static bool readTrilu(Node &node) {
  if (!node.expectOperands(1, 2))
    return false;
  if (node.type(0).getRank() < 2)
    return node.fail("its input is not a matrix");
  const bool isUpper = node.integer("upper", 1) != 0;
  return node.finish(
      node.emit<tm::TriluOp>(node.type(0), node.operand(0), node.operand(1), isUpper));
}

static constexpr OperatorRule kMovementRules[] = {
    {"Concat", readConcat}, {"Pad", readPad},   {"Slice", readSlice},
    {"Split", readSplit},   {"Tile", readTile}, {"Trilu", readTrilu},
};

std::span<const OperatorRule> movementRules() { return kMovementRules; }

} // namespace tilescope::model
