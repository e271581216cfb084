// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators that give the same elements other extents, and those that ask for extents.
#include "compiler/model/import/ResultExtents.h"
#include "compiler/model/onnx/OperatorRules.h"

#include <numeric>

using namespace mlir;

namespace tilescope::model {

static Value reshaped(Node &node, ArrayRef<tm::Extent> extents, Value shape = {}) {
  return node.emit<tm::ReshapeOp>(node.tensorType(extents, node.element(0)), node.operand(0),
                                  shape);
}

static tm::ExtentList unknownExtents(Node &node, size_t rank) {
  tm::ExtentList result;
  for (size_t axis = 0; axis < rank; ++axis)
    result.push_back(node.unknownExtent(axis));
  return result;
}

/// How many elements a vector has; nothing where that is not known.
static std::optional<int64_t> lengthOf(Node &node, size_t index) {
  const RankedTensorType type = node.type(index);
  return type.getRank() == 1 && type.hasStaticShape() && type.getDimSize(0) <= 64
             ? std::optional(type.getDimSize(0))
             : std::nullopt;
}

static bool readReshape(Node &node) {
  if (!node.expectOperands(2, 2))
    return false;
  if (const auto wanted = node.knownSizes(1)) {
    // 0 keeps the extent of the same axis.
    const bool keepsZeros = node.integer("allowzero", 0) == 0;
    const auto extents = reshapedExtents(node, node.extents(0), *wanted, keepsZeros);
    return extents && node.finish(reshaped(node, *extents));
  }
  const auto rank = lengthOf(node, 1);
  if (!rank)
    return node.fail("how many axes its result has is known only when the model runs");
  return node.finish(reshaped(node, unknownExtents(node, size_t(*rank)), node.operand(1)));
}

static bool readFlatten(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const tm::ExtentList extents = node.extents(0);
  const auto rank = int64_t(extents.size());
  int64_t axis = node.integer("axis", 1);
  if (axis < -rank || axis > rank)
    return node.fail("axis " + std::to_string(axis) + " is not one of " + std::to_string(rank));
  axis += axis < 0 ? rank : 0;
  const ArrayRef<tm::Extent> all = extents;
  return node.finish(reshaped(node, {tm::product(node.context(), all.take_front(size_t(axis))),
                                     tm::product(node.context(), all.drop_front(size_t(axis)))}));
}

/// From an attribute before version 13, then from an operand; nothing also after a fault.
static std::optional<std::vector<int64_t>> axesOf(Node &node) {
  auto axes = node.integers("axes");
  if (node.operand(1)) {
    axes = node.knownNumbers(1);
    if (!axes)
      node.fail("its axes are known only when the model runs");
  }
  return axes;
}

static bool readSqueeze(Node &node) {
  if (!node.expectOperands(1, 2))
    return false;
  const tm::ExtentList from = node.extents(0);
  std::optional<std::vector<int64_t>> axes = axesOf(node);
  if (axes)
    axes = node.axes(*axes, int64_t(from.size()));
  if (node.failed())
    return false;
  tm::ExtentList result;
  for (const auto &[axis, extent] : llvm::enumerate(from)) {
    const bool isNamed = axes && llvm::is_contained(*axes, int64_t(axis));
    const auto value = tm::numberOf(extent);
    if (isNamed && value && *value != 1)
      return node.fail("it removes axis " + std::to_string(axis) + " of " + tm::extentsText(from) +
                       ", which is not 1");
    if (!(axes ? isNamed : value == 1))
      result.push_back(extent);
  }
  return node.finish(reshaped(node, result));
}

static bool readUnsqueeze(Node &node) {
  if (!node.expectOperands(1, 2))
    return false;
  const tm::ExtentList from = node.extents(0);
  auto axes = axesOf(node);
  if (!axes)
    return node.fail("it does not say which axes are new");
  axes = node.axes(*axes, int64_t(from.size() + axes->size()));
  if (!axes)
    return false;
  tm::ExtentList result;
  for (size_t axis = 0, next = 0; axis < from.size() + axes->size(); ++axis)
    result.push_back(llvm::is_contained(*axes, int64_t(axis)) ? node.number(1) : from[next++]);
  return node.finish(reshaped(node, result));
}

static bool readExpand(Node &node) {
  if (!node.expectOperands(2, 2))
    return false;
  tm::ExtentList from = node.extents(0);
  const auto wanted = node.knownSizes(1);
  const auto length = wanted ? std::optional(int64_t(wanted->size())) : lengthOf(node, 1);
  if (!length)
    return node.fail("how many axes its result has is known only when the model runs");
  tm::ExtentList result(std::max(from.size(), size_t(*length)), node.number(1));
  from.insert(from.begin(), result.size() - from.size(), node.number(1));
  for (size_t axis = 0, skipped = result.size() - size_t(*length); axis < result.size(); ++axis) {
    result[axis] = axis < skipped ? from[axis]
                   : wanted       ? tm::repeated(from[axis], (*wanted)[axis - skipped])
                                  : node.unknownExtent(axis);
    if (!result[axis])
      return node.fail("extents " + tm::extentsText(from) + " cannot be repeated to " +
                       tm::extentsText(*wanted));
  }
  return node.finish(node.emit<tm::ExpandOp>(node.tensorType(result, node.element(0)),
                                             node.operand(0), wanted ? Value() : node.operand(1)));
}

static bool readTranspose(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const tm::ExtentList from = node.extents(0);
  std::vector<int64_t> order(from.size());
  std::iota(order.rbegin(), order.rend(), 0);
  if (const auto told = node.integers("perm"))
    order = *told;
  if (order.size() != from.size())
    return node.fail("its `perm` is not an order of " + std::to_string(from.size()) + " axes");
  const auto checked = node.axes(order, int64_t(from.size()));
  if (!checked)
    return false;
  tm::ExtentList result;
  for (const int64_t axis : *checked)
    result.push_back(from[size_t(axis)]);
  return node.finish(node.emit<tm::TransposeOp>(node.tensorType(result, node.element(0)),
                                                node.operand(0), ArrayRef(*checked)));
}

static bool readShape(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const tm::ExtentList extents = node.extents(0);
  const auto rank = int64_t(extents.size());
  const auto bound = [rank](int64_t at) {
    return std::clamp(at < 0 ? at + rank : at, int64_t{0}, rank);
  };
  const int64_t begin = bound(node.integer("start", 0)),
                end = std::max(begin, bound(node.integer("end", rank)));
  const ArrayRef<tm::Extent> wanted =
      ArrayRef<tm::Extent>(extents).slice(size_t(begin), size_t(end - begin));
  return node.finish(node.sizes(wanted, {node.number(int64_t(wanted.size()))}));
}

static bool readSize(Node &node) {
  return node.expectOperands(1, 1) &&
         node.finish(node.sizes({tm::product(node.context(), node.extents(0))}, {}));
}

/// How many pixels a side of the blocks has that go between the channels and the image. Nothing
/// after a fault.
static std::optional<int64_t> blockOf(Node &node) {
  const int64_t block = node.integer("blocksize", 0);
  if (!node.expectOperands(1, 1))
    return std::nullopt;
  if (node.type(0).getRank() == 4 && block >= 1 && block <= (1 << 15))
    return block;
  node.fail("blocks of " + std::to_string(block) + " do not go with an input of " +
            tm::extentsText(node.extents(0)));
  return std::nullopt;
}

static bool readDepthToSpace(Node &node) {
  const std::optional<int64_t> block = blockOf(node);
  if (!block)
    return false;
  tm::ExtentList extents = node.extents(0);
  extents[1] = tm::quotient(extents[1], node.number(*block * *block));
  for (const size_t axis : {2, 3})
    extents[axis] = tm::multiply(extents[axis], node.number(*block));
  return node.finish(node.emit<tm::DepthToSpaceOp>(node.tensorType(extents, node.element(0)),
                                                   node.operand(0), *block,
                                                   node.text("mode", "DCR") == "CRD"));
}

static bool readSpaceToDepth(Node &node) {
  if (node.text("mode", "DCR") != "DCR")
    return node.fail("its mode `" + node.text("mode", "DCR") + "` is not supported");
  const std::optional<int64_t> block = blockOf(node);
  if (!block)
    return false;
  tm::ExtentList extents = node.extents(0);
  extents[1] = tm::multiply(extents[1], node.number(*block * *block));
  for (const size_t axis : {2, 3})
    extents[axis] = tm::floorDivide(extents[axis], node.number(*block));
  return node.finish(node.emit<tm::SpaceToDepthOp>(node.tensorType(extents, node.element(0)),
                                                   node.operand(0), *block));
}

static constexpr OperatorRule kShapeRules[] = {
    {"DepthToSpace", readDepthToSpace}, {"Expand", readExpand},   {"Flatten", readFlatten},
    {"Reshape", readReshape},           {"Shape", readShape},     {"Size", readSize},
    {"SpaceToDepth", readSpaceToDepth}, {"Squeeze", readSqueeze}, {"Transpose", readTranspose},
    {"Unsqueeze", readUnsqueeze},
};

std::span<const OperatorRule> shapeRules() { return kShapeRules; }

} // namespace tilescope::model
