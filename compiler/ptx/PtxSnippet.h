// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Inline assembly: a few instructions without memory or branches, on operands `$0`, `$1`, …
//
//   { .reg .pred p; setp.gt.f32 p, $1, 0f00000000; selp.f32 $0, $1, 0f00000000, p; }
#pragma once

#include "compiler/ptx/PtxModule.h"

namespace tilescope::compiler {

struct PtxSnippet {
  std::vector<PtxInstruction> code;
  /// Operand k is register k; the text's own registers follow.
  size_t numRegisters = 0;
  /// Non-empty when something in it cannot be executed; names the instruction.
  std::string error;
};

PtxSnippet parsePtxSnippet(std::string_view text, size_t numOperands);

/// Executes a snippet without error. `registers`: as many as it has.
void runPtxSnippet(const PtxSnippet &snippet, uint64_t *registers);

} // namespace tilescope::compiler
