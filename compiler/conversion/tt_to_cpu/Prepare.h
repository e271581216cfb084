// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tilescope::cpu {

/// Turns functions of the device's library into those of `math` where there is the same.
void useMathFunctions(mlir::ModuleOp module);

/// Lets loops carry distances in place of blocks that only move on:
///
///     for … iter_args(%p = %p0) {              for … iter_args(%d = 0) {
///                                                %p = addptr %p0, splat(%d)
///       yield addptr %p, splat(%s)      ──►      yield %d + %s
///     }                                        }
void carryDistances(mlir::ModuleOp module);

} // namespace tilescope::cpu
