// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What code has the process that executes it do: print, and execute inline assembly. Its functions find
// what they need in the launch, and by the number of the operation in its kernel.
#pragma once

#include "compiler/conversion/tt_to_cpu/TtToCpu.h"
#include "compiler/dialects/tt/ir/Dialect.h"

namespace tilescope::cpu {

/// `void (int32_t *launch, int32_t number, const std::byte *const *values)`: the elements of each value as the
/// interpreter holds them.
inline constexpr llvm::StringLiteral kPrintFunction = "tilescope_print";
/// `void (int32_t *launch, int32_t number, const std::byte *const *arrays)`: the results' elements, then the
/// arguments', all as in memory.
inline constexpr llvm::StringLiteral kAssembleFunction = "tilescope_assemble";

/// `bool (const void *memory, int64_t expected, int64_t bytes, int64_t timeoutNs)`: waits for an integer of so many
/// bytes; below 0: without an end. Returns whether it was seen. Knows no launch.
inline constexpr llvm::StringLiteral kPollFunction = "tilescope_poll";

/// The operations of a kernel that code names by their numbers: assertions from 1 on, the others from 0.
struct NumberedOperations {
  llvm::SmallVector<tt::AssertOp> assertions;
  llvm::SmallVector<tt::PrintOp> prints;
  llvm::SmallVector<tt::ElementwiseInlineAsmOp> assemblies;
};

/// Why it cannot be executed; empty: it can.
std::string assemblyFault(tt::ElementwiseInlineAsmOp op);

/// Leaves with the module what `printsOf` and `assembliesOf` read.
void describeCalls(mlir::ModuleOp module, const NumberedOperations &numbered);

} // namespace tilescope::cpu
