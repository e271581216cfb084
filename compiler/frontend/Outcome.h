// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// An early `return` under a run-time condition becomes structured: the statements after the `if`
// move into its other branch.
//
//   if n <= 0:                    scf.if %n_le_0 {
//       return                    } else {
//   tl.store(p, n)                  tt.store %p, %n
//                                 }
//
// Where that is not enough (the `if` is itself inside a branch), the branch yields a flag that
// says whether it returned, and the rest of the function is guarded by it.
#pragma once

#include "compiler/frontend/Value.h"

namespace tilescope::compiler::frontend {

/// How control leaves a list of statements.
struct Outcome {
  enum class Kind {
    /// Past the last statement.
    Falls,
    /// By `return value`.
    Returns,
    /// By `return value` where `flag` holds at run time, else past the last statement.
    Maybe,
  };
  Kind kind = Kind::Falls;
  Value value;
  mlir::Value flag;
  /// Returns by reaching the end of the function: without a value.
  bool isImplicit = false;
};

} // namespace tilescope::compiler::frontend
