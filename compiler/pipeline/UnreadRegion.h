// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which elements of a tensor a run has left out, in words. Only an order that a mistake would leave is told: blocks that
// end before the data do, programs that are missing, a loop that stops too early.
//
//     read            . . . . # #       told: `x[:, 4:6]`, the last 2 of its 6 columns
//                     . . . . # #
//
//     read            . # . # . #       not told: the kernel takes every second one
//
//     read            . # #             not told: the halves of a causal mask, a band, what an index picks
//                     . . #
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// One bit for each element of a tensor. Threads may mark at the same time.
class ElementMarks {
public:
  explicit ElementMarks(int64_t size);

  int64_t size() const { return m_size; }
  /// Those in [begin, end), as far as there are such.
  void mark(int64_t begin, int64_t end);
  bool has(int64_t element) const;
  int64_t count() const;

private:
  int64_t m_size;
  std::vector<std::atomic<uint64_t>> m_words;
};

/// What was left out along one axis: [begin, end), and others like it behind.
struct UnreadRange {
  size_t axis = 0;
  int64_t begin = 0, end = 0;
  int64_t numRanges = 1;
  /// Places along the axis, of all ranges.
  int64_t count = 0;
  bool operator==(const UnreadRange &) const = default;
};

struct UnreadRegion {
  int64_t numElements = 0, numUnread = 0;
  /// Each is left out whatever the other axes are.
  std::vector<UnreadRange> ranges;
  /// In row-major order, all from the element `begin` of `ranges` on; the axes tell nothing.
  bool isFlat = false;
  bool operator==(const UnreadRegion &) const = default;
};

/// Nothing where all is marked, or nothing at all, or what is left out looks meant. `bounds`: by axis the
/// numbers at which the kernel ends because it is told to.
std::optional<UnreadRegion> unreadRegion(const ElementMarks &marks,
                                         const std::vector<int64_t> &shape,
                                         const std::vector<std::set<int64_t>> &bounds);

/// "`x[:, 64:80]`, the last 16 of its 80 columns: 512 of 2560 elements".
std::string regionText(const UnreadRegion &region, const std::string &name,
                       const std::vector<int64_t> &shape);

} // namespace tilescope::compiler
