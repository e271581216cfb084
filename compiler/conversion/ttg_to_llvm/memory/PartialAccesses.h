// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The accesses with which warps exchange partial results.
#pragma once

#include "compiler/conversion/ttg_to_llvm/memory/PlannedAccesses.h"
#include "compiler/dialects/tt/ir/Dialect.h"

namespace tilescope::compiler {

/// Accesses of one element each that LLVM joins where registers are side by side in scratch.
void joinNeighbors(access::AccessPlan &plan);

/// Adds nothing where one warp holds all that is combined.
void addPartials(tt::ReduceOp op, int numWarps, std::vector<OperationAccess> &accesses);
void addPartials(tt::ScanOp op, int numWarps, std::vector<OperationAccess> &accesses);

} // namespace tilescope::compiler
