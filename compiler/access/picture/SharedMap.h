// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where the parts of a map of shared memory lie: bytes go to the right, the program goes down.
//
// Worked example (asserted by the unit test "the worked example of the map"): two buffers of 64 and
// 32 bytes, and scratch that takes the first one's place when that has ended. Of six steps, 0 and 4
// neither access nor begin nor end anything, so they are folded:
//
//     step 0      ···············              folded
//     step 1      [ a       ]
//     step 2      [ a       ][ b ]
//     step 3      [ a       ][ b ]
//     step 4      ···········[ b ]             folded
//     step 5      [ scratch ][ b ]
//
#pragma once

#include "compiler/access/picture/RequestGrid.h"
#include "compiler/artifacts/SharedFacts.h"

namespace tilescope::compiler::access {

/// Steps that are drawn as one row, half-open: a single one, or several that are folded.
struct SharedRow {
  uint32_t begin = 0, end = 0;
  bool isFolded = false;
  bool operator==(const SharedRow &) const = default;
};

/// In pixels; the first byte at the beginning of the kernel is the origin. Holds its own copy of
/// what it needs.
class SharedMap {
public:
  struct Size {
    double width = 1;
    double rowHeight = 1;
    double foldedHeight = 1;
    /// What is smaller is drawn so wide.
    double leastBox = 0;
  };
  SharedMap() = default;
  SharedMap(const SharedFacts &facts, const Size &size);

  /// The rows of a kernel.
  static std::vector<SharedRow> rowsOf(const SharedFacts &facts);
  /// The row height at which everything fits into `height`, within `least` and `most`.
  static double fittingRowHeight(const SharedFacts &facts, double height, double foldedHeight,
                                 double least, double most);

  const std::vector<SharedRow> &rows() const { return m_rows; }
  double width() const { return m_size.width; }
  double height() const { return m_tops.empty() ? 0 : m_tops.back(); }
  double rowHeight() const { return m_size.rowHeight; }
  /// The whole width of a row.
  GridRect row(size_t index) const;
  size_t rowOf(uint32_t step) const;
  /// The rows that touch a band from `top` to `bottom`, half-open.
  Interval rowsIn(double top, double bottom) const;
  const GridRect &box(size_t buffer) const { return m_boxes[buffer]; }
  size_t numBoxes() const { return m_boxes.size(); }
  /// How far to the right a byte is.
  double xOf(int64_t byte) const;

private:
  Size m_size;
  int64_t m_total = 1;
  std::vector<SharedRow> m_rows;
  /// Of each row, and behind the last one.
  std::vector<double> m_tops;
  std::vector<GridRect> m_boxes;
};

/// The smallest box at a point; -1: there is none.
int bufferAt(const SharedMap &map, GridPoint point);
/// Where an arrow key leads from a buffer: to the nearest box in that direction; the same one at an
/// edge.
int bufferFrom(const SharedMap &map, int buffer, Step step);
/// A distance between round offsets, in bytes, such that about `most` of them fit.
int64_t offsetStep(int64_t total, int most);

/// What a slot of a ring holds in one iteration.
struct RingCell {
  /// -1: nothing yet.
  int32_t block = -1;
  bool isWritten = false, isRead = false;
  bool operator==(const RingCell &) const = default;
};
/// A row for the time before the loop, and one for each iteration; a cell for each slot.
std::vector<std::vector<RingCell>> ringTable(const SharedFacts &facts, const SharedRing &ring);

} // namespace tilescope::compiler::access
