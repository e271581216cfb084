// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A program that goes over its data several times works from the caches after the first time, and memory has nothing to
// do meanwhile. Programs follow each other in order, so the code fetches into the caches what the next one begins with:
//
//     x = tl.load(x_ptr + pid * n + columns)
//     tl.max(x)                                     reads from memory, or what the program before has fetched
//     tl.sum(tl.exp(x - …))                         reads from the caches; fetches x_ptr + (pid + 1) * n + columns
//
// Addresses are those of the same expressions, computed with another program's index. What is fetched may lie outside
// of the arguments: fetching faults nowhere.
#pragma once

#include "compiler/conversion/tt_to_cpu/Plan.h"

#include "llvm/ADT/DenseSet.h"

namespace tilescope::cpu {

/// The loads whose addresses in another program are known by its index and the arguments, unless all of them load too
/// much to be fetched ahead.
llvm::DenseSet<mlir::Operation *> foreseenLoads(tt::FuncOp kernel, const Plan &plan);

/// Whether it is an operation on scalars that can be executed for the index of another program.
bool isOfNextProgram(mlir::Operation *op);

} // namespace tilescope::cpu
