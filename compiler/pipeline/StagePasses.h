// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Stage.h"
#include "compiler/pipeline/KernelOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tilescope::compiler {

/// Adds the MLIR passes that make a stage from the one before. `stage`: TTIR, TTGIR or LLVM IR.
void addStagePasses(StageId stage, mlir::OpPassManager &passes, const KernelOptions &options);

} // namespace tilescope::compiler
