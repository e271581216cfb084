// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Calls a generic function with the unsigned type of a storage size: for code that only moves
// elements.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tilescope::compiler::interpreter {

template <typename F> auto bySize(size_t size, F function) {
  switch (size) {
  case 1:
    return function(uint8_t());
  case 2:
    return function(uint16_t());
  case 4:
    return function(uint32_t());
  default:
    return function(uint64_t());
  }
}

} // namespace tilescope::compiler::interpreter
