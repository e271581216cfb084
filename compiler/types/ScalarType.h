// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/types/ScalarKind.h"

#include <cassert>
#include <cstdint>

namespace tilescope::compiler {

/// A scalar, or a pointer to one (or to another pointer).
struct ScalarType {
  /// For pointers the innermost pointee.
  ScalarKind dtype = ScalarKind::Void;
  uint8_t pointerDepth = 0;
  /// `*k` of a signature: what it points to cannot be stored to.
  bool isConst = false;
  uint8_t addressSpace = 1;

  bool isPointer() const { return pointerDepth != 0; }
  ScalarType pointee() const {
    assert(isPointer());
    return {dtype, static_cast<uint8_t>(pointerDepth - 1), false, 1};
  }
  ScalarType pointerTo(bool constPointee = false, int space = 1) const {
    return {dtype, static_cast<uint8_t>(pointerDepth + 1), constPointee,
            static_cast<uint8_t>(space)};
  }
  /// Pointers have the width of an address.
  int bits() const { return isPointer() ? 64 : scalarInfo(dtype).bits; }
  bool operator==(const ScalarType &) const = default;
};

} // namespace tilescope::compiler
