// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tilescope {

/// Copies elements, rows first, with their axes in another order: axis `i` of the result, of the extent `shape[i]`, is
/// axis `order[i]` of `from`. Both hold as many elements of `elementSize` bytes as `shape` says.
void permuteBytes(std::span<const std::byte> from, std::span<const int64_t> shape,
                  std::span<const int64_t> order, size_t elementSize, std::span<std::byte> to);

} // namespace tilescope
