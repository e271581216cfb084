// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/machine/SassControl.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilescope::compiler::machine {

/// One instruction, as its line of SASS says: `/*0070*/ @!P0 LDG.E.64 R4, desc[UR4][R2.64+0x10] ;`.
struct SassInstruction {
  /// Of the text, 0-based.
  uint32_t line = 0;
  /// Bytes from the start of its section.
  uint32_t address = 0;
  /// Without modifiers: `LDG`.
  std::string_view operation;
  /// What follows the dots: `E`, `64`.
  std::vector<std::string_view> modifiers;
  /// `!P0`; empty: it is always executed.
  std::string_view guard;
  std::vector<std::string_view> operands;
  /// Indices of the instructions that it may branch to.
  std::vector<uint32_t> targets;
  /// From the cubin; all zero without one.
  InstructionWord word;

  bool has(std::string_view modifier) const;
};

/// The instructions of a text of SASS, of all its functions, in order. They point into the text.
struct SassProgram {
  std::vector<SassInstruction> instructions;
  /// For every line of the text the instruction on it; -1: there is none.
  std::vector<int32_t> instructionAt;
  /// Every instruction has its word: the cubin is the one that the text was made from.
  bool hasWords = false;
};

/// `cubin` may be empty: then there are no words.
SassProgram parseSass(std::string_view text, std::string_view cubin = {});

/// The lines of a text between a function's label and the next section, half-open; an empty range
/// where there is no such function.
std::pair<uint32_t, uint32_t> functionLines(std::string_view sass, std::string_view symbol);

} // namespace tilescope::compiler::machine
