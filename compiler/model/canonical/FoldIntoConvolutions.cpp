// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a convolution's result is multiplied by and what is added to it, the same for a whole channel,
// becomes a part of its weights and of its bias:
//
//   (w * x + b) * scale + shift  =  (w * scale) * x + (b * scale + shift)
#include "compiler/dialects/tm/ir/NodeName.h"
#include "compiler/model/canonical/Rewrites.h"

#include <cmath>

using namespace mlir;

namespace tilescope::model {

/// Larger weights stay in their file.
static constexpr int64_t kMostWeights = 1 << 24;

namespace {
/// For each channel.
struct ScaleAndShift {
  std::vector<double> scale, shift;
  /// The operand of the operation that the convolution makes.
  Value operand;
  const char *rule;
};
} // namespace

/// One number for each channel of [N, C, …] from an operand that is repeated over the others.
static std::optional<std::vector<double>> perChannel(Value value, RankedTensorType result,
                                                     const WeightBytes &bytes) {
  const auto type = cast<RankedTensorType>(value.getType());
  const int64_t channels = result.getDimSize(1), skipped = result.getRank() - type.getRank();
  if (!type.hasStaticShape() || skipped < 0)
    return std::nullopt;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.getDimSize(unsigned(axis)) != 1 && axis + skipped != 1)
      return std::nullopt;
  auto reals = constantReals(value, bytes, kMostWeights);
  if (reals && reals->size() == 1)
    reals->assign(size_t(channels), reals->front());
  return reals;
}

static std::optional<ScaleAndShift> ofBatchNorm(tm::BatchNormOp op, const WeightBytes &bytes) {
  std::vector<std::vector<double>> parts;
  for (const Value value : {op.getScale(), op.getBias(), op.getMean(), op.getVariance()}) {
    auto reals = constantReals(value, bytes, kMostWeights);
    if (!reals)
      return std::nullopt;
    parts.push_back(std::move(*reals));
  }
  ScaleAndShift folded{{}, {}, op.getOperand(), "batch norm into convolution"};
  const double epsilon = op.getEpsilon().convertToDouble();
  for (size_t i = 0; i < parts[0].size(); ++i) {
    const double scale = parts[0][i] / std::sqrt(parts[3][i] + epsilon);
    folded.scale.push_back(scale);
    folded.shift.push_back(parts[1][i] - parts[2][i] * scale);
  }
  return folded;
}

/// Of a product or a sum with constants, on either side.
static std::optional<ScaleAndShift> ofBinary(Operation *operation, const WeightBytes &bytes) {
  const auto result = cast<RankedTensorType>(operation->getResult(0).getType());
  const bool isProduct = isa<tm::MulOp>(operation);
  for (unsigned side : {0U, 1U}) {
    const Value operand = operation->getOperand(side);
    if (operand.getType() != result)
      continue;
    const auto numbers = perChannel(operation->getOperand(1 - side), result, bytes);
    if (!numbers)
      continue;
    const std::vector<double> plain(numbers->size(), isProduct ? 0.0 : 1.0);
    return ScaleAndShift{isProduct ? *numbers : plain, isProduct ? plain : *numbers, operand,
                         isProduct ? "factor into convolution" : "addend into convolution"};
  }
  return std::nullopt;
}

static std::optional<ScaleAndShift> scaleAndShift(Operation *operation, const WeightBytes &bytes) {
  const auto result = dyn_cast<RankedTensorType>(operation->getResult(0).getType());
  const Type element = result ? result.getElementType() : Type();
  if (!result || result.getRank() < 3 || result.isDynamicDim(1) ||
      !(element.isF32() || element.isF16() || element.isBF16()))
    return std::nullopt;
  if (auto op = dyn_cast<tm::BatchNormOp>(operation))
    return ofBatchNorm(op, bytes);
  return isa<tm::MulOp, tm::AddOp>(operation) ? ofBinary(operation, bytes) : std::nullopt;
}

/// The weights, each times the scale of the channel that it computes. These are the first axis, or,
/// where it is transposed, the second one in each group of the first.
static std::optional<std::vector<double>> scaledWeights(Value filter, ArrayRef<double> scale,
                                                        bool isTransposed, int64_t groups,
                                                        const WeightBytes &bytes) {
  auto weights = constantReals(filter, bytes, kMostWeights);
  if (!weights || weights->empty())
    return std::nullopt;
  const auto type = cast<RankedTensorType>(filter.getType());
  const size_t taps = weights->size() / size_t(type.getDimSize(0) * type.getDimSize(1));
  const size_t first = size_t(type.getDimSize(0)), second = size_t(type.getDimSize(1));
  for (size_t i = 0; i < weights->size(); ++i) {
    const size_t a = i / (taps * second), b = i / taps % second;
    (*weights)[i] *= scale[isTransposed ? a / (first / size_t(groups)) * second + b : a];
  }
  return weights;
}

template <typename Op>
static bool fold(Op conv, Operation *operation, const ScaleAndShift &folded,
                 RewriteContext &context) {
  constexpr bool kIsTransposed = std::is_same_v<Op, tm::ConvTransposeOp>;
  const bool isScaled = llvm::any_of(folded.scale, [](double scale) { return scale != 1; });
  std::vector<double> bias(folded.scale.size(), 0.0);
  if (conv.getBias()) {
    const auto before = constantReals(conv.getBias(), context.bytes, kMostWeights);
    if (!before || before->size() != bias.size())
      return false;
    bias = *before;
  }
  for (size_t i = 0; i < bias.size(); ++i)
    bias[i] = bias[i] * folded.scale[i] + folded.shift[i];
  Value filter = conv.getFilter();
  const auto type = cast<RankedTensorType>(filter.getType());
  // A narrow type may not hold what its numbers come to.
  const auto element = cast<FloatType>(type.getElementType());
  if (!holds(element, bias))
    return false;
  if (isScaled) {
    const auto weights = scaledWeights(filter, folded.scale, kIsTransposed,
                                       int64_t(conv.getGroups()), context.bytes);
    if (!weights || !holds(element, *weights))
      return false;
    filter = realConstant(context.builder, filter.getLoc(), type.getShape(), element, *weights);
  }
  const bool hasBias = llvm::any_of(bias, [](double each) { return each != 0; });
  const Value shift = hasBias ? realConstant(context.builder, operation->getLoc(),
                                             {int64_t(bias.size())}, element, bias)
                              : Value();
  const Value result =
      Op::create(context.builder, conv.getLoc(), conv.getType(), conv.getOperand(), filter, shift,
                 conv.getStrides(), conv.getPads(), conv.getDilations(), conv.getGroups());
  context.replace(operation, result, folded.rule,
                  "it is a part of the " + std::string(isScaled ? "weights and the bias" : "bias") +
                      " of `" + tm::nodeName(conv) + "`");
  return true;
}

bool foldIntoConvolution(Operation *operation, RewriteContext &context) {
  if (operation->getNumResults() != 1 || !isa<tm::BatchNormOp, tm::MulOp, tm::AddOp>(operation))
    return false;
  const auto folded = scaleAndShift(operation, context.bytes);
  // Others that use the convolution's result want it as it is.
  if (!folded || !folded->operand.hasOneUse())
    return false;
  if (auto conv = folded->operand.getDefiningOp<tm::ConvOp>())
    return fold(conv, operation, *folded, context);
  if (auto conv = folded->operand.getDefiningOp<tm::ConvTransposeOp>())
    return fold(conv, operation, *folded, context);
  return false;
}

} // namespace tilescope::model
