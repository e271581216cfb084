// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators that combine the elements along axes.
#include "compiler/model/import/ResultExtents.h"
#include "compiler/model/torch_export/AtenRules.h"

#include <cmath>
#include <numeric>

using namespace mlir;

namespace tilescope::model {

using Axes = std::vector<int64_t>;

/// Without any: all. Nothing after a fault.
static std::optional<Axes> axesOf(AtenNode &node, Value x) {
  const int64_t rank = AtenNode::rankOf(x);
  const auto told = node.integers("dim");
  if (node.failed())
    return std::nullopt;
  if (told && !told->empty())
    return node.axes(*told, rank);
  Axes all(static_cast<size_t>(rank));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

template <tm::ReduceKind kind> static bool readReduce(AtenNode &node) {
  const Value x = node.first();
  const auto axes = x ? axesOf(node, x) : std::nullopt;
  if (!axes)
    return false;
  const Value from = node.cast(x, node.resultElement(AtenNode::elementOf(x)));
  return node.finish(node.reduced(from, kind, *axes, node.truth("keepdim", false)));
}

/// The place where the largest or smallest element of an axis is, the first one of several.
static Value place(AtenNode &node, Value x, tm::ReduceKind kind, int64_t axis, bool keeps) {
  if (!x || node.failed())
    return {};
  const RankedTensorType type = node.tensorType(
      reducedExtents(AtenNode::extentsOf(x), {axis}, keeps), node.builder().getI64Type());
  return node.emit<tm::ArgReduceOp>(type, kind, x, axis, /*last=*/false);
}

/// `max` of all elements, of two tensors, or of an axis with the places.
template <tm::ReduceKind kind, typename Op> static bool readExtremum(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  if (node.has("other"))
    return node.finish(node.binary<Op>(x, node.operand("other", AtenNode::elementOf(x))));
  if (!node.has("dim")) {
    const auto axes = axesOf(node, x);
    return axes && node.finish(node.reduced(x, kind, *axes, false));
  }
  const bool keeps = node.truth("keepdim", false);
  const int64_t axis = node.axis(node.integer("dim", 0), AtenNode::rankOf(x));
  if (node.failed())
    return false;
  return node.finish({node.reduced(x, kind, {axis}, keeps), place(node, x, kind, axis, keeps)});
}

template <tm::ReduceKind kind> static bool readArgReduce(AtenNode &node) {
  Value x = node.first();
  if (!x)
    return false;
  const bool keeps = node.truth("keepdim", false);
  if (!node.has("dim"))
    x = node.reshaped(x, {tm::product(node.context(), AtenNode::extentsOf(x))});
  if (!x)
    return false;
  const int64_t axis = node.axis(node.integer("dim", 0), AtenNode::rankOf(x));
  return node.finish(place(node, x, kind, axis, node.has("dim") && keeps));
}

/// Whether one is true, or all are.
template <tm::ReduceKind kind> static bool readTruth(AtenNode &node) {
  const Value x = node.first();
  const auto axes = x ? axesOf(node, x) : std::nullopt;
  if (!axes)
    return false;
  const Type truth = node.builder().getI1Type();
  const Value whole = node.cast(node.cast(x, truth), node.builder().getI32Type());
  return node.finish(
      node.cast(node.reduced(whole, kind, *axes, node.truth("keepdim", false)), truth));
}

/// The mean of the squares of what is left without the mean, over n - correction.
static Value variance(AtenNode &node, Value x, const Axes &axes, bool keeps, Value &mean) {
  const Type element = AtenNode::elementOf(x);
  tm::Extent count = node.number(1);
  for (const int64_t axis : axes)
    count = tm::multiply(count, AtenNode::extentsOf(x)[size_t(axis)]);
  const auto all = tm::numberOf(count);
  const double correction =
      node.has("unbiased") ? double(node.truth("unbiased", true)) : node.real("correction", 1);
  if (!all) {
    node.fail("it needs extents that are numbers, and has " +
              tm::extentsText(AtenNode::extentsOf(x)));
    return {};
  }
  const Value held = node.reduced(x, tm::ReduceKind::Mean, axes, true);
  mean = keeps ? held : node.reduced(x, tm::ReduceKind::Mean, axes, false);
  const Value rest = node.binary<tm::SubOp>(x, held);
  const Value sum =
      node.reduced(node.binary<tm::MulOp>(rest, rest), tm::ReduceKind::Sum, axes, keeps);
  const double divisor = std::max(0.0, double(*all) - correction);
  return node.binary<tm::DivOp>(sum, node.scalar(divisor, element));
}

/// `var`, `std`, and both with the mean.
template <bool isRoot, bool hasMean> static bool readVariance(AtenNode &node) {
  const Value x = node.first();
  const auto axes = x ? axesOf(node, x) : std::nullopt;
  if (!axes)
    return false;
  Value mean;
  Value result = variance(node, x, *axes, node.truth("keepdim", false), mean);
  if (isRoot)
    result = node.unary<tm::SqrtOp>(result);
  return hasMean ? node.finish({result, mean}) : node.finish(result);
}

/// log(sum(exp(x - m))) + m with the largest element m.
static bool readLogSumExp(AtenNode &node) {
  const Value x = node.first();
  const auto axes = x ? axesOf(node, x) : std::nullopt;
  if (!axes)
    return false;
  const Value most = node.reduced(x, tm::ReduceKind::Max, *axes, true);
  const Value powers = node.unary<tm::ExpOp>(node.binary<tm::SubOp>(x, most));
  const bool keeps = node.truth("keepdim", false);
  const Value sum = node.unary<tm::LogOp>(node.reduced(powers, tm::ReduceKind::Sum, *axes, keeps));
  const Value behind = sum ? node.reshaped(most, AtenNode::extentsOf(sum)) : Value();
  return node.finish(node.binary<tm::AddOp>(sum, behind));
}

/// The root of the sum of squares, or the sum or the largest of the absolute values.
static bool readNorm(AtenNode &node) {
  const Value x = node.first();
  const auto axes = x ? axesOf(node, x) : std::nullopt;
  const double order = node.real("ord", node.real("p", 2));
  if (!axes || node.failed())
    return false;
  const bool keeps = node.truth("keepdim", false);
  const Value size = node.unary<tm::AbsOp>(x);
  if (order == 2)
    return node.finish(node.unary<tm::SqrtOp>(
        node.reduced(node.binary<tm::MulOp>(x, x), tm::ReduceKind::Sum, *axes, keeps)));
  if (order == 1)
    return node.finish(node.reduced(size, tm::ReduceKind::Sum, *axes, keeps));
  if (std::isinf(order) && order > 0)
    return node.finish(node.reduced(size, tm::ReduceKind::Max, *axes, keeps));
  return node.fail("its order " + std::to_string(order) + " is not supported");
}

static bool readCumsum(AtenNode &node) {
  Value x = node.first();
  if (!x)
    return false;
  x = node.cast(x, node.resultElement(AtenNode::elementOf(x)));
  const int64_t axis = x ? node.axis(node.integer("dim", 0), AtenNode::rankOf(x)) : 0;
  if (!x || node.failed())
    return false;
  return node.finish(node.emit<tm::CumSumOp>(AtenNode::typeOf(x), x, axis, false, false));
}

/// What each element is more than the one before it.
static bool readDiff(AtenNode &node) {
  Value x = node.first();
  if (!x)
    return false;
  const auto axis = size_t(node.axis(node.integer("dim", -1), AtenNode::rankOf(x)));
  const Value before = node.optionalTensor("prepend"), behind = node.optionalTensor("append");
  if (node.failed() || node.integer("n", 1) != 1)
    return node.fail("it takes differences of differences, which is not supported");
  SmallVector<Value> parts{before, x, behind};
  llvm::erase(parts, Value());
  const auto extents = joinedExtents(node, parts, axis);
  if (!extents)
    return false;
  if (parts.size() > 1)
    x = node.emit<tm::ConcatOp>(node.tensorType(*extents, AtenNode::elementOf(x)),
                                ValueRange(parts), int64_t(axis));
  const tm::Extent count = tm::subtract((*extents)[axis], node.number(1));
  if (const auto number = tm::numberOf(count); number && *number < 0)
    return node.fail("its axis has no elements");
  return node.finish(node.binary<tm::SubOp>(node.sliced(x, axis, node.number(1), count),
                                            node.sliced(x, axis, node.number(0), count)));
}

static bool readTopk(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  const int64_t axis = node.axis(node.integer("dim", -1), AtenNode::rankOf(x));
  const int64_t k = node.integer("k", -1);
  if (node.failed())
    return false;
  tm::ExtentList extents = AtenNode::extentsOf(x);
  const auto most = tm::numberOf(extents[size_t(axis)]);
  if (k < 0 || (most && k > *most))
    return node.fail("it wants " + std::to_string(k) + " of " +
                     tm::extentsText({extents[size_t(axis)]}) + " elements");
  extents[size_t(axis)] = node.number(k);
  const Type types[] = {node.tensorType(extents, AtenNode::elementOf(x)),
                        node.tensorType(extents, node.builder().getI64Type())};
  return node.finish(node.emitAll<tm::TopKOp>(types, x, Value(), axis, !node.truth("largest", true),
                                              node.truth("sorted", true)));
}

/// All elements of the axis, in order.
static bool readSort(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  const int64_t axis = node.axis(node.integer("dim", -1), AtenNode::rankOf(x));
  const RankedTensorType places =
      node.tensorType(AtenNode::extentsOf(x), node.builder().getI64Type());
  const Type types[] = {AtenNode::typeOf(x), places};
  return node.finish(
      node.emitAll<tm::TopKOp>(types, x, Value(), axis, !node.truth("descending", false), true));
}

using enum tm::ReduceKind;
static constexpr AtenRule kAtenReductionRules[] = {
    {"aten.all", readTruth<Min>},
    {"aten.amax", readReduce<Max>},
    {"aten.amin", readReduce<Min>},
    {"aten.any", readTruth<Max>},
    {"aten.argmax", readArgReduce<Max>},
    {"aten.argmin", readArgReduce<Min>},
    {"aten.cumsum", readCumsum},
    {"aten.diff", readDiff},
    {"aten.linalg_vector_norm", readNorm},
    {"aten.logsumexp", readLogSumExp},
    {"aten.max", readExtremum<Max, tm::MaxOp>},
    {"aten.mean", readReduce<Mean>},
    {"aten.min", readExtremum<Min, tm::MinOp>},
    {"aten.norm", readNorm},
    {"aten.prod", readReduce<Prod>},
    {"aten.sort", readSort},
    {"aten.std", readVariance<true, false>},
    {"aten.std_mean", readVariance<true, true>},
    {"aten.sum", readReduce<Sum>},
    {"aten.topk", readTopk},
    {"aten.var", readVariance<false, false>},
    {"aten.var_mean", readVariance<false, true>},
};

std::span<const AtenRule> atenReductionRules() { return kAtenReductionRules; }

} // namespace tilescope::model
