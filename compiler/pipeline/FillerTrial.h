// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Whether an `other` that does not suit a reduction reaches what the kernel stores, where its code does not tell:
//
//     x = tl.load(p + i, mask=i < n, other=0.0)
//     m = tl.max(x, axis=0)
//     e = tl.where(i < n, tl.exp(x - m), 0.0)      any m will do here; without the `where`, 0.0 counts
//     tl.store(q + i, e / tl.sum(e, axis=0), mask=i < n)
//
// A few programs run twice, on copies of the arguments. In the first run these reductions take in what leaves them as
// they are, minus infinity here; in the second, what they must not see. Where both leave the same, nothing depends on it.
#pragma once

#include "compiler/interpreter/Interpreter.h"
#include "compiler/pipeline/UndefinedLoads.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace tilescope::compiler {

/// Settles which of the fillers in doubt are counted for certain, and the `other` that suits all uses of their loads.
/// `launch`: before the run. Neither its memory nor the module is changed.
void tryFillers(mlir::ModuleOp module, const InterpreterLaunch &launch,
                const InterpreterOptions &options, std::vector<CountedFiller> &fillers);

/// Whether a few programs leave something else where the `other` of a load is `filler`.
bool dependsOnOther(mlir::ModuleOp module, const InterpreterLaunch &launch,
                    const InterpreterOptions &options, mlir::Operation *load, Filler filler);

} // namespace tilescope::compiler
