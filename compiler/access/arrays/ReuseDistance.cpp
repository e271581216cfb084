// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/arrays/ReuseDistance.h"

namespace tilescope::compiler::access {
namespace {

/// The cells of one array on their way through the waves.
struct TrackedArray {
  std::vector<ProgramBoxes> programs;
  TouchCells cells;
  uint64_t elementBytes = 1;
  /// By cell: the last wave that read it, from 1; 0: none did.
  std::vector<uint32_t> last;
  std::vector<uint32_t> distances;
  /// The first of its programs that did not run yet.
  size_t next = 0;
};

/// What the waves leave in the cache, latest first.
class CacheHistory {
public:
  explicit CacheHistory(uint64_t waves) : m_bytes(waves + 2), m_since(waves + 2) {}

  /// Before a wave reads.
  void begin(uint32_t wave) {
    m_since[wave] = 0;
    for (uint32_t earlier = wave; earlier-- > 1;)
      m_since[earlier] = m_since[earlier + 1] + m_bytes[earlier];
  }
  /// Different bytes that were read last in an earlier wave or since.
  uint64_t since(uint32_t wave) const { return m_since[wave]; }
  void move(uint32_t from, uint32_t to, uint64_t bytes) {
    if (from > 0)
      m_bytes[from] -= bytes;
    m_bytes[to] += bytes;
  }

private:
  /// By wave, from 1: what was read last by it.
  std::vector<uint64_t> m_bytes, m_since;
};

} // namespace

static std::vector<TrackedArray> track(const TouchedArrays &arrays, const ProgramRange &all,
                                       const std::stop_token &stop) {
  std::vector<TrackedArray> tracked;
  for (size_t array = 0; array < arrays.numArrays() && !stop.stop_requested(); ++array) {
    TrackedArray &each = tracked.emplace_back();
    each.programs = boxesOf(arrays, array, all, TouchKind::Read, {}, stop);
    each.cells = TouchCells(arrays.shape(array), each.programs);
    each.elementBytes = static_cast<uint64_t>(arrays.shape(array).elementBytes);
    each.last.resize(each.cells.numCells());
    each.distances.resize(each.cells.numCells());
  }
  return tracked;
}

std::optional<ReuseDistance> findReuse(const TouchedArrays &arrays, uint64_t atOnce,
                                       uint64_t cacheBytes, const std::stop_token &stop) {
  const Grid &grid = arrays.trace().grid;
  const ProgramRange all{0, numPrograms(grid)};
  if (!arrays.hasAll(all))
    return std::nullopt;
  ReuseDistance reuse;
  reuse.cacheBytes = cacheBytes;
  std::vector<TrackedArray> tracked = track(arrays, all, stop);
  const uint64_t waves = numWaves(grid, atOnce);
  CacheHistory history(waves);
  for (uint32_t wave = 1; wave <= waves; ++wave) {
    history.begin(wave);
    const ProgramRange programs = waveAt(wave - 1, grid, atOnce);
    for (TrackedArray &array : tracked)
      for (;
           array.next < array.programs.size() && array.programs[array.next].program < programs.last;
           ++array.next) {
        if (stop.stop_requested())
          return std::nullopt;
        for (const ElementBox &box : array.programs[array.next].boxes)
          array.cells.visit(box, [&](size_t cell) {
            const uint32_t last = array.last[cell];
            if (last == wave)
              return;
            const uint64_t bytes = array.cells.numElements(cell) * array.elementBytes;
            const uint64_t distance = last == 0 ? 0 : history.since(last);
            reuse.bytesRead += bytes;
            if (last == 0 || distance > cacheBytes)
              reuse.bytesFetched += bytes;
            if (last > 0)
              array.distances[cell] =
                  std::max(array.distances[cell], static_cast<uint32_t>(std::clamp<uint64_t>(
                                                      distance / kDistanceBytes, 1, UINT32_MAX)));
            history.move(last, wave, bytes);
            array.last[cell] = wave;
          });
      }
  }
  if (stop.stop_requested())
    return std::nullopt;
  for (TrackedArray &array : tracked)
    reuse.distances.emplace_back(std::move(array.cells), std::move(array.distances));
  return reuse;
}

} // namespace tilescope::compiler::access
