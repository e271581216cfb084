// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Resizing in all its forms is done axis by axis: each place of the result is a sum of some places of the
// operand. With the nearest one alone these are indices, else a matrix of weights:
//
//   [4] to [2], linear     becomes     [2, 4] = [[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]], matmul
//
// The usual forms on images stay, since one kernel samples both axes.
#include "compiler/model/canonical/Decompose.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace mlir;

namespace tilescope::model {

/// Larger matrices of weights are not made.
static constexpr int64_t kMostWeights = 1 << 22;

namespace {
/// A place of the operand, and its weight.
struct Tap {
  int64_t place;
  double weight;
};

/// How one axis is resized.
class AxisSampler {
public:
  AxisSampler(tm::ResizeOp op, size_t axis, std::optional<std::pair<double, double>> region)
      : m_op(op), m_region(region), m_extent(TensorOps::shapeOf(op.getOperand())[axis]),
        m_result(TensorOps::shapeOf(op.getResult())[axis]),
        m_scale(op.getScales() ? double((*op.getScales())[axis])
                               : double(m_result) / double(m_extent)) {}

  int64_t extent() const { return m_extent; }
  int64_t result() const { return m_result; }

  /// Places outside of the region's image have a value of their own.
  bool isOutside(int64_t place) const {
    const double at = coordinate(double(place));
    return m_region && (at < 0 || at > double(m_extent - 1));
  }

  int64_t nearest(int64_t place) const {
    const double at = coordinate(double(place));
    const double chosen = llvm::StringSwitch<double>(m_op.getNearest())
                              .Case("floor", std::floor(at))
                              .Case("ceil", std::ceil(at))
                              .Case("round_prefer_ceil", std::floor(at + 0.5))
                              .Default(std::ceil(at - 0.5));
    return clamped(int64_t(chosen));
  }

  SmallVector<Tap> taps(int64_t place) const {
    const double at = coordinate(double(place)),
                 scale = m_op.getAntialias() ? std::min(m_scale, 1.0) : 1;
    const double reach = (isCubic() ? 2 : 1) / scale;
    SmallVector<Tap> taps;
    double total = 0;
    for (auto from = int64_t(std::floor(at - reach)); double(from) <= at + reach; ++from) {
      const bool isInside = from >= 0 && from < m_extent;
      const double weight = weightAt((double(from) - at) * scale);
      if (weight == 0 || (m_op.getExcludeOutside() && !isInside))
        continue;
      taps.push_back({clamped(from), weight});
      total += weight;
    }
    for (Tap &tap : taps)
      tap.weight /= total;
    return taps;
  }

private:
  bool isCubic() const { return m_op.getMode() == "cubic"; }
  int64_t clamped(int64_t place) const { return std::clamp(place, int64_t{0}, m_extent - 1); }

  /// Where a place of the result is in the operand.
  double coordinate(double place) const {
    const StringRef mode = m_op.getCoordinates();
    const auto last = double(m_extent - 1);
    // What the scale makes of the extent; the result has its whole part.
    const double scaled = m_scale * double(m_extent);
    if (m_region) {
      const auto [begin, end] = *m_region;
      return m_result == 1 ? 0.5 * (begin + end) * last
                           : last * (begin + place * (end - begin) / double(m_result - 1));
    }
    if (mode == "align_corners")
      return scaled == 1 ? 0 : place * last / (scaled - 1);
    if (mode == "asymmetric")
      return place / m_scale;
    if (mode == "pytorch_half_pixel" && m_result == 1)
      return 0;
    const double half = (place + 0.5) / m_scale - 0.5;
    return mode == "half_pixel_symmetric"
               ? half + double(m_extent) / 2 * (1 - double(m_result) / scaled)
               : half;
  }

  double weightAt(double distance) const {
    const double x = std::abs(distance), a = m_op.getCubic().convertToDouble();
    if (!isCubic())
      return std::max(0.0, 1 - x);
    if (x <= 1)
      return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
  }

  mutable tm::ResizeOp m_op;
  std::optional<std::pair<double, double>> m_region;
  int64_t m_extent, m_result;
  double m_scale;
};
} // namespace

/// Whether one kernel samples the last two axes.
static bool isOfImages(tm::ResizeOp op) {
  const ArrayRef<int64_t> from = TensorOps::shapeOf(op.getOperand()),
                          to = TensorOps::shapeOf(op.getResult());
  const bool isUsual =
      llvm::StringSwitch<bool>(op.getCoordinates())
          .Cases({"asymmetric", "half_pixel", "pytorch_half_pixel", "align_corners"}, true)
          .Default(false);
  const Type element = TensorOps::elementOf(op.getResult());
  const bool isReal = element.isF32() || element.isF16() || element.isBF16();
  return isUsual && !op.getAntialias() && !op.getExcludeOutside() && to.size() >= 3 &&
         from.drop_back(2) == to.drop_back(2) &&
         (op.getMode() == "nearest" || (op.getMode() == "linear" && isReal));
}

static Value sampledNearest(TensorOps &ops, Value value, size_t axis, const AxisSampler &sampler) {
  SmallVector<int64_t> places;
  for (int64_t place = 0; place < sampler.result(); ++place)
    places.push_back(sampler.nearest(place));
  const Type whole = IntegerType::get(value.getContext(), 64);
  return ops.gather(value, ops.constant<int64_t>({sampler.result()}, whole, places), int64_t(axis));
}

/// A product with the weights, which are the left factor unless the axis is the last one.
static Value sampledByWeights(TensorOps &ops, Value value, size_t axis,
                              const AxisSampler &sampler) {
  const int64_t from = sampler.extent(), to = sampler.result();
  SmallVector<int64_t> shape(TensorOps::shapeOf(value));
  const int64_t outer = llvm::product_of(ArrayRef(shape).take_front(axis)),
                inner = llvm::product_of(ArrayRef(shape).drop_front(axis + 1));
  SmallVector<float> weights(size_t(from * to), 0);
  for (int64_t place = 0; place < to; ++place)
    for (const Tap &tap : sampler.taps(place))
      weights[size_t(inner == 1 ? tap.place * to + place : place * from + tap.place)] +=
          float(tap.weight);
  const Type work = Float32Type::get(value.getContext());
  shape[axis] = to;
  const Value result = inner == 1 ? ops.matmul(ops.reshape(value, {outer, from}),
                                               ops.constant<float>({from, to}, work, weights), work)
                                  : ops.matmul(ops.constant<float>({to, from}, work, weights),
                                               ops.reshape(value, {outer, from, inner}), work);
  return ops.reshape(result, shape);
}

/// Where the region's image does not reach.
static Value withOutside(TensorOps &ops, Value value, size_t axis, const AxisSampler &sampler,
                         Value outside) {
  SmallVector<bool> isOutside;
  for (int64_t place = 0; place < sampler.result(); ++place)
    isOutside.push_back(sampler.isOutside(place));
  if (!llvm::is_contained(isOutside, true))
    return value;
  SmallVector<int64_t> shape(TensorOps::shapeOf(value).size() - axis, 1);
  shape[0] = sampler.result();
  const Value condition =
      ops.constant<bool>(shape, IntegerType::get(value.getContext(), 1), isOutside);
  return ops.where(condition, outside, value);
}

/// Begins of all axes, then ends, as the last operand has them; nothing: it is computed.
static std::optional<SmallVector<double>> regionOf(tm::ResizeOp op) {
  auto constant = op.getExtents().empty() ? tm::ConstantOp()
                                          : op.getExtents().back().getDefiningOp<tm::ConstantOp>();
  const auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  const auto rank = TensorOps::shapeOf(op.getResult()).size();
  if (!elements || !elements.getElementType().isF32() ||
      elements.getNumElements() != int64_t(2 * rank))
    return std::nullopt;
  SmallVector<double> region;
  for (const float value : elements.getValues<float>())
    region.push_back(double(value));
  return region;
}

Replacement decomposeResize(Operation *operation, TensorOps &ops) {
  auto op = dyn_cast<tm::ResizeOp>(operation);
  if (!op || isOfImages(op) ||
      cast<RankedTensorType>(op.getResult().getType()).getNumElements() == 0 ||
      cast<RankedTensorType>(op.getOperand().getType()).getNumElements() == 0)
    return {};
  const Type element = TensorOps::elementOf(op.getResult());
  const bool isNearest = op.getMode() == "nearest";
  const bool hasRegion = op.getCoordinates() == "tf_crop_and_resize";
  const auto region = hasRegion ? regionOf(op) : std::nullopt;
  if ((hasRegion && !region) ||
      (!isNearest && !element.isF32() && !element.isF16() && !element.isBF16()))
    return {};
  const size_t rank = TensorOps::shapeOf(op.getResult()).size();
  const Type work = isNearest ? element : Type(Float32Type::get(op.getContext()));
  Value value = ops.cast(op.getOperand(), work);
  SmallVector<AxisSampler> samplers;
  for (size_t axis = 0; axis < rank; ++axis) {
    samplers.emplace_back(op, axis,
                          region ? std::optional(std::pair((*region)[axis], (*region)[rank + axis]))
                                 : std::nullopt);
    const AxisSampler &sampler = samplers.back();
    if (!isNearest && sampler.extent() * sampler.result() > kMostWeights)
      return {};
  }
  for (size_t axis = 0; axis < rank; ++axis) {
    const AxisSampler &sampler = samplers[axis];
    const bool isWhole = !region || ((*region)[axis] == 0 && (*region)[rank + axis] == 1);
    if (sampler.extent() != sampler.result() || !isWhole)
      value = isNearest ? sampledNearest(ops, value, axis, sampler)
                        : sampledByWeights(ops, value, axis, sampler);
  }
  const Value outside =
      region ? ops.number(op.getExtrapolation().convertToDouble(), work) : Value();
  for (size_t axis = 0; region && axis < rank; ++axis)
    value = withOutside(ops, value, axis, samplers[axis], outside);
  return {ops.cast(value, element)};
}

} // namespace tilescope::model
