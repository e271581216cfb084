// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Two elements of one block that a store writes to one address. Nothing orders the elements of a
// block either: unless both are equal, whichever stays is chance. Example:
//
//   tl.store(out_ptr + tl.arange(0, 8) // 2, x)      x[0] and x[1] go to out_ptr[0], and so on
#pragma once

#include "compiler/interpreter/Frame.h"

#include <span>

namespace tilescope::compiler::interpreter {

/// Steps and numbers of indices of a block's dimensions: whether two indices may lead to one
/// address.
bool mayOverlap(std::span<const int64_t> steps, std::span<const int64_t> extents);

/// A store of single elements.
struct ScatteredStore {
  const int64_t *addresses;
  /// Null: all are on.
  const uint8_t *mask;
  const std::byte *values;
  const Shape &shape;
  Element element;
};

/// Reports the first two elements with different values that go to one address; false when there
/// are none.
bool reportConflict(const Instruction &op, Frame &frame, const ScatteredStore &store);

} // namespace tilescope::compiler::interpreter
