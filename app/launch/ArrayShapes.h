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

} // namespace tilescope::app
