// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace tilescope::compiler {

/// Adds to a module of the LLVM dialect the debug information that LLVM needs to write line tables:
/// one compile unit, one subprogram per function and per inlined source function, and locations
/// that refer to them.
///
///     loc("add"("k.py":7:11 to :24))                       loc(fused<#subprogram_k>["k.py":7:11])
///     loc(callsite("p.py":3:9 at "k.py":8:4))              callsite of fused<#subprogram_p> and
///     fused<#subprogram_k>
///
/// LLVM keeps only where a range begins; `SourceIndex` finds the range again.
std::unique_ptr<mlir::Pass> createDebugScopesPass();
void registerDebugScopesPass();

} // namespace tilescope::compiler
