// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayGathers.h"

#include "app/launch/ArrayShapes.h"
#include "compiler/syntax/PythonText.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tilescope::app {

using profiler::Dtype;
using profiler::Tensor;
using Shape = std::vector<int64_t>;

static bool haveData(const std::vector<Tensor> &tensors) {
  return std::ranges::all_of(tensors, hasElements);
}

static Result<Tensor> summedUp(const ArrayPart &part, const Tensor &from, size_t axis) {
  const Dtype dtype = profiler::isFloat(from.dtype) ? Dtype::Fp64 : Dtype::Int64;
  Result<Tensor> result = partTensor(part, dtype, from.shape, hasElements(from));
  if (!result)
    return result;
  for (int64_t element = 0; !result->data.empty() && element < result->numElements(); ++element) {
    Shape at = profiler::elementCoordinates(element, from.shape);
    double before = 0;
    if (at[axis]-- > 0)
      before = result->at(profiler::elementIndex(at, from.shape));
    result->set(element, before + from.at(element));
  }
  return result;
}

static std::string numberText(double value) {
  const bool isWhole = std::trunc(value) == value && std::fabs(value) < 0x1p53;
  return isWhole ? std::to_string(static_cast<int64_t>(value)) : compiler::pythonRepr(value);
}

/// An index along an axis of `extent`, which may count from its end.
static Result<int64_t> indexAt(const ArrayPart &part, const Tensor &indices, int64_t element,
                               int64_t extent) {
  const double value = indices.at(element);
  const bool isInside = value == std::floor(value) && value >= -static_cast<double>(extent) &&
                        value < static_cast<double>(extent);
  if (!isInside)
    return partError(part, "there is no index " + numberText(value) + " along an axis of " +
                               std::to_string(extent));
  const auto index = static_cast<int64_t>(value);
  return index < 0 ? index + extent : index;
}

/// `coordinates` in the result: those in the tensor, with `index` along the axis, are `source`'s.
template <typename Place>
static Result<Tensor> picked(const ArrayPart &part, const std::vector<Tensor> &tensors, size_t axis,
                             Shape shape, Place place) {
  const Tensor &from = tensors[0], &indices = tensors[1];
  Result<Tensor> result = partTensor(part, from.dtype, std::move(shape), haveData(tensors));
  if (!result)
    return result;
  for (int64_t element = 0; !result->data.empty() && element < result->numElements(); ++element) {
    auto [source, chosen] = place(profiler::elementCoordinates(element, result->shape));
    const Result<int64_t> index = indexAt(part, indices, chosen, from.shape[axis]);
    if (!index)
      return index.error();
    source[axis] = *index;
    result->set(element, from.at(profiler::elementIndex(source, from.shape)));
  }
  return result;
}

/// Whole slices, one for each index.
static Result<Tensor> taken(const ArrayPart &part, const std::vector<Tensor> &tensors,
                            size_t axis) {
  const Tensor &from = tensors[0], &indices = tensors[1];
  if (part.axisOfIndices && profiler::isFloat(indices.dtype))
    return partError(part,
                     "an index is a number, a slice such as `1:n`, an array of integers, `None` or "
                     "`...`; this array holds floats");
  const auto cut = static_cast<ptrdiff_t>(axis);
  Shape shape(from.shape.begin(), from.shape.begin() + cut);
  shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
  shape.insert(shape.end(), from.shape.begin() + cut + 1, from.shape.end());
  const auto rank = static_cast<ptrdiff_t>(indices.shape.size());
  return picked(part, tensors, axis, std::move(shape), [&](const Shape &at) {
    Shape source(at.begin(), at.begin() + cut);
    source.push_back(0);
    source.insert(source.end(), at.begin() + cut + rank, at.end());
    const Shape chosen(at.begin() + cut, at.begin() + cut + rank);
    return std::pair(source, profiler::elementIndex(chosen, indices.shape));
  });
}

/// An element for each index, beside it.
static Result<Tensor> takenAlong(const ArrayPart &part, const std::vector<Tensor> &tensors,
                                 size_t axis) {
  const Tensor &from = tensors[0], &indices = tensors[1];
  Shape expected = from.shape;
  if (indices.shape.size() == expected.size())
    expected[axis] = indices.shape[axis];
  if (indices.shape != expected)
    return partError(part, "indices of the shape " + shapeText(indices.shape) +
                               " do not fit along an axis of " + shapeText(from.shape));
  return picked(part, tensors, axis, expected, [&](const Shape &at) {
    return std::pair(at, profiler::elementIndex(at, indices.shape));
  });
}

/// The indices along an axis in the order of what they lead to; NaN comes last, as in NumPy.
static Result<Tensor> sortedOrder(const ArrayPart &part, const Tensor &from, size_t axis) {
  Result<Tensor> result = partTensor(part, Dtype::Int64, from.shape, hasElements(from));
  if (!result)
    return result;
  const auto isBefore = [&](double left, double right) {
    return part.isDescending ? left > right || (std::isnan(left) && !std::isnan(right))
                             : left < right || (std::isnan(right) && !std::isnan(left));
  };
  std::vector<int64_t> order(static_cast<size_t>(from.shape[axis]));
  std::vector<double> values(order.size());
  for (int64_t element = 0; !result->data.empty() && element < result->numElements(); ++element) {
    Shape at = profiler::elementCoordinates(element, from.shape);
    if (at[axis] != 0)
      continue;
    const auto placeOf = [&](size_t index) {
      at[axis] = static_cast<int64_t>(index);
      return profiler::elementIndex(at, from.shape);
    };
    for (size_t i = 0; i < order.size(); ++i)
      values[i] = from.at(placeOf(i));
    std::iota(order.begin(), order.end(), int64_t{0});
    std::ranges::stable_sort(order, isBefore,
                             [&](int64_t i) { return values[static_cast<size_t>(i)]; });
    for (size_t i = 0; i < order.size(); ++i)
      result->set(placeOf(i), static_cast<double>(order[i]));
  }
  return result;
}

static Result<Tensor> sortedAlong(const ArrayPart &part, const Tensor &from, size_t axis) {
  Result<Tensor> order = sortedOrder(part, from, axis);
  return order ? takenAlong(part, {from, std::move(*order)}, axis) : order.error();
}

Result<Tensor> gathered(const ArrayPart &part, const std::vector<Tensor> &tensors, size_t axis) {
  if (part.kind == ArrayPart::Kind::CumulativeSum)
    return summedUp(part, tensors[0], axis);
  if (part.kind == ArrayPart::Kind::Sort)
    return sortedAlong(part, tensors[0], axis);
  if (part.kind == ArrayPart::Kind::SortedOrder)
    return sortedOrder(part, tensors[0], axis);
  return part.kind == ArrayPart::Kind::Take ? taken(part, tensors, axis)
                                            : takenAlong(part, tensors, axis);
}

Result<Tensor> numberRange(const ArrayPart &part, const IndexValue &valueOf) {
  int64_t ends[2] = {0, 0};
  if (part.axes.empty() || part.axes.size() > 2)
    return partError(part, "write it as `arange(n)`");
  for (size_t i = 0; i < part.axes.size(); ++i) {
    const Result<int64_t> value = valueOf(*part.axes[i]);
    if (!value)
      return partError(part, value.error().message);
    ends[part.axes.size() == 1 ? 1 : i] = *value;
  }
  int64_t count = 0;
  // One that is too large for a number is so for a tensor.
  if (ends[1] > ends[0] && __builtin_sub_overflow(ends[1], ends[0], &count))
    count = std::numeric_limits<int64_t>::max();
  Result<Tensor> result = partTensor(part, Dtype::Int64, {count}, true);
  if (!result)
    return result;
  for (int64_t i = 0; i < count; ++i)
    result->set(i, static_cast<double>(ends[0] + i));
  return result;
}

} // namespace tilescope::app
