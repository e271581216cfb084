// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What of a kernel decides which addresses it accesses: most kernels multiply and add up large
// blocks, but compute their addresses from program numbers, arguments and loop counters alone.
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace tilescope::compiler::interpreter {

/// The values that addresses, masks and the way through the kernel depend on. Nothing when one of
/// them comes from memory, or when the kernel has control flow other than `scf.for` and `scf.if`:
/// then all of it must be executed.
std::optional<llvm::DenseSet<mlir::Value>> findAddressSlice(tt::FuncOp kernel);

} // namespace tilescope::compiler::interpreter
