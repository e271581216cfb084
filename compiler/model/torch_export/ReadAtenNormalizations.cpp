// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators that make the mean 0 and the variance 1, and softmax.
#include "compiler/model/torch_export/AtenRules.h"

#include <cmath>

using namespace mlir;

namespace tilescope::model {

static llvm::APFloat epsilon(AtenNode &node, double otherwise) {
  return llvm::APFloat(float(node.real("eps", otherwise)));
}

/// One number for each channel, `value` where the argument is left out.
static Value perChannel(AtenNode &node, Value x, const char *name, double value) {
  const tm::Extent channels = AtenNode::extentsOf(x)[1];
  const Value told = node.optionalTensor(name);
  if (!told)
    return node.filled(value, {channels}, AtenNode::elementOf(x));
  const tm::ExtentList extents = AtenNode::extentsOf(told);
  const auto have = extents.size() == 1 ? tm::numberOf(extents[0]) : std::nullopt,
             need = tm::numberOf(channels);
  if (have && (!need || *have == *need))
    return told;
  node.fail("its argument `" + std::string(name) + "` has the extents " + tm::extentsText(extents) +
            ", not one for each channel of " + tm::extentsText(AtenNode::extentsOf(x)));
  return {};
}

/// With the statistics of training; the names of its arguments differ with the operator's age.
static bool readBatchNorm(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  if (AtenNode::rankOf(x) < 2)
    return node.fail("its input has no channels");
  if (node.truth("training", false) || !node.has("running_mean") || !node.has("running_var"))
    return node.fail("it takes the statistics of its input, as in training: call `model.eval()` "
                     "before the export");
  const Value scale = perChannel(node, x, "weight", 1), bias = perChannel(node, x, "bias", 0),
              mean = perChannel(node, x, "running_mean", 0),
              variance = perChannel(node, x, "running_var", 1);
  if (!scale || !bias || !mean || !variance)
    return false;
  return node.finish(node.emit<tm::BatchNormOp>(AtenNode::typeOf(x), x, scale, bias, mean, variance,
                                                epsilon(node, 1e-5)));
}

/// The axis from which on the input has the extents `normalized_shape`.
static std::optional<int64_t> normalizedFrom(AtenNode &node, Value x) {
  const auto shape = node.sizes("normalized_shape");
  const int64_t rank = AtenNode::rankOf(x);
  if (shape && !shape->empty() && int64_t(shape->size()) <= rank)
    return rank - int64_t(shape->size());
  node.fail("its argument `normalized_shape` does not go with an input of " +
            tm::extentsText(AtenNode::extentsOf(x)));
  return std::nullopt;
}

static bool readLayerNorm(AtenNode &node) {
  const Value x = node.first();
  const auto axis = x ? normalizedFrom(node, x) : std::nullopt;
  const Value scale = node.optionalTensor("weight"), bias = node.optionalTensor("bias");
  if (!axis || node.failed())
    return false;
  tm::ExtentList extents = AtenNode::extentsOf(x);
  for (size_t each = size_t(*axis); each < extents.size(); ++each)
    extents[each] = node.number(1);
  const RankedTensorType statistics = node.tensorType(extents, node.builder().getF32Type());
  const Type types[] = {AtenNode::typeOf(x), statistics, statistics};
  const SmallVector<Value> results =
      node.emitAll<tm::LayerNormOp>(types, x, scale, bias, *axis, epsilon(node, 1e-5));
  return !results.empty() && node.finish(results.front());
}

static bool readRmsNorm(AtenNode &node) {
  const Value x = node.first();
  const auto axis = x ? normalizedFrom(node, x) : std::nullopt;
  if (!axis)
    return false;
  const Type element = AtenNode::elementOf(x);
  const tm::ExtentList extents = AtenNode::extentsOf(x);
  Value scale = node.optionalTensor("weight");
  if (!scale)
    scale = node.filled(1, ArrayRef<tm::Extent>(extents).drop_front(size_t(*axis)), element);
  // Without a number it is the distance from 1 to the next one of the type.
  auto real = dyn_cast<FloatType>(element);
  if (!real || !scale)
    return node.fail("its input has no reals");
  const double least = std::ldexp(1.0, 1 - int(real.getFPMantissaWidth()));
  return node.finish(
      node.emit<tm::RmsNormOp>(AtenNode::typeOf(x), x, scale, *axis, epsilon(node, least)));
}

static bool readGroupNorm(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  // The core operator calls them `group`.
  const int64_t groups = node.integer("num_groups", node.integer("group", 0));
  const auto channels =
      AtenNode::rankOf(x) < 2 ? std::nullopt : tm::numberOf(AtenNode::extentsOf(x)[1]);
  if (groups < 1 || !channels || *channels % groups != 0)
    return node.fail("its " + std::to_string(groups) + " groups do not go with an input of " +
                     tm::extentsText(AtenNode::extentsOf(x)));
  const Value scale = perChannel(node, x, "weight", 1), bias = perChannel(node, x, "bias", 0);
  if (!scale || !bias)
    return false;
  return node.finish(node.emit<tm::GroupNormOp>(AtenNode::typeOf(x), x, scale, bias, groups,
                                                epsilon(node, 1e-5), /*per_group=*/false));
}

static bool readInstanceNorm(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  if (AtenNode::rankOf(x) < 3)
    return node.fail("its input has no images");
  if (!node.truth("use_input_stats", true))
    return readBatchNorm(node);
  const Value scale = perChannel(node, x, "weight", 1), bias = perChannel(node, x, "bias", 0);
  if (!scale || !bias)
    return false;
  return node.finish(
      node.emit<tm::InstanceNormOp>(AtenNode::typeOf(x), x, scale, bias, epsilon(node, 1e-5)));
}

namespace {
struct AlongAxis {
  Value x;
  int64_t axis;
};
} // namespace

/// Nothing: the node has failed.
static std::optional<AlongAxis> alongAxis(AtenNode &node) {
  Value x = node.first();
  if (!x)
    return std::nullopt;
  x = node.cast(x, node.resultElement(AtenNode::elementOf(x)));
  const int64_t rank = AtenNode::rankOf(x);
  if (rank == 0) {
    node.fail("its input has no axes");
    return std::nullopt;
  }
  return AlongAxis{x, node.axis(node.integer("dim", -1), rank)};
}

template <typename Op> static bool readSoftmax(AtenNode &node) {
  const auto read = alongAxis(node);
  return read &&
         node.finish(node.emit<Op>(AtenNode::typeOf(read->x), read->x, ArrayRef(read->axis)));
}

/// Rows in which all is -inf become 0.
static bool readSafeSoftmax(AtenNode &node) {
  const auto read = alongAxis(node);
  if (!read)
    return false;
  const Type element = AtenNode::elementOf(read->x);
  const bool isNarrow = element.getIntOrFloatBitWidth() < 32;
  const Value x =
      node.cast(read->x, isNarrow ? Type(Float32Type::get(element.getContext())) : element);
  const Value rows = node.emit<tm::SoftmaxOp>(AtenNode::typeOf(x), x, ArrayRef(read->axis), true);
  return node.finish(node.cast(rows, element));
}

static constexpr AtenRule kAtenNormalizationRules[] = {
    {"aten._log_softmax", readSoftmax<tm::LogSoftmaxOp>},
    {"aten._native_batch_norm_legit_no_training", readBatchNorm},
    {"aten._safe_softmax", readSafeSoftmax},
    {"aten._softmax", readSoftmax<tm::SoftmaxOp>},
    {"aten.batch_norm", readBatchNorm},
    {"aten.group_norm", readGroupNorm},
    {"aten.instance_norm", readInstanceNorm},
    {"aten.layer_norm", readLayerNorm},
    {"aten.log_softmax", readSoftmax<tm::LogSoftmaxOp>},
    {"aten.native_group_norm", readGroupNorm},
    {"aten.native_layer_norm", readLayerNorm},
    {"aten.rms_norm", readRmsNorm},
    {"aten.softmax", readSoftmax<tm::SoftmaxOp>},
};

std::span<const AtenRule> atenNormalizationRules() { return kAtenNormalizationRules; }

} // namespace tilescope::model
