// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::app {

/// `[M, K]`.
std::string shapeText(const std::vector<int64_t> &shape);

/// Elements of a tensor from one index of each axis of another shape to the next, 0 where it is
/// broadcast as in NumPy. Nothing: the shapes do not fit.
std::optional<std::vector<int64_t>> broadcastStrides(const std::vector<int64_t> &from,
                                                     const std::vector<int64_t> &to);

/// To the next element of a shape, in the order of memory; behind the last one is the first.
void advance(std::vector<int64_t> &coordinates, const std::vector<int64_t> &shape);

} // namespace tilescope::app
