// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/interpreter/Program.h"

#include <cstdint>

namespace tilescope::compiler::interpreter {

/// A block seen along one axis: [outer, axis, inner].
struct Axis {
  int64_t outer = 1, extent = 1, inner = 1;
};

inline Axis getAxis(const Shape &shape, int64_t axis) {
  Axis result;
  result.extent = shape.extent[axis];
  for (int d = 0; d < shape.rank; ++d)
    if (d != axis)
      (d < axis ? result.outer : result.inner) *= shape.extent[d];
  return result;
}

} // namespace tilescope::compiler::interpreter
