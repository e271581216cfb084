// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What of a kernel decides which addresses it accesses: most kernels multiply and add up large
// blocks, but compute their addresses from program numbers, arguments and loop counters alone, or
// from a table that they read.
//
//     page = tl.load(table + i)                  executed, on the data of `table`
//     k = tl.load(k_ptr + page * PAGE + j)       its address is computed, nothing is loaded
//     sum += tl.dot(q, k)                        left out
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <set>

namespace tilescope::compiler::interpreter {

struct AddressSlice {
  /// The values that addresses, masks and the way through the kernel depend on.
  llvm::DenseSet<mlir::Value> values;
  /// Operations without results that write what is read back: stores to shared memory.
  llvm::DenseSet<mlir::Operation *> writers;
  /// The arguments whose memory is read.
  std::set<unsigned> arguments;
};

/// Nothing when all of the kernel must be executed: an address comes from memory that the kernel
/// writes, or there is control flow other than `scf.for` and `scf.if`.
std::optional<AddressSlice> findAddressSlice(tt::FuncOp kernel);

/// The argument of the function around it that a pointer, or a block of pointers, is computed from;
/// nothing where it cannot be told.
std::optional<unsigned> argumentOf(mlir::Value pointer);

} // namespace tilescope::compiler::interpreter
