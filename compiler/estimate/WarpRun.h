// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A warp of a program that has a multiprocessor for itself, instruction by instruction: when each may
// issue, by what the assembler wrote into it. The program's other warps do the same at the same
// time, so each pipe is as long occupied as by all of those that share it.
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
  /// Passes through the banks of L1 and shared memory.
  double wavefronts = 0;
};

/// The cycles from an instruction's predecessor to it, on average over its executions, in a program
/// of so many warps. Loops are followed for a few rounds.
std::vector<double> cyclesBefore(const machine::SassProgram &program, const CodeRegions &regions,
                                 const std::vector<WarpInstruction> &instructions, int32_t warps);

} // namespace tilescope::compiler::estimate
