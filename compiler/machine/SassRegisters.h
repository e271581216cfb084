// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/machine/SassProgram.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilescope::compiler::machine {

/// Registers of a thread, of its warp (uniform), and predicates of both.
enum class RegisterFile : uint8_t { General, Uniform, Predicate, UniformPredicate };
inline constexpr int kNumRegisterFiles = 4;

/// A register of any file as one number: general ones come first, then uniform ones, then
/// predicates.
using MachineRegister = uint16_t;
inline constexpr MachineRegister kFirstUniform = 256, kFirstPredicate = 512,
                                 kFirstUniformPredicate = 520, kNumMachineRegisters = 528;

RegisterFile fileOf(MachineRegister reg);
/// `R4`, `UR4`, `P0`, `UP0`.
std::string nameOf(MachineRegister reg);

/// What an instruction writes and reads; every register of a wide operand is in it. Registers that
/// are constants (`RZ`, `PT`) are not.
struct RegisterUse {
  std::vector<MachineRegister> writes, reads;
  /// What it writes may also stay as it was.
  bool isGuarded = false;
};

/// The width of operands follows from the operation and its modifiers: `LDG.E.128 R4, …` writes R4
/// to R7, and `IMAD.WIDE R4, R5, 0x4, R6` reads R6 and R7.
RegisterUse registersOf(const SassInstruction &instruction);

} // namespace tilescope::compiler::machine
