// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/arrays/TouchCells.h"

namespace tilescope::compiler::access {

/// Cells of one array at most.
static constexpr size_t kMostCells = size_t{4} << 20;

std::vector<ProgramBoxes> boxesOf(const TouchedArrays &arrays, size_t array,
                                  const ProgramRange &programs, TouchKind kind,
                                  const StepRange &steps, const std::stop_token &stop) {
  std::vector<ProgramBoxes> all;
  for (const TouchedArrays::ArrayRun &each : arrays.runs(array, programs)) {
    if (stop.stop_requested())
      break;
    const TouchRun &run = arrays.trace().runs[each.run];
    const TouchAccess &by = arrays.access(run.access);
    if (kind == TouchKind::Read ? !by.reads : !by.writes)
      continue;
    if (all.empty() || all.back().program != run.program)
      all.push_back({run.program, {}});
    std::vector<ElementBox> &boxes = all.back().boxes;
    for (const ElementBox &box : arrays.boxesOf(array, run, steps))
      if (boxes.empty() || boxes.back() != box)
        boxes.push_back(box);
  }
  return all;
}

TouchCells::TouchCells(const ArrayShape &shape, const std::vector<ProgramBoxes> &programs) {
  const std::array<int64_t, 3> extents{shape.slices, shape.rows, shape.columns};
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    m_edges[axis] = {0, extents[axis]};
    findEdges(axis, programs);
  }
  coarsen();
}

static void addEdges(const ElementBox &box, size_t axis, std::vector<int64_t> &edges) {
  if (box.step[axis] == 1) {
    edges.push_back(box.first[axis]);
    edges.push_back(box.first[axis] + box.count[axis]);
    return;
  }
  for (int64_t i = 0; i < box.count[axis]; ++i) {
    edges.push_back(box.first[axis] + i * box.step[axis]);
    edges.push_back(edges.back() + 1);
  }
}

void TouchCells::findEdges(size_t axis, const std::vector<ProgramBoxes> &programs) {
  std::vector<int64_t> &edges = m_edges[axis];
  size_t sorted = edges.size();
  const auto tidy = [&] {
    std::ranges::sort(edges);
    edges.erase(std::ranges::unique(edges).begin(), edges.end());
    sorted = edges.size();
  };
  for (const ProgramBoxes &program : programs)
    for (const ElementBox &box : program.boxes) {
      addEdges(box, axis, edges);
      // Most programs have edges that others have as well.
      constexpr size_t kMany = 4096;
      if (edges.size() > 2 * sorted + kMany)
        tidy();
    }
  tidy();
}

/// Leaves out edges of the axis with the most cells until there is room.
void TouchCells::coarsen() {
  while (numCells() > kMostCells) {
    std::vector<int64_t> &edges =
        *std::ranges::max_element(m_edges, {}, &std::vector<int64_t>::size);
    std::vector<int64_t> kept;
    for (size_t i = 0; i + 1 < edges.size(); i += 2)
      kept.push_back(edges[i]);
    kept.push_back(edges.back());
    edges = std::move(kept);
    m_isCoarse = true;
  }
}

size_t TouchCells::cellOf(size_t axis, int64_t place) const {
  const std::vector<int64_t> &edges = m_edges[axis];
  return static_cast<size_t>(std::ranges::upper_bound(edges, place) - edges.begin() - 1);
}

std::optional<size_t> TouchCells::at(const ArrayElement &element) const {
  const std::array<int64_t, 3> place{element.slice, element.row, element.column};
  for (size_t axis = 0; axis < place.size(); ++axis)
    if (m_edges[axis].empty() || place[axis] < 0 || place[axis] >= m_edges[axis].back())
      return std::nullopt;
  return index(cellOf(0, element.slice), cellOf(1, element.row), cellOf(2, element.column));
}

uint64_t TouchCells::numElements(size_t cell) const {
  const std::array<size_t, 3> place{cell / numAlong(2) / numAlong(1),
                                    cell / numAlong(2) % numAlong(1), cell % numAlong(2)};
  int64_t elements = 1;
  for (size_t axis = 0; axis < place.size(); ++axis)
    elements *= m_edges[axis][place[axis] + 1] - m_edges[axis][place[axis]];
  return static_cast<uint64_t>(elements);
}

uint64_t TouchCells::numVisits(const ElementBox &box) const {
  uint64_t visits = 1;
  for (size_t axis = 0; axis < 3; ++axis)
    visits *= box.step[axis] > 1
                  ? static_cast<uint64_t>(box.count[axis])
                  : cellOf(axis, box.end(axis) - 1) - cellOf(axis, box.first[axis]) + 1;
  return visits;
}

/// The cells that a box touches along an axis.
std::vector<TouchCells::Span> TouchCells::spansOf(const ElementBox &box, size_t axis) const {
  if (box.step[axis] == 1)
    return {{cellOf(axis, box.first[axis]), cellOf(axis, box.end(axis) - 1) + 1}};
  std::vector<Span> spans;
  for (int64_t i = 0; i < box.count[axis]; ++i)
    if (const size_t cell = cellOf(axis, box.first[axis] + i * box.step[axis]);
        spans.empty() || spans.back().second <= cell)
      spans.emplace_back(cell, cell + 1);
  return spans;
}

} // namespace tilescope::compiler::access
