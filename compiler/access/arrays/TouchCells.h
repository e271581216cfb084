// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// An array cut where the boxes of programs begin and end: all elements of a cell are touched by the
// same programs.
#pragma once

#include "compiler/access/arrays/TouchedArrays.h"

#include <algorithm>
#include <optional>
#include <stop_token>

namespace tilescope::compiler::access {

enum class TouchKind { Read, Written };

/// What one program touches of an array.
struct ProgramBoxes {
  uint32_t program = 0;
  std::vector<ElementBox> boxes;
};
/// Of the programs of a range that the trace has and that touch the array, in their order.
std::vector<ProgramBoxes> boxesOf(const TouchedArrays &arrays, size_t array,
                                  const ProgramRange &programs, TouchKind kind,
                                  const StepRange &steps = {}, const std::stop_token &stop = {});

class TouchCells {
public:
  /// No cells.
  TouchCells() = default;
  TouchCells(const ArrayShape &shape, const std::vector<ProgramBoxes> &programs);

  size_t numCells() const { return numAlong(0) * numAlong(1) * numAlong(2); }
  size_t numAlong(size_t axis) const {
    return m_edges[axis].empty() ? 0 : m_edges[axis].size() - 1;
  }
  /// Where cells begin along an axis, and behind the last one, where they end.
  const std::vector<int64_t> &edges(size_t axis) const { return m_edges[axis]; }
  /// There was no room for all: a cell may hold elements that are not alike.
  bool isCoarse() const { return m_isCoarse; }

  size_t index(size_t slice, size_t row, size_t column) const {
    return (slice * numAlong(1) + row) * numAlong(2) + column;
  }
  /// Along one axis.
  size_t cellOf(size_t axis, int64_t place) const;
  std::optional<size_t> at(const ArrayElement &element) const;
  uint64_t numElements(size_t cell) const;

  /// Cells that a box touches.
  uint64_t numVisits(const ElementBox &box) const;
  /// Calls `visit` with each of them.
  template <typename Visit> void visit(const ElementBox &box, const Visit &visit) const;

private:
  /// Half-open.
  using Span = std::pair<size_t, size_t>;
  std::vector<Span> spansOf(const ElementBox &box, size_t axis) const;
  void findEdges(size_t axis, const std::vector<ProgramBoxes> &programs);
  void coarsen();

  std::array<std::vector<int64_t>, 3> m_edges;
  bool m_isCoarse = false;
};

template <typename Visit> void TouchCells::visit(const ElementBox &box, const Visit &visit) const {
  const std::vector<Span> slices = spansOf(box, 0), rows = spansOf(box, 1),
                          columns = spansOf(box, 2);
  for (const auto &[firstSlice, lastSlice] : slices)
    for (size_t slice = firstSlice; slice < lastSlice; ++slice)
      for (const auto &[firstRow, lastRow] : rows)
        for (size_t row = firstRow; row < lastRow; ++row)
          for (const auto &[firstColumn, lastColumn] : columns)
            for (size_t column = firstColumn; column < lastColumn; ++column)
              visit(index(slice, row, column));
}

} // namespace tilescope::compiler::access
