// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Tensor.h"

#include <cstring>

namespace tilescope::profiler {

/// The bits of an element, in the unsigned type of its size.
template <typename Bits> Bits bitsAt(const Tensor &tensor, int64_t i) {
  Bits bits;
  std::memcpy(&bits, tensor.data.data() + i * int64_t(sizeof(Bits)), sizeof(Bits));
  return bits;
}

/// Calls `action` with a zero of the unsigned type that has the size of an element.
template <typename Action> void withBits(Dtype dtype, Action action) {
  switch (dtypeSize(dtype)) {
  case 1:
    return action(uint8_t(0));
  case 2:
    return action(uint16_t(0));
  case 4:
    return action(uint32_t(0));
  default:
    return action(uint64_t(0));
  }
}

} // namespace tilescope::profiler
