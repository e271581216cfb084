// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Helpers shared by the sources of this folder: bit fields of packed coordinates.
#pragma once

#include "compiler/layout/LinearLayout.h"

namespace tilescope::compiler {

inline uint64_t lowMask(int bits) { return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1; }

inline int totalBits(const DimList &dims) {
  int total = 0;
  for (const DimBits &dim : dims)
    total += dim.bits;
  return total;
}

/// Index of `dim` in `dims`, -1 when absent.
inline int findDim(const DimList &dims, Dim dim) {
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i].dim == dim)
      return static_cast<int>(i);
  return -1;
}

} // namespace tilescope::compiler
