// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/PermutedBytes.h"

#include <algorithm>
#include <vector>

namespace tilescope {

void permuteBytes(std::span<const std::byte> from, std::span<const int64_t> shape,
                  std::span<const int64_t> order, size_t elementSize, std::span<std::byte> to) {
  const size_t rank = shape.size();
  std::vector<int64_t> extents(rank), strides(rank, 1), place(rank, 0);
  for (size_t axis = 0; axis < rank; ++axis)
    extents[size_t(order[axis])] = shape[axis];
  for (size_t axis = rank; axis-- > 1;)
    strides[axis - 1] = strides[axis] * extents[axis];
  for (size_t at = 0; at < to.size(); at += elementSize) {
    int64_t source = 0;
    for (size_t axis = 0; axis < rank; ++axis)
      source += place[axis] * strides[size_t(order[axis])];
    std::ranges::copy(from.subspan(size_t(source) * elementSize, elementSize),
                      to.begin() + std::ptrdiff_t(at));
    for (size_t axis = rank; axis-- > 0 && ++place[axis] == shape[axis];)
      place[axis] = 0;
  }
}

} // namespace tilescope
