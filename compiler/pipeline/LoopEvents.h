// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Executes the waits of a loop: which copy or product each of them ends, who reads what a copy
// brings, and which group of warps waits for which. Each group does one operation at a time, all
// groups at once; copies and products are over as soon as someone waits for them, since TTGIR says
// nothing of how long they take.
#pragma once

#include "compiler/pipeline/LoopSteps.h"

namespace tilescope::compiler {

/// Fills in operations, buffers, events and links of a loop that the strands execute, as far as
/// `numIterations`.
void followLoop(llvm::ArrayRef<LoopStrand> strands, int64_t numIterations,
                const StageSources &sources, const ValueNames &names, LoopFacts &facts);

} // namespace tilescope::compiler
