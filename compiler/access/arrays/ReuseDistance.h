// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How much is read between two reads of the same element: if that is more than the L2 cache holds,
// the second read comes from memory again. Programs of one wave read at the same time; between waves
// the cache keeps what was read last.
//
// Worked example (asserted by the unit test "a band is far from its next use when tiles go row by
// row"): a product of 16 x 16 tiles, 16 programs at once, row by row. Each wave reads one band of A,
// and all 16 bands of B, which the wave before has read: everything between two reads of a band of B
// are these 17 bands. With a cache of 16 bands, all of B is fetched again by every wave.
#pragma once

#include "compiler/access/arrays/TouchCounts.h"

namespace tilescope::compiler::access {

/// Of an H200.
inline constexpr uint64_t kUsualCacheBytes = uint64_t{50} << 20;
/// The unit of distances.
inline constexpr uint64_t kDistanceBytes = 1024;

struct ReuseDistance {
  /// By array: the longest distance of an element, at least 1; 0: no other wave reads it again.
  std::vector<TouchCounts> distances;
  /// Of all waves: what is different in each, added up, and what of it comes from memory.
  uint64_t bytesRead = 0, bytesFetched = 0;
  uint64_t cacheBytes = 0;
};

/// Nothing when it was stopped, or the trace lacks programs.
std::optional<ReuseDistance> findReuse(const TouchedArrays &arrays, uint64_t atOnce,
                                       uint64_t cacheBytes, const std::stop_token &stop = {});

} // namespace tilescope::compiler::access
