// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/machine/Liveness.h"
#include "compiler/machine/SassRegisters.h"

#include <vector>

namespace tilescope::compiler::machine {

/// What each instruction writes and reads, and where it goes on; values are `MachineRegister`s.
/// A function that is called returns to behind all calls.
std::vector<LivenessStep> sassSteps(const SassProgram &program);

/// An instruction that holds a barrier, and those that wait for it: on each path the first.
struct BarrierWaits {
  uint32_t holder = 0;
  uint8_t barrier = 0;
  /// Its operands are read; false: its results are written.
  bool isRead = false;
  std::vector<uint32_t> waiters;
};

/// What an instruction holds; at most two.
std::vector<BarrierWaits> barrierWaits(const SassProgram &program,
                                       const std::vector<LivenessStep> &steps, uint32_t holder);
/// The instructions that hold barrier `barrier` when `waiter` waits for it: on each path back the
/// last ones, up to another instruction that waits for it.
std::vector<uint32_t> barrierHolders(const SassProgram &program,
                                     const std::vector<LivenessStep> &steps, uint32_t waiter,
                                     uint8_t barrier);

} // namespace tilescope::compiler::machine
