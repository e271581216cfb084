// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where tensors that live for some steps lie in one piece of memory. The largest ones are placed first, each
// in the smallest gap that it fits into between those that live together with it, or behind them (greedy by
// size, arXiv 2001.03288):
//
//   a: 4 bytes, steps 0 and 1      5 | . b b
//   b: 2 bytes, steps 1 and 2      4 | . b b      a and c at 0, b at 4: 6 bytes, as many as step 1 needs
//   c: 3 bytes, step 2             0 | a a c
//                                    0 1 2
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tilescope::model {

/// Offsets are multiples of this many bytes.
inline constexpr int64_t kArenaAlignment = 256;

/// Larger tensors count as this many bytes, so that no sum of them is out of range. None of them is run.
inline constexpr int64_t kMostPlannedBytes = int64_t{1} << 44;

/// A tensor from the step that writes it to the last one that reads it, both included.
struct Lifetime {
  int64_t bytes = 0;
  int64_t first = 0, last = 0;

  bool livesWith(const Lifetime &other) const { return first <= other.last && other.first <= last; }
};

struct Arena {
  /// One for each lifetime.
  std::vector<int64_t> offsets;
  int64_t bytes = 0;
  /// What the tensors of the fullest step take: no arena is smaller.
  int64_t leastBytes = 0;
};

/// `alignment`: sizes are rounded up to multiples of it.
Arena planArena(std::span<const Lifetime> lifetimes, int64_t alignment = kArenaAlignment);

} // namespace tilescope::model
