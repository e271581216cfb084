// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Reads what a kernel computes off its TTIR and TTGIR; the modules were parsed from the stages'
// texts.
#pragma once

#include "compiler/analysis/AxisInfo.h"
#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/ComputeFacts.h"
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/pipeline/KernelAccesses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilescope::compiler {

/// Products, loads that they wait for, and what is at the ends of conversions. `operations`: the
/// numbered ones, in their order; `numStages`: of the launch.
void addLaidOutFacts(mlir::ModuleOp ttgir, const std::vector<mlir::Operation *> &operations,
                     int numStages, const StageSources &sources, ComputeFacts &facts);

/// What the pass that loads ahead would say of the loads that it left where they are, though
/// products of the same iteration wait for them. `numStages`: of the launch.
std::vector<WaitingLoad> waitingLoads(mlir::scf::ForOp loop, int numStages, const AxisInfoMap &axes,
                                      const StageSources &sources);

/// What the kernel says before it has layouts: masks, arithmetic, arguments.
void addSourceFacts(mlir::ModuleOp ttir, const std::vector<KernelParameter> &parameters,
                    const StageSources &sources, ComputeFacts &facts);

/// What the program loads again. `kernel`: in TTIR.
void addRepeatedLoads(tt::FuncOp kernel, const StageSources &sources, ComputeFacts &facts);
/// Divisions by arguments, and exponentials of scaled blocks. `kernel`: in TTIR.
void addArithmetic(tt::FuncOp kernel, const std::vector<KernelParameter> &parameters,
                   const StageSources &sources, ComputeFacts &facts);
/// Reductions, and how large blocks are.
void addReductions(mlir::ModuleOp ttgir, const StageSources &sources, ComputeFacts &facts);

} // namespace tilescope::compiler
