// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/machine/SassProgram.h"

#include <array>
#include <cstdint>

namespace tilescope::compiler::machine {

/// How many registers the operands of an instruction take, those in brackets excepted.
struct OperandWidths {
  /// Operands that are written; they come first.
  size_t numResults = 1;
  int result = 1;
  /// Of those that are read, in order; the last holds for all that follow.
  std::array<int, 4> sources{1, 1, 1, 1};

  int source(size_t index) const { return sources[index < 4 ? index : 3]; }
};

OperandWidths operandWidths(const SassInstruction &instruction);

} // namespace tilescope::compiler::machine
