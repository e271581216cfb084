// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What atomic operations on global and on shared memory have in common.
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Lowering.h"

namespace tilescope::compiler {

/// LLVM's own operation, executed where `predicate` (may be null) holds: what has no instruction is
/// expanded to a loop around compare-and-swap. Returns the value before; zero where nothing
/// happens.
mlir::Value emitAtomicUpdate(Builder &b, tt::RMWOp kind, llvm::StringRef scope,
                             mlir::Value predicate, mlir::Value pointer, mlir::Value value);

/// Every thread gets the results that the threads have in which `once` (may be null) holds: through
/// the scratch of `op`, also from block to block of a cluster. Fails where blocks cannot meet.
mlir::LogicalResult shareResults(mlir::Operation *op, mlir::Value once, const Values &results,
                                 Lowering &lowering);

} // namespace tilescope::compiler
