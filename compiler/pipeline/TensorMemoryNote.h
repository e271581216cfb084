// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// On GPUs with tensor memory Triton computes products with `tcgen05.mma`, and this compiler with
// `mma.sync`. Results are the same; registers, shared memory and times are not.
#pragma once

#include "compiler/pipeline/CompileJob.h"
#include "compiler/pipeline/KernelOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace tilescope::compiler {

/// Says in one note, at the first of them, that products of this TTIR are compiled in another way
/// than Triton's.
void noteTensorMemory(CompileJob &job, mlir::ModuleOp module, const KernelOptions &options);

} // namespace tilescope::compiler
