// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Pipelines in numbers, from the text of their loops alone.
#pragma once

#include "compiler/pipeline/KernelAccesses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilescope::compiler {

/// Visits the operations of an iteration; what inner loops do is theirs.
void walkIteration(mlir::Block &block, llvm::function_ref<void(mlir::Operation *)> visit);

/// Adds what one loop starts and waits for.
void summarize(mlir::scf::ForOp loop, PipelineFacts &facts);
/// Whether anything is under way while the loop goes on.
bool isUnderWay(const PipelineFacts &facts);

/// The loops with copies or products under way.
std::vector<PipelineFacts> findPipelines(mlir::ModuleOp module, const StageSources &sources);

} // namespace tilescope::compiler
