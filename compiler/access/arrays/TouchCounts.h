// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How many programs touch each element of an array. Nothing is stored for each element, but for
// each of a few cells.
//
// Worked example (asserted by the unit test "tiles of a product are counted by cells"): a matrix of
// 256 x 256, of which each of 4 x 4 programs reads a band of 64 rows. There are 4 cells of 64 x 256
// elements, and each is read by 4 programs.
#pragma once

#include "compiler/access/arrays/ArrayPlaces.h"
#include "compiler/access/arrays/TouchCells.h"

namespace tilescope::compiler::access {

/// A number for each element of an array that is touched; 0 for the others.
class TouchCounts {
public:
  /// Nothing is touched.
  TouchCounts() = default;
  TouchCounts(TouchCells cells, std::vector<uint32_t> counts, uint64_t sampledEvery = 1);

  uint32_t at(const ArrayElement &element) const;
  uint32_t most() const { return m_most; }
  /// Of those elements that have one; 0: none has.
  uint32_t least() const { return m_least; }
  /// Elements that have one; and the sum over all elements.
  uint64_t different() const { return m_different; }
  uint64_t total() const { return m_total; }
  /// Every how many-th of the programs was counted, so that it takes no longer than a moment.
  uint64_t sampledEvery() const { return m_sampledEvery; }
  const TouchCells &cells() const { return m_cells; }

  /// The most of each of `width` x `height` equal parts of what is in sight of a slice.
  std::vector<uint32_t> picture(int64_t slice, const ArrayWindow &window, int64_t width,
                                int64_t height) const;

private:
  TouchCells m_cells;
  std::vector<uint32_t> m_counts;
  uint32_t m_most = 0, m_least = 0;
  uint64_t m_different = 0, m_total = 0;
  uint64_t m_sampledEvery = 1;
};

/// Counts the programs of a range that the trace has. Nothing when it was stopped.
std::optional<TouchCounts> countTouches(const TouchedArrays &arrays, size_t array,
                                        const ProgramRange &programs, TouchKind kind,
                                        const std::stop_token &stop = {});

/// Different elements that one program touches in some steps.
uint64_t numTouched(const TouchedArrays &arrays, size_t array, uint64_t program, TouchKind kind,
                    const StepRange &steps);

} // namespace tilescope::compiler::access
