// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/machine/InstructionCount.h"

#include "compiler/machine/CubinCode.h"

namespace tilescope::compiler::machine {

int64_t numInstructions(std::string_view cubin) {
  constexpr uint64_t kOpcodeMask = 0xfff, kNop = 0x918;
  int64_t count = 0;
  for (const CodeSection &section : codeSections(cubin)) {
    size_t number = section.numInstructions();
    while (number > 0 && (section.word(number - 1).low & kOpcodeMask) == kNop)
      --number;
    count += static_cast<int64_t>(number);
  }
  return count;
}

} // namespace tilescope::compiler::machine
