// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/arrays/TouchCounts.h"

namespace tilescope::compiler::access {

/// Visits of cells by programs, at most.
static constexpr uint64_t kMostVisits = uint64_t{100} << 20;

TouchCounts::TouchCounts(TouchCells cells, std::vector<uint32_t> counts, uint64_t sampledEvery)
    : m_cells(std::move(cells)), m_counts(std::move(counts)), m_sampledEvery(sampledEvery) {
  for (size_t cell = 0; cell < m_counts.size(); ++cell) {
    const uint32_t count = m_counts[cell];
    if (count == 0)
      continue;
    const uint64_t elements = m_cells.numElements(cell);
    m_most = std::max(m_most, count);
    m_least = m_least == 0 ? count : std::min(m_least, count);
    m_different += elements;
    m_total += elements * count;
  }
}

uint32_t TouchCounts::at(const ArrayElement &element) const {
  const std::optional<size_t> cell = m_cells.at(element);
  return cell ? m_counts[*cell] : 0;
}

/// The cells that each of `parts` equal parts of `count` places from `from` on touches.
static std::vector<std::pair<size_t, size_t>>
cellsOfParts(const std::vector<int64_t> &edges, double from, double count, int64_t parts) {
  std::vector<std::pair<size_t, size_t>> cells;
  size_t first = 0;
  for (int64_t part = 0; part < parts; ++part) {
    const double length = count / static_cast<double>(parts);
    const auto begin = std::clamp<int64_t>(
        static_cast<int64_t>(from + static_cast<double>(part) * length), 0, edges.back() - 1);
    const auto end = std::min(
        edges.back(),
        std::max(begin + 1, static_cast<int64_t>(from + static_cast<double>(part + 1) * length)));
    while (edges[first + 1] <= begin)
      ++first;
    size_t last = first;
    while (edges[last + 1] < end)
      ++last;
    cells.emplace_back(first, last + 1);
  }
  return cells;
}

std::vector<uint32_t> TouchCounts::picture(int64_t slice, const ArrayWindow &window, int64_t width,
                                           int64_t height) const {
  std::vector<uint32_t> picture(static_cast<size_t>(std::max<int64_t>(0, width * height)));
  if (m_counts.empty() || slice < 0 || slice >= m_cells.edges(0).back())
    return picture;
  const size_t sliceCell = m_cells.cellOf(0, slice);
  const auto rows = cellsOfParts(m_cells.edges(1), window.row, window.rows, height);
  const auto columns = cellsOfParts(m_cells.edges(2), window.column, window.columns, width);
  size_t pixel = 0;
  for (size_t y = 0; y < rows.size(); ++y) {
    // Rows that are alike are copied.
    if (y > 0 && rows[y] == rows[y - 1]) {
      std::copy_n(picture.begin() + static_cast<ptrdiff_t>(pixel - columns.size()), columns.size(),
                  picture.begin() + static_cast<ptrdiff_t>(pixel));
      pixel += columns.size();
      continue;
    }
    for (const auto &[firstColumn, lastColumn] : columns) {
      uint32_t most = 0;
      for (size_t row = rows[y].first; row < rows[y].second; ++row)
        for (size_t column = firstColumn; column < lastColumn; ++column)
          most = std::max(most, m_counts[m_cells.index(sliceCell, row, column)]);
      picture[pixel++] = most;
    }
  }
  return picture;
}

/// Nothing when it was stopped.
static std::optional<TouchCounts> count(const ArrayShape &shape,
                                        const std::vector<ProgramBoxes> &programs,
                                        const std::stop_token &stop) {
  TouchCells cells(shape, programs);
  uint64_t visits = 0;
  for (const ProgramBoxes &program : programs)
    for (const ElementBox &box : program.boxes)
      visits += cells.numVisits(box);
  const uint64_t every = visits / kMostVisits + 1;
  // By cell: the last program that touched it, from 1.
  std::vector<uint32_t> counts(cells.numCells()), last(cells.numCells());
  for (size_t i = 0; i < programs.size(); i += every) {
    if (stop.stop_requested())
      return std::nullopt;
    const uint32_t number = programs[i].program + 1;
    for (const ElementBox &box : programs[i].boxes)
      cells.visit(box, [&](size_t cell) {
        if (std::exchange(last[cell], number) != number)
          ++counts[cell];
      });
  }
  return TouchCounts(std::move(cells), std::move(counts), every);
}

std::optional<TouchCounts> countTouches(const TouchedArrays &arrays, size_t array,
                                        const ProgramRange &programs, TouchKind kind,
                                        const std::stop_token &stop) {
  const std::vector<ProgramBoxes> boxes = boxesOf(arrays, array, programs, kind, {}, stop);
  if (stop.stop_requested())
    return std::nullopt;
  return count(arrays.shape(array), boxes, stop);
}

uint64_t numTouched(const TouchedArrays &arrays, size_t array, uint64_t program, TouchKind kind,
                    const StepRange &steps) {
  const std::vector<ProgramBoxes> boxes =
      boxesOf(arrays, array, {program, program + 1}, kind, steps);
  if (boxes.empty())
    return 0;
  if (boxes.front().boxes.size() == 1)
    return static_cast<uint64_t>(boxes.front().boxes.front().numElements());
  return count(arrays.shape(array), boxes, {})->different();
}

} // namespace tilescope::compiler::access
