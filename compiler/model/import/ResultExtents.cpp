// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/import/ResultExtents.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace tilescope::model {

std::optional<tm::ExtentList> reshapedExtents(NodeBuilder &node, const tm::ExtentList &from,
                                              const std::vector<tm::Extent> &wanted,
                                              bool keepsZeros) {
  tm::ExtentList result(wanted.begin(), wanted.end());
  std::optional<size_t> open;
  for (auto &&[axis, extent] : llvm::enumerate(result)) {
    if (tm::isNumber(extent, 0) && keepsZeros) {
      if (axis >= from.size()) {
        node.fail("it keeps extent " + std::to_string(axis) + " of " + tm::extentsText(from));
        return std::nullopt;
      }
      extent = from[axis];
    } else if (tm::isNumber(extent, -1) && !open) {
      open = axis;
    }
  }
  const tm::Extent total = tm::product(node.context(), from);
  if (open) {
    result[*open] = node.number(1);
    const tm::Extent rest = tm::quotient(total, tm::product(node.context(), result));
    // A product of the input's extents that cannot be seen to hold the others is unknown.
    const auto all = tm::numberOf(total),
               others = tm::numberOf(tm::product(node.context(), result));
    result[*open] = rest && (!all || !others || *all % *others == 0) ? rest
                    : all && others                                  ? tm::Extent()
                                                                     : node.unknownExtent(*open);
  }
  const auto before = tm::numberOf(total),
             after = tm::numberOf(tm::product(node.context(), result));
  if (llvm::is_contained(result, tm::Extent()) || (before && after && *before != *after)) {
    node.fail("the elements of " + tm::extentsText(from) + " do not fill " +
              tm::extentsText(tm::ExtentList(wanted.begin(), wanted.end())));
    return std::nullopt;
  }
  return result;
}

std::optional<tm::ExtentList> productExtents(NodeBuilder &node, const tm::ExtentList &lhs,
                                             const tm::ExtentList &rhs) {
  const auto fault = [&]() -> std::optional<tm::ExtentList> {
    node.fail("matrices of " + tm::extentsText(lhs) + " and " + tm::extentsText(rhs) +
              " cannot be multiplied");
    return std::nullopt;
  };
  tm::ExtentList left = lhs, right = rhs;
  if (left.empty() || right.empty())
    return fault();
  const bool isRow = left.size() == 1, isColumn = right.size() == 1;
  if (isRow)
    left.insert(left.begin(), node.number(1));
  if (isColumn)
    right.push_back(node.number(1));
  const auto inner = tm::numberOf(left.back()), outer = tm::numberOf(right[right.size() - 2]);
  if (inner && outer && *inner != *outer)
    return fault();
  const tm::Extent rows = left[left.size() - 2], columns = right.back();
  tm::ExtentList result;
  const size_t batch = std::max(left.size(), right.size()) - 2;
  for (size_t axis = 0; axis < batch; ++axis) {
    const auto at = [&](const tm::ExtentList &extents) {
      const size_t missing = batch + 2 - extents.size();
      return axis < missing ? node.number(1) : extents[axis - missing];
    };
    result.push_back(tm::repeated(at(left), at(right)));
    if (!result.back())
      return fault();
  }
  if (!isRow)
    result.push_back(rows);
  if (!isColumn)
    result.push_back(columns);
  return result;
}

std::optional<tm::ExtentList> joinedExtents(NodeBuilder &node, ArrayRef<Value> parts, size_t axis) {
  const auto extentsOf = [](Value part) {
    return tm::extentsOf(cast<RankedTensorType>(part.getType()));
  };
  tm::ExtentList result = extentsOf(parts.front());
  for (const Value part : parts.drop_front()) {
    const tm::ExtentList extents = extentsOf(part);
    for (size_t each = 0; each < result.size(); ++each) {
      const auto have = tm::numberOf(result[each]), more = extents.size() == result.size()
                                                               ? tm::numberOf(extents[each])
                                                               : std::optional<int64_t>(-1);
      if (extents.size() != result.size() || (each != axis && have && more && *have != *more)) {
        node.fail("tensors of " + tm::extentsText(result) + " and " + tm::extentsText(extents) +
                  " do not go together along axis " + std::to_string(axis));
        return std::nullopt;
      }
      if (each == axis)
        result[each] = tm::add(result[each], extents[each]);
      else if (!have)
        result[each] = more ? extents[each] : result[each];
    }
  }
  return result;
}

/// The bound counted from the front, within the axis; `least` and `most` are where it may be.
static tm::Extent boundedBy(tm::Extent bound, tm::Extent extent, int64_t least, tm::Extent most) {
  const auto value = tm::numberOf(bound);
  if (value && *value < 0)
    bound = tm::add(bound, extent);
  const auto from = tm::numberOf(bound), size = tm::numberOf(most);
  const tm::Extent lowest = tm::number(extent.getContext(), least);
  if (from && size)
    return tm::number(extent.getContext(), std::clamp(*from, least, std::max(least, *size)));
  // Of a symbolic axis: what is far behind its end or before its front.
  if (value && *value >= tm::kMostExtent / 2)
    return most;
  if (value && *value <= -tm::kMostExtent / 2)
    return lowest;
  if (bound == most || bound == extent)
    return bound == extent ? most : bound;
  return bound;
}

std::pair<tm::Extent, tm::Extent> slicedExtent(tm::Extent begin, tm::Extent end, int64_t step,
                                               tm::Extent extent) {
  MLIRContext *context = extent.getContext();
  const tm::Extent one = tm::number(context, 1), stride = tm::number(context, step);
  // Nothing has no last element to begin at.
  if (tm::isNumber(extent, 0))
    return {extent, extent};
  if (step > 0) {
    begin = boundedBy(begin, extent, 0, extent);
    end = boundedBy(end, extent, 0, extent);
  } else {
    begin = boundedBy(begin, extent, 0, tm::subtract(extent, one));
    // The end is before the front where it is that far below 0.
    const auto value = tm::numberOf(end);
    const auto size = tm::numberOf(extent);
    const bool isAll = value && (size ? *value < -*size : *value <= -tm::kMostExtent / 2);
    end = isAll ? tm::number(context, -1) : boundedBy(end, extent, -1, tm::subtract(extent, one));
  }
  const tm::Extent room = end && begin ? tm::subtract(end, begin) : tm::Extent();
  tm::Extent size = tm::ceilDivide(room, stride);
  if (const auto known = tm::numberOf(size); known && *known < 0)
    size = tm::number(context, 0);
  return {begin, size};
}

tm::ExtentList reducedExtents(ArrayRef<tm::Extent> extents, const std::vector<int64_t> &axes,
                              bool keeps) {
  tm::ExtentList result;
  for (const auto &[axis, extent] : llvm::enumerate(extents)) {
    const bool isReduced = llvm::is_contained(axes, int64_t(axis));
    if (!isReduced)
      result.push_back(extent);
    else if (keeps)
      result.push_back(tm::number(extent.getContext(), 1));
  }
  return result;
}

std::optional<tm::Extent> rangeExtent(NodeBuilder &node, const KnownElement &start,
                                      const KnownElement &limit, const KnownElement &step) {
  const auto x = start.value(), y = limit.value(), z = step.value();
  if (z == 0.0) {
    node.fail("its step is 0");
    return std::nullopt;
  }
  if (x && y && z) {
    const double count = std::max(0.0, std::ceil((*y - *x) / *z));
    return count <= double(tm::kMostExtent) ? node.number(int64_t(count)) : tm::Extent();
  }
  if (start.whole && limit.whole && step.whole)
    return tm::atLeastZero(tm::ceilDivide(tm::subtract(limit.whole, start.whole), step.whole));
  return node.unknownExtent(0);
}

} // namespace tilescope::model
