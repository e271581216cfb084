// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The dimensions of a kernel's tensors, as its addresses walk them:
//
//   x_ptr + (row * stride + columns)       row = tl.program_id(0), columns < n
//
//   x_ptr: [row: free, its number of elements is not named; stride] [columns: ends at `n`; unit
//   step]
#pragma once

#include "compiler/analysis/IndexBounds.h"

#include <map>
#include <optional>
#include <vector>

namespace tilescope::compiler {

struct AccessDim {
  /// Integer arguments whose product lies between two elements, sorted; empty: they lie side by
  /// side.
  std::vector<unsigned> strides;
  /// A constant by which it is multiplied as well, where programs count rows.
  int64_t step = 1;
  /// What the step of the next dimension outside says of the extent; 0: nothing.
  int64_t rowLength = 0;
  /// Where the index ends: arguments that it is compared with, and those that end a loop over it.
  ArgumentSet masked, looped;
  /// Numbers of programs, and what is computed from them, that nothing bounds; and the largest
  /// constant by which one is multiplied.
  std::vector<mlir::Value> free;
  int64_t freeScale = 1;
  /// How many elements the constant parts of the index cover: blocks.
  int64_t span = 1;
  /// The largest block of the index; and whether programs or loops take more than one of it.
  int64_t block = 1;
  bool isRepeated = false;
  /// The tensor that the index was loaded from.
  std::optional<unsigned> indexedBy;
  /// Some part of the index is of unknown size.
  bool isUnknown = false;
};

struct TensorAccess {
  /// Outer dimensions first, as far as the order of the strides among the arguments shows it.
  std::vector<AccessDim> dims;
  bool isRead = false;
  bool isWritten = false;
  /// The loaded values are shifted or masked as bits.
  bool isPacked = false;
};

/// How each pointer or descriptor argument is accessed, by its number.
std::map<unsigned, TensorAccess> tensorAccesses(mlir::FunctionOpInterface kernel,
                                                const IndexBounds &bounds);

} // namespace tilescope::compiler
