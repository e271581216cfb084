// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which of a program's steps are turns of the same loop: a kernel with several loops, one behind
// the other, has their turns in one row.
#pragma once

#include "compiler/access/arrays/TouchedArrays.h"

#include <optional>

namespace tilescope::compiler::access {

/// The turns of one loop, or of loops within each other.
struct StepLoop {
  StepRange steps;
  /// The first and the last line of its accesses, from 0.
  uint32_t firstLine = 0, lastLine = 0;
};

/// The loops of a program, as far as accesses of the file itself are in them, in order.
std::vector<StepLoop> stepLoops(const TouchedArrays &arrays, uint64_t program);
/// Where a step is among several loops: `turn 1 of 0–1 of the loop with lines 26 to 28`; empty for a
/// program that has only one.
std::string stepLoopText(const TouchedArrays &arrays, uint64_t program, uint32_t step);

} // namespace tilescope::compiler::access
