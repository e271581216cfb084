// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Two elements of one block that a store writes to one address. Nothing orders the elements of a
// block either: unless both are equal, whichever stays is chance. Equal values are at fault where
// each is an update of what lay there before, which then happens once instead of twice. Examples:
//
//   tl.store(out_ptr + tl.arange(0, 8) // 2, x)      x[0] and x[1] go to out_ptr[0], and so on
//   tl.store(out_ptr + v, tl.load(out_ptr + v) + 1)  where v[0] == v[1], only one is added
#pragma once

#include "compiler/interpreter/Frame.h"
#include "compiler/interpreter/kernels/MemoryFormats.h"

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
  WriteFunction write;
  /// What is stored was computed from what lay there before.
  bool isUpdate = false;
};

/// Before anything is written: reports the first two elements that go to one address with different
/// values, or with equal ones that are updates; false when there are none.
bool reportConflict(const Instruction &op, Frame &frame, const ScatteredStore &store);

} // namespace tilescope::compiler::interpreter
