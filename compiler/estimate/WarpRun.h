// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// One warp that has a multiprocessor for itself, instruction by instruction: when each may issue, by
// what the assembler wrote into it.
//
//     cycle  0: LDG R4, …    write barrier 0: R4 is there at 500
//     cycle  2: IADD3 …      the stall of the load is over
//     cycle  6: FADD R4, …   waits for barrier 0, so it issues at 500
//
#pragma once

#include "compiler/estimate/CodeRegions.h"
#include "compiler/estimate/InstructionCost.h"

#include <functional>
#include <vector>

namespace tilescope::compiler::estimate {

/// What the warp knows of an instruction.
struct WarpInstruction {
  InstructionCost cost;
  /// Until results are there, memory included.
  double latency = 0;
};

/// The cycles from an instruction's predecessor to it, on average over its executions. Loops are
/// followed for a few rounds.
std::vector<double> cyclesBefore(const machine::SassProgram &program, const CodeRegions &regions,
                                 const std::vector<WarpInstruction> &instructions);

} // namespace tilescope::compiler::estimate
