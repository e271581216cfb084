// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/machine/SassFlow.h"

#include <string>
#include <vector>

namespace tilescope::compiler::machine {

/// `/*0070*/ LDG.E.64`.
std::string instructionTitle(const SassInstruction &instruction);

/// A control field of an instruction in a sentence, with the instructions at the other end of its
/// barriers.
std::string fieldSentence(const SassProgram &program, const std::vector<LivenessStep> &steps,
                          uint32_t instruction, ControlColumn::Field field);
/// All of them that say something, and the guard.
std::vector<std::string> controlSentences(const SassProgram &program,
                                          const std::vector<LivenessStep> &steps,
                                          uint32_t instruction);

} // namespace tilescope::compiler::machine
