// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/plan/Arena.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace tilescope::model {

static int64_t aligned(int64_t bytes, int64_t alignment) {
  bytes = std::min(bytes, kMostPlannedBytes);
  return (bytes + alignment - 1) / alignment * alignment;
}

/// The most that lives in one step.
static int64_t fullestStep(std::span<const Lifetime> lifetimes, int64_t alignment) {
  std::map<int64_t, int64_t> changes;
  for (const Lifetime &each : lifetimes) {
    changes[each.first] += aligned(each.bytes, alignment);
    changes[each.last + 1] -= aligned(each.bytes, alignment);
  }
  int64_t now = 0, most = 0;
  for (const auto &[step, change] : changes) {
    now += change;
    most = std::max(most, now);
  }
  return most;
}

namespace {
/// Tensors with their places, by offset.
class Places {
public:
  Places(std::span<const Lifetime> lifetimes, int64_t alignment)
      : m_lifetimes(lifetimes), m_alignment(alignment) {}

  /// In the smallest gap between those that live with it, else behind them.
  int64_t place(size_t number) {
    const Lifetime &lifetime = m_lifetimes[number];
    const int64_t size = aligned(lifetime.bytes, m_alignment);
    int64_t end = 0, best = -1, smallest = 0;
    for (const auto &[begin, other] : m_placed) {
      if (!lifetime.livesWith(m_lifetimes[other]))
        continue;
      const int64_t gap = begin - end;
      if (gap >= size && (best < 0 || gap < smallest)) {
        best = end;
        smallest = gap;
      }
      end = std::max(end, begin + aligned(m_lifetimes[other].bytes, m_alignment));
    }
    const int64_t offset = best < 0 ? end : best;
    m_placed.emplace(offset, number);
    return offset;
  }

private:
  std::span<const Lifetime> m_lifetimes;
  int64_t m_alignment;
  std::multimap<int64_t, size_t> m_placed;
};
} // namespace

Arena planArena(std::span<const Lifetime> lifetimes, int64_t alignment) {
  Arena arena;
  arena.offsets.assign(lifetimes.size(), 0);
  arena.leastBytes = fullestStep(lifetimes, alignment);
  std::vector<size_t> order(lifetimes.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::stable_sort(
      order, [&](size_t a, size_t b) { return lifetimes[a].bytes > lifetimes[b].bytes; });
  Places places(lifetimes, alignment);
  for (const size_t each : order) {
    if (lifetimes[each].bytes == 0)
      continue;
    arena.offsets[each] = places.place(each);
    arena.bytes =
        std::max(arena.bytes, arena.offsets[each] + aligned(lifetimes[each].bytes, alignment));
  }
  return arena;
}

} // namespace tilescope::model
