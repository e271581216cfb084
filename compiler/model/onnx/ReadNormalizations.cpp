// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators that give elements a mean and a variance.
#include "compiler/model/onnx/OperatorRules.h"

using namespace mlir;

namespace tilescope::model {

static llvm::APFloat epsilon(Node &node) { return llvm::APFloat(node.real("epsilon", 1e-5f)); }

/// Whether the input has one element for each channel, as far as that is known.
static bool isPerChannel(Node &node, size_t index) {
  const RankedTensorType type = node.type(index);
  const int64_t channels = node.type(0).getDimSize(1);
  return type.getRank() == 1 && (type.isDynamicDim(0) || ShapedType::isDynamic(channels) ||
                                 type.getDimSize(0) == channels);
}

static bool expectPerChannel(Node &node, size_t first, size_t last) {
  if (node.type(0).getRank() < 2)
    return node.fail("its input has no channels");
  for (size_t i = first; i <= last; ++i)
    if (!isPerChannel(node, i))
      return node.fail("its input " + std::to_string(i + 1) + " has the extents " +
                       tm::extentsText(node.extents(i)) + ", not one for each channel of " +
                       tm::extentsText(node.extents(0)));
  return true;
}

static bool readBatchNorm(Node &node) {
  if (!node.expectOperands(5, 5) || !expectPerChannel(node, 1, 4))
    return false;
  if (node.integer("training_mode", 0) != 0 || node.integer("spatial", 1) == 0)
    return node.fail("its training form is not supported");
  return node.finish(node.emit<tm::BatchNormOp>(node.type(0), node.operand(0), node.operand(1),
                                                node.operand(2), node.operand(3), node.operand(4),
                                                epsilon(node)));
}

static bool readInstanceNorm(Node &node) {
  if (!node.expectOperands(3, 3) || !expectPerChannel(node, 1, 2))
    return false;
  return node.finish(node.emit<tm::InstanceNormOp>(node.type(0), node.operand(0), node.operand(1),
                                                   node.operand(2), epsilon(node)));
}

/// Scale and bias are for each group before version 21, for each channel from it on.
static bool readGroupNorm(Node &node) {
  if (!node.expectOperands(3, 3))
    return false;
  const int64_t groups = node.integer("num_groups", 0);
  if (groups < 1 || node.type(0).getRank() < 2)
    return node.fail("it has " + std::to_string(groups) + " groups");
  return node.finish(node.emit<tm::GroupNormOp>(node.type(0), node.operand(0), node.operand(1),
                                                node.operand(2), groups, epsilon(node),
                                                node.version() < 21));
}

static bool readLayerNorm(Node &node) {
  if (!node.expectOperands(2, 3))
    return false;
  const int64_t axis = node.axis(node.integer("axis", -1), node.type(0).getRank());
  tm::ExtentList extents = node.extents(0);
  for (size_t each = size_t(axis); each < extents.size(); ++each)
    extents[each] = node.number(1);
  const RankedTensorType statistics = node.tensorType(extents, node.builder().getF32Type());
  const Type types[] = {node.type(0), statistics, statistics};
  return node.finish(node.emitAll<tm::LayerNormOp>(types, node.operand(0), node.operand(1),
                                                   node.operand(2), axis, epsilon(node)));
}

static bool readRmsNorm(Node &node) {
  if (!node.expectOperands(2, 2))
    return false;
  const int64_t axis = node.axis(node.integer("axis", -1), node.type(0).getRank());
  return node.finish(node.emit<tm::RmsNormOp>(node.tensorType(node.extents(0), node.element(1)),
                                              node.operand(0), node.operand(1), axis,
                                              epsilon(node)));
}

static bool readLrn(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const int64_t size = node.integer("size", 0);
  if (size < 1 || node.type(0).getRank() < 2)
    return node.fail("it combines " + std::to_string(size) + " channels");
  return node.finish(node.emit<tm::LocalResponseNormOp>(
      node.type(0), node.operand(0), size, llvm::APFloat(node.real("alpha", 1e-4f)),
      llvm::APFloat(node.real("beta", 0.75f)), llvm::APFloat(node.real("bias", 1))));
}

static constexpr OperatorRule kNormalizationRules[] = {
    {"BatchNormalization", readBatchNorm},       {"GroupNormalization", readGroupNorm},
    {"InstanceNormalization", readInstanceNorm}, {"LRN", readLrn},
    {"LayerNormalization", readLayerNorm},       {"RMSNormalization", readRmsNorm},
};

std::span<const OperatorRule> normalizationRules() { return kNormalizationRules; }

} // namespace tilescope::model
