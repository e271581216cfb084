// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace tilescope::profiler {

/// Elements of a segment: much more work than starting a thread.
inline constexpr int64_t kSegmentElements = 1 << 20;

/// What `part(begin, end)` returns for each segment of `count` elements, in order; the calls are
/// spread over the processors. Segments do not depend on the number of processors, and so neither
/// does the rounding of sums that are joined from them.
template <typename Part> auto mapSegments(int64_t count, const Part &part) {
  const int64_t segments = (count + kSegmentElements - 1) / kSegmentElements;
  std::vector<decltype(part(int64_t(0), count))> parts(static_cast<size_t>(segments));
  const int64_t workers =
      std::clamp<int64_t>(std::thread::hardware_concurrency(), 1, std::max<int64_t>(segments, 1));
  const auto work = [&](int64_t worker) {
    for (int64_t i = worker; i < segments; i += workers)
      parts[static_cast<size_t>(i)] =
          part(i * kSegmentElements, std::min(count, (i + 1) * kSegmentElements));
  };
  {
    // Its threads end here, before the parts are returned.
    std::vector<std::jthread> pool;
    for (int64_t worker = 1; worker < workers; ++worker)
      pool.emplace_back(work, worker);
    work(0);
  }
  return parts;
}

} // namespace tilescope::profiler
