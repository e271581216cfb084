// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayShapes.h"

namespace tilescope::app {

std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text;
  for (const int64_t extent : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "[" + text + "]";
}

std::optional<std::vector<int64_t>> broadcastStrides(const std::vector<int64_t> &from,
                                                     const std::vector<int64_t> &to) {
  if (from.size() > to.size())
    return std::nullopt;
  std::vector<int64_t> strides(to.size(), 0);
  int64_t stride = 1;
  for (size_t back = 1; back <= from.size(); ++back) {
    const int64_t extent = from[from.size() - back];
    if (extent != 1 && extent != to[to.size() - back])
      return std::nullopt;
    strides[to.size() - back] = extent == 1 ? 0 : stride;
    stride *= extent;
  }
  return strides;
}

void advance(std::vector<int64_t> &coordinates, const std::vector<int64_t> &shape) {
  for (size_t axis = shape.size(); axis-- > 0;) {
    if (++coordinates[axis] < shape[axis])
      return;
    coordinates[axis] = 0;
  }
}

} // namespace tilescope::app
