// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/ttg/ir/ModuleAttributes.h"

#include "mlir/Pass/PassManager.h"

namespace tilescope::compiler {

/// Adds the passes from `tt` to optimized `ttg`, in order. `numStages`: how many iterations of a
/// loop may have loads under way.
void buildTtgirPipeline(mlir::OpPassManager &passes, const ttg::MachineShape &machine,
                        int numStages);

} // namespace tilescope::compiler
