// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/ptx/PtxModule.h"

#include "compiler/ptx/PtxParser.h"

#include <algorithm>

namespace tilescope::compiler {

bool PtxInstruction::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

std::string_view calledFunction(const PtxInstruction &call) {
  for (const PtxOperand &operand : call.operands)
    if (operand.kind == PtxOperand::Kind::Symbol)
      return operand.name;
  return {};
}

PtxModule parsePtx(std::string_view text) { return PtxParser(text).run(); }

} // namespace tilescope::compiler
