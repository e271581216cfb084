// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a kernel promises its compiler: `tl.multiple_of`, `tl.max_contiguous`, `tl.max_constancy` and `tl.assume`. A GPU
// checks none of it. Loads and stores that move several elements at once only because of a promise access other elements
// than the kernel says, or fault, where the promise is not true.
#pragma once

#include "compiler/interpreter/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilescope::compiler {

/// A copy of TTIR whose assertions check what the kernel promises, as far as it matters: each `tl.assume`, and the
/// addresses of accesses that become wider by promises. `numWarps` share the
/// elements of a block: each thread moves no more at once than it holds. Null: the kernel promises nothing of the kind,
/// or an argument lies at an address at which no GPU would put it.
mlir::OwningOpRef<mlir::ModuleOp> withPromiseChecks(mlir::ModuleOp ttir,
                                                    const InterpreterLaunch &launch, int numWarps);

} // namespace tilescope::compiler
