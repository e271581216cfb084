// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators that read or write elements at indices.
#include "compiler/model/onnx/OperatorRules.h"

using namespace mlir;

namespace tilescope::model {

static bool readGather(Node &node) {
  if (!node.expectOperands(2, 2))
    return false;
  const tm::ExtentList from = node.extents(0), indices = node.extents(1);
  const auto axis = size_t(node.axis(node.integer("axis", 0), int64_t(from.size())));
  if (node.failed())
    return false;
  tm::ExtentList result(from.begin(), from.begin() + int64_t(axis));
  result.append(indices);
  result.append(from.begin() + int64_t(axis) + 1, from.end());
  return node.finish(node.emit<tm::GatherOp>(node.tensorType(result, node.element(0)),
                                             node.operand(0), node.operand(1), int64_t(axis)));
}

static bool readGatherElements(Node &node) {
  if (!node.expectOperands(2, 2))
    return false;
  const int64_t axis = node.axis(node.integer("axis", 0), node.type(0).getRank());
  if (node.type(0).getRank() != node.type(1).getRank())
    return node.fail("input and indices do not have the same number of axes");
  return node.finish(node.emit<tm::GatherElementsOp>(
      node.tensorType(node.extents(1), node.element(0)), node.operand(0), node.operand(1), axis));
}

/// The number of axes that a row of the indices names; nothing after a fault.
static std::optional<size_t> indexedAxes(Node &node, size_t batch) {
  const tm::ExtentList indices = node.extents(1);
  const auto named = indices.empty() ? std::nullopt : tm::numberOf(indices.back());
  if (named && *named >= 0 && indices.size() > batch &&
      size_t(*named) + batch <= node.extents(0).size())
    return size_t(*named);
  node.fail("indices of " + tm::extentsText(indices) + " do not go with an input of " +
            tm::extentsText(node.extents(0)));
  return std::nullopt;
}

static bool readGatherNd(Node &node) {
  if (!node.expectOperands(2, 2))
    return false;
  const int64_t batch = node.integer("batch_dims", 0);
  const tm::ExtentList from = node.extents(0), indices = node.extents(1);
  if (batch < 0 || batch > int64_t(from.size()))
    return node.fail("it has " + std::to_string(batch) + " batch axes");
  const auto named = indexedAxes(node, size_t(batch));
  if (!named)
    return false;
  tm::ExtentList result(indices.begin(), indices.end() - 1);
  result.append(from.begin() + batch + int64_t(*named), from.end());
  return node.finish(node.emit<tm::GatherNdOp>(node.tensorType(result, node.element(0)),
                                               node.operand(0), node.operand(1), batch));
}

static bool readScatterNd(Node &node) {
  return node.expectOperands(3, 3) && indexedAxes(node, 0) &&
         node.finish(node.emit<tm::ScatterNdOp>(node.type(0), node.operand(0), node.operand(1),
                                                node.operand(2), node.text("reduction", "none")));
}

static bool readScatterElements(Node &node) {
  if (!node.expectOperands(3, 3))
    return false;
  const int64_t axis = node.axis(node.integer("axis", 0), node.type(0).getRank());
  return node.finish(node.emit<tm::ScatterElementsOp>(node.type(0), node.operand(0),
                                                      node.operand(1), node.operand(2), axis,
                                                      node.text("reduction", "none")));
}

static bool readOneHot(Node &node) {
  if (!node.expectOperands(3, 3))
    return false;
  tm::ExtentList extents = node.extents(0);
  const int64_t axis = node.axis(node.integer("axis", -1), int64_t(extents.size()) + 1);
  const Known *depth = node.known(1);
  tm::Extent size = node.unknownExtent(size_t(axis));
  if (depth && depth->size() == 1)
    size = depth->front().whole ? depth->front().whole : node.number(int64_t(depth->front().real));
  if (node.failed())
    return false;
  extents.insert(extents.begin() + axis, size);
  return node.finish(node.emit<tm::OneHotOp>(node.tensorType(extents, node.element(2)),
                                             node.operand(0), node.operand(2), axis));
}

// `Scatter` is what `ScatterElements` was called before version 11.
static constexpr OperatorRule kIndexingRules[] = {
    {"Gather", readGather},           {"GatherElements", readGatherElements},
    {"GatherND", readGatherNd},       {"OneHot", readOneHot},
    {"Scatter", readScatterElements}, {"ScatterElements", readScatterElements},
    {"ScatterND", readScatterNd},
};

std::span<const OperatorRule> indexingRules() { return kIndexingRules; }

} // namespace tilescope::model
