// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "compiler/artifacts/Estimate.h"
#include "compiler/estimate/DeviceRates.h"
#include "compiler/machine/SassProgram.h"

#include <optional>
#include <string_view>

namespace tilescope::compiler::estimate {

/// What an instruction of a warp asks of a multiprocessor.
struct InstructionCost {
  /// Nothing: it is branching or synchronization.
  std::optional<MachinePipe> pipe;
  /// How long it occupies that pipe.
  double pipeCycles = 0;
  /// Until its results are there, where that varies: those who need them wait at a barrier. Of
  /// loads from global memory, what comes before L2.
  double latency = 0;
  /// Passes through the banks of shared memory that no access of the source explains: exchanges
  /// between lanes, factors of products that are read from shared memory, and spilled registers.
  double wavefronts = 0;
  /// Bytes of spilled registers that a warp loads or stores.
  double spilledBytes = 0;
};

InstructionCost costOf(const machine::SassInstruction &instruction, const DeviceRates &device);

/// What the instruction does with memory; nothing for others, and for registers that were spilled.
std::optional<MemoryAction> memoryActionOf(const machine::SassInstruction &instruction);

} // namespace tilescope::compiler::estimate
