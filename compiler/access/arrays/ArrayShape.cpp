// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/arrays/ArrayShape.h"

#include <algorithm>
#include <cmath>

namespace tilescope::compiler::access {

int64_t usualFold(int64_t numElements) {
  constexpr int64_t kOneRow = 64;
  if (numElements <= kOneRow)
    return std::max<int64_t>(1, numElements);
  int64_t columns = 1;
  while (columns * columns < 2 * numElements)
    columns *= 2;
  return columns;
}

ArrayShape arrayShape(const RecordedArgument &argument, int64_t foldColumns) {
  ArrayShape shape;
  shape.extents = argument.shape;
  shape.elementBytes = std::max(1, argument.elementBytes);
  for (const int64_t extent : shape.extents)
    shape.numElements *= extent;
  if (shape.extents.size() == 1) {
    shape.columns = std::clamp<int64_t>(foldColumns, 1, std::max<int64_t>(1, shape.numElements));
    shape.rows = (shape.numElements + shape.columns - 1) / shape.columns;
  } else if (!shape.extents.empty()) {
    shape.columns = shape.extents.back();
    shape.rows = shape.extents[shape.extents.size() - 2];
    const int64_t slice = shape.columns * shape.rows;
    shape.slices = slice > 0 ? shape.numElements / slice : 1;
  }
  return shape;
}

bool ElementBox::contains(int64_t slice, int64_t row, int64_t column) const {
  const std::array<int64_t, 3> place{slice, row, column};
  for (size_t axis = 0; axis < place.size(); ++axis) {
    const int64_t from = place[axis] - first[axis];
    if (from < 0 || from % step[axis] != 0 || from / step[axis] >= count[axis])
      return false;
  }
  return true;
}

ArrayElement elementAt(const ArrayShape &shape, int64_t number) {
  return {number / shape.columns / shape.rows, number / shape.columns % shape.rows,
          number % shape.columns};
}

int64_t numberOf(const ArrayShape &shape, const ArrayElement &element) {
  return (element.slice * shape.rows + element.row) * shape.columns + element.column;
}

std::vector<int64_t> indexOf(const ArrayShape &shape, const ArrayElement &element) {
  int64_t rest = numberOf(shape, element);
  std::vector<int64_t> index(shape.extents.size());
  for (size_t dim = index.size(); dim-- > 0; rest /= shape.extents[dim])
    index[dim] = rest % shape.extents[dim];
  return index;
}

namespace {

/// Elements in one direction, in elements of the array.
struct Direction {
  int64_t extent = 1, stride = 1;
};

/// Divides elements at equal distances into boxes.
class BoxMaker {
public:
  BoxMaker(const ArrayShape &shape, size_t most)
      : m_strides{shape.rows * shape.columns, shape.columns, 1},
        m_extents{shape.slices, shape.rows, shape.columns}, m_numElements(shape.numElements),
        m_most(most) {}

  void add(int64_t first, std::vector<Direction> directions);
  std::vector<ElementBox> take() { return std::move(m_boxes); }

private:
  bool addWhole(int64_t first, const std::vector<Direction> &directions);
  /// Adds the elements of a direction from `at` on, and those before, each by itself.
  void divide(int64_t first, const std::vector<Direction> &directions, size_t which, int64_t at);
  bool wrap(int64_t first, const std::vector<Direction> &directions, size_t which);
  size_t axisOf(const Direction &direction) const;
  size_t halved(const std::vector<Direction> &directions) const;
  int64_t indexAt(int64_t number, size_t axis) const {
    return number / m_strides[axis] % std::max<int64_t>(1, m_extents[axis]);
  }

  std::array<int64_t, 3> m_strides, m_extents;
  int64_t m_numElements;
  size_t m_most;
  std::vector<ElementBox> m_boxes;
};

} // namespace

/// The outermost axis that the direction goes along.
size_t BoxMaker::axisOf(const Direction &direction) const {
  size_t axis = 0;
  while (axis < 2 && (m_extents[axis] == 1 || direction.stride % m_strides[axis] != 0))
    ++axis;
  return axis;
}

bool BoxMaker::addWhole(int64_t first, const std::vector<Direction> &directions) {
  ElementBox box;
  for (size_t axis = 0; axis < 3; ++axis)
    box.first[axis] = indexAt(first, axis);
  for (const Direction &direction : directions) {
    const size_t axis = axisOf(direction);
    const int64_t step = direction.stride / m_strides[axis];
    if (box.count[axis] > 1 || box.first[axis] + step * (direction.extent - 1) >= m_extents[axis])
      return false;
    box.count[axis] = direction.extent;
    box.step[axis] = step;
  }
  m_boxes.push_back(box);
  return true;
}

void BoxMaker::divide(int64_t first, const std::vector<Direction> &directions, size_t which,
                      int64_t at) {
  std::vector<Direction> parts = directions;
  const Direction whole = directions[which];
  parts[which].extent = at;
  add(first, parts);
  parts[which].extent = whole.extent - at;
  add(first + at * whole.stride, parts);
}

/// A direction that reaches over the end of its axis, cut there; whole rows stay together.
bool BoxMaker::wrap(int64_t first, const std::vector<Direction> &directions, size_t which) {
  const Direction &direction = directions[which];
  const size_t axis = axisOf(direction);
  const int64_t step = direction.stride / m_strides[axis];
  const int64_t index = indexAt(first, axis);
  if (index + step * (direction.extent - 1) < m_extents[axis])
    return false;
  const int64_t inRow = m_extents[axis] / std::max<int64_t>(1, step);
  const int64_t whole = inRow > 0 ? direction.extent / inRow : 0;
  if (axis > 0 && m_extents[axis] % step == 0 && index < step && whole > 0) {
    if (direction.extent % inRow != 0) {
      divide(first, directions, which, whole * inRow);
      return true;
    }
    std::vector<Direction> parts = directions;
    parts[which] = {whole, m_strides[axis] * m_extents[axis]};
    parts.push_back({inRow, direction.stride});
    add(first, parts);
    return true;
  }
  divide(first, directions, which, (m_extents[axis] - 1 - index) / step + 1);
  return true;
}

void BoxMaker::add(int64_t first, std::vector<Direction> directions) {
  std::erase_if(directions, [](const Direction &each) { return each.extent == 1; });
  int64_t last = first;
  for (const Direction &direction : directions)
    last += (direction.extent - 1) * direction.stride;
  if (m_boxes.size() >= m_most || last < 0 || first >= m_numElements)
    return;
  const bool isInside = first >= 0 && last < m_numElements;
  if (isInside && addWhole(first, directions))
    return;
  for (size_t which = 0; isInside && which < directions.size(); ++which)
    if (wrap(first, directions, which))
      return;
  // Two directions along one axis, or a part outside: halved until the rest is in order.
  if (!directions.empty()) {
    const size_t which = halved(directions);
    divide(first, directions, which, directions[which].extent / 2);
  }
}

/// The shorter of two directions along one axis; else the one with the largest stride.
size_t BoxMaker::halved(const std::vector<Direction> &directions) const {
  for (size_t i = 0; i < directions.size(); ++i)
    for (size_t other = 0; other < i; ++other)
      if (axisOf(directions[i]) == axisOf(directions[other]))
        return directions[i].extent < directions[other].extent ? i : other;
  const auto widest = std::ranges::max_element(directions, {}, &Direction::stride);
  return static_cast<size_t>(widest - directions.begin());
}

/// What follows each other without gaps is one direction.
static std::vector<Direction> joined(std::vector<Direction> directions) {
  std::ranges::stable_sort(directions, std::greater(), &Direction::stride);
  std::vector<Direction> result;
  for (const Direction &inner : directions) {
    if (inner.extent == 1 || inner.stride == 0)
      continue;
    if (!result.empty() && result.back().stride == inner.stride * inner.extent)
      result.back() = {result.back().extent * inner.extent, inner.stride};
    else if (!result.empty() && result.back().stride == inner.stride)
      result.back().extent += inner.extent - 1;
    else
      result.push_back(inner);
  }
  return result;
}

int64_t floorDivide(int64_t value, int64_t by) {
  return value / by - (value % by != 0 && value < 0);
}

std::vector<ElementBox> boxesOf(const ArrayShape &shape, int64_t offsetBytes,
                                std::vector<TouchDim> dims, int32_t accessBytes, size_t mostBoxes) {
  const int64_t unit = shape.elementBytes;
  if (shape.numElements <= 0 || mostBoxes == 0)
    return {};
  dims.push_back({std::max<int64_t>(1, accessBytes / unit), unit});
  std::vector<Direction> directions;
  for (TouchDim dim : dims) {
    if (dim.strideBytes < 0) {
      offsetBytes += (dim.extent - 1) * dim.strideBytes;
      dim.strideBytes = -dim.strideBytes;
    }
    // Parts of elements stand for the elements that they are of.
    if (dim.strideBytes % unit != 0)
      dim = {((dim.extent - 1) * dim.strideBytes + accessBytes + unit - 1) / unit, unit};
    directions.push_back({dim.extent, dim.strideBytes / unit});
  }
  BoxMaker maker(shape, mostBoxes);
  maker.add(floorDivide(offsetBytes, unit), joined(std::move(directions)));
  return maker.take();
}

} // namespace tilescope::compiler::access
