// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/TouchTrace.h"

#include <algorithm>

namespace tilescope::tests {

/// A square product of half-precision matrices, `tiles` x `tiles` tiles of `side` x `side`, the
/// inner dimension half a tile at a time. Tiles are visited in groups of `group` rows.
struct Product {
  int64_t tiles = 4, side = 64, group = 1;
};

inline compiler::TouchTrace productTrace(const Product &product) {
  const auto [tiles, side, group] = product;
  const int64_t n = tiles * side, inner = side / 2;
  constexpr int64_t kArea = int64_t{1} << 44;
  compiler::TouchTrace trace;
  trace.grid = {static_cast<int32_t>(tiles * tiles), 1, 1};
  trace.programs = {0, static_cast<uint64_t>(tiles * tiles), 1};
  trace.arguments = {{"a_ptr", kArea, {n, n}, 2},
                     {"b_ptr", 2 * kArea, {n, n}, 2},
                     {"c_ptr", 3 * kArea, {n, n}, 4}};
  trace.accesses = {{{{10, 8}, {10, 20}}, "tt.load", true, false, true, 2},
                    {{{11, 8}, {11, 20}}, "tt.load", true, false, true, 2},
                    {{{14, 4}, {14, 30}}, "tt.store", false, true, false, 4}};
  const auto steps = static_cast<uint32_t>(n / inner);
  for (int64_t program = 0; program < tiles * tiles; ++program) {
    const int64_t first = program / (group * tiles) * group;
    const int64_t height = std::min(group, tiles - first);
    const int64_t row = first + program % (group * tiles) % height;
    const int64_t column = program % (group * tiles) / height;
    const auto number = static_cast<uint32_t>(program);
    trace.runs.push_back(
        {number, 0, 0, steps, kArea + row * side * n * 2, inner * 2, {{side, n * 2}, {inner, 2}}});
    trace.runs.push_back({number,
                          1,
                          0,
                          steps,
                          2 * kArea + column * side * 2,
                          inner * n * 2,
                          {{inner, n * 2}, {side, 2}}});
    trace.runs.push_back({number,
                          2,
                          steps - 1,
                          1,
                          3 * kArea + (row * n + column) * side * 4,
                          0,
                          {{side, n * 4}, {side, 4}}});
  }
  return trace;
}

} // namespace tilescope::tests
