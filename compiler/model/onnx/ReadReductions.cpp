// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators that combine the elements along axes.
#include "compiler/model/import/ResultExtents.h"
#include "compiler/model/onnx/OperatorRules.h"

#include <numeric>

using namespace mlir;

namespace tilescope::model {

using Axes = std::vector<int64_t>;

/// From the second input or, in earlier versions, an attribute; without any: all. Nothing after a
/// fault; `isLeftAlone`: the operator does nothing.
static std::optional<Axes> axesOf(Node &node, bool &isLeftAlone) {
  if (!node.expectOperands(1, 2))
    return std::nullopt;
  std::optional<Axes> axes = node.integers("axes");
  if (node.operand(1)) {
    axes = node.knownNumbers(1);
    if (!axes) {
      node.fail("its axes are known only when the model runs");
      return std::nullopt;
    }
  }
  const int64_t rank = node.type(0).getRank();
  if (axes && !axes->empty())
    return node.axes(*axes, rank);
  isLeftAlone = node.integer("noop_with_empty_axes", 0) != 0;
  Axes all(static_cast<size_t>(rank));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

static Value reduced(Node &node, Value value, tm::ReduceKind kind, const Axes &axes, bool keeps) {
  if (!value)
    return {};
  const auto type = cast<RankedTensorType>(value.getType());
  return node.emit<tm::ReduceOp>(
      node.tensorType(reducedExtents(tm::extentsOf(type), axes, keeps), type.getElementType()),
      kind, value, ArrayRef(axes));
}

/// What becomes of the elements before and after they are combined.
enum class Around { Nothing, Abs, Log, Root, Square };

template <tm::ReduceKind kind, Around around> static bool readReduce(Node &node) {
  bool isLeftAlone = false;
  const std::optional<Axes> axes = axesOf(node, isLeftAlone);
  if (!axes)
    return false;
  Value value = node.operand(0);
  if (around == Around::Abs)
    value = node.emit<tm::AbsOp>(node.type(0), value);
  if (around == Around::Square || around == Around::Root)
    value = node.emit<tm::MulOp>(node.type(0), value, value);
  if (!isLeftAlone)
    value = reduced(node, value, kind, *axes, node.integer("keepdims", 1) != 0);
  if (!value)
    return false;
  const auto type = cast<RankedTensorType>(value.getType());
  if (around == Around::Log)
    value = node.emit<tm::LogOp>(type, value);
  if (around == Around::Root)
    value = node.emit<tm::SqrtOp>(type, value);
  return node.finish(value);
}

/// log(sum(exp(x - m))) + m with the largest element m, so that no power is out of range.
static bool readLogSumExp(Node &node) {
  bool isLeftAlone = false;
  const std::optional<Axes> axes = axesOf(node, isLeftAlone);
  if (!axes)
    return false;
  if (isLeftAlone)
    return node.finish(node.operand(0));
  const bool keeps = node.integer("keepdims", 1) != 0;
  const Value x = node.operand(0), most = reduced(node, x, tm::ReduceKind::Max, *axes, true);
  const Value powers =
      node.emit<tm::ExpOp>(node.type(0), node.emit<tm::SubOp>(node.type(0), x, most));
  const Value sum = reduced(node, powers, tm::ReduceKind::Sum, *axes, keeps);
  if (!sum)
    return false;
  const auto type = cast<RankedTensorType>(sum.getType());
  const Value logarithm = node.emit<tm::LogOp>(type, sum);
  return node.finish(
      node.emit<tm::AddOp>(type, logarithm, node.emit<tm::ReshapeOp>(type, most, Value())));
}

template <tm::ReduceKind kind> static bool readArgReduce(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const int64_t axis = node.axis(node.integer("axis", 0), node.type(0).getRank());
  const bool keeps = node.integer("keepdims", 1) != 0,
             isLast = node.integer("select_last_index", 0) != 0;
  if (node.failed())
    return false;
  const RankedTensorType type =
      node.tensorType(reducedExtents(node.extents(0), {axis}, keeps), node.builder().getI64Type());
  return node.finish(node.emit<tm::ArgReduceOp>(type, kind, node.operand(0), axis, isLast));
}

static bool readCumSum(Node &node) {
  if (!node.expectOperands(2, 2))
    return false;
  const std::optional<Axes> which = node.knownNumbers(1);
  if (!which || which->size() != 1)
    return node.fail("its axis is known only when the model runs");
  const int64_t axis = node.axis(which->front(), node.type(0).getRank());
  const bool isExclusive = node.integer("exclusive", 0) != 0,
             isReverse = node.integer("reverse", 0) != 0;
  return node.finish(
      node.emit<tm::CumSumOp>(node.type(0), node.operand(0), axis, isExclusive, isReverse));
}

/// k is an attribute before version 10.
static bool readTopK(Node &node) {
  if (!node.expectOperands(1, 2))
    return false;
  const int64_t axis = node.axis(node.integer("axis", -1), node.type(0).getRank());
  if (node.failed())
    return false;
  tm::Extent k = node.version() < 10 ? node.number(node.integer("k", -1)) : tm::Extent();
  if (const auto known = node.knownSizes(1); known && known->size() == 1)
    k = known->front();
  tm::ExtentList extents = node.extents(0);
  const bool isKnown = k != nullptr;
  const auto most = tm::numberOf(extents[size_t(axis)]), wanted = tm::numberOf(k);
  if (most && wanted && *wanted > *most)
    return node.fail("it wants " + std::to_string(*wanted) + " of " + std::to_string(*most) +
                     " elements");
  extents[size_t(axis)] = isKnown ? k : node.unknownExtent(size_t(axis));
  const Type types[] = {node.tensorType(extents, node.element(0)),
                        node.tensorType(extents, node.builder().getI64Type())};
  const bool isSmallest = node.integer("largest", 1) == 0,
             isSorted = node.integer("sorted", 1) != 0;
  return node.finish(node.emitAll<tm::TopKOp>(
      types, node.operand(0), isKnown ? Value() : node.operand(1), axis, isSmallest, isSorted));
}

/// Before version 13 all axes from the given one on are one.
template <typename Op> static bool readSoftmax(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  const int64_t rank = node.type(0).getRank();
  const bool isFlat = node.version() < 13;
  const int64_t axis = node.axis(node.integer("axis", isFlat ? 1 : -1), rank);
  Axes axes{axis};
  for (int64_t next = axis + 1; isFlat && next < rank; ++next)
    axes.push_back(next);
  return node.finish(node.emit<Op>(node.type(0), node.operand(0), ArrayRef(axes)));
}

template <tm::ReduceKind kind> static bool readGlobalPool(Node &node) {
  if (!node.expectOperands(1, 1))
    return false;
  Axes axes;
  for (int64_t axis = 2; axis < node.type(0).getRank(); ++axis)
    axes.push_back(axis);
  return node.finish(reduced(node, node.operand(0), kind, axes, true));
}

using enum tm::ReduceKind;
static constexpr OperatorRule kReductionRules[] = {
    {"ArgMax", readArgReduce<Max>},
    {"ArgMin", readArgReduce<Min>},
    {"CumSum", readCumSum},
    {"GlobalAveragePool", readGlobalPool<Mean>},
    {"GlobalMaxPool", readGlobalPool<Max>},
    {"LogSoftmax", readSoftmax<tm::LogSoftmaxOp>},
    {"ReduceL1", readReduce<Sum, Around::Abs>},
    {"ReduceL2", readReduce<Sum, Around::Root>},
    {"ReduceLogSum", readReduce<Sum, Around::Log>},
    {"ReduceLogSumExp", readLogSumExp},
    {"ReduceMax", readReduce<Max, Around::Nothing>},
    {"ReduceMean", readReduce<Mean, Around::Nothing>},
    {"ReduceMin", readReduce<Min, Around::Nothing>},
    {"ReduceProd", readReduce<Prod, Around::Nothing>},
    {"ReduceSum", readReduce<Sum, Around::Nothing>},
    {"ReduceSumSquare", readReduce<Sum, Around::Square>},
    {"Softmax", readSoftmax<tm::SoftmaxOp>},
    {"TopK", readTopK},
};

std::span<const OperatorRule> reductionRules() { return kReductionRules; }

} // namespace tilescope::model
