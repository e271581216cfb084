// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Accesses of which it is checked that they are inside of the arguments.
//
// As in the interpreter, a kernel does not see where its arguments are, but an address for each that
// is far from all others (MemoryArea.h). So the argument that an address belongs to is known from the
// value that it was computed from, or, where that may be one of several, from the address itself.
#pragma once

#include "mlir/IR/Value.h"

namespace tilescope::cpu {

/// The memory of an argument, in i64: one for all lanes, or one for each.
struct Area {
  /// The address of its first byte as the kernel sees it.
  mlir::Value start;
  /// From there to where it is.
  mlir::Value distance;
  /// In bytes; 0 where there is no memory.
  mlir::Value size;
  /// The address of its table of marks (StoreMarks.h); null where it has none.
  mlir::Value marks;
  /// That of who has read, for an argument that is both loaded and stored to; else null.
  mlir::Value reads;
};

/// The argument that all pointers of a block come from; null: one of several, or another value.
mlir::Value originOf(mlir::Value pointers);

/// What an access is about to access.
struct CheckedTarget {
  Area area;
  /// As the kernel sees them, in i64.
  mlir::Value address;
  /// Where they are.
  mlir::Value pointer;
};

} // namespace tilescope::cpu
