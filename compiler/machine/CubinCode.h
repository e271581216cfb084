// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilescope::compiler::machine {

/// An instruction of capability 7.0 and later: 128 bits, `low` is first in memory.
struct InstructionWord {
  uint64_t low = 0;
  uint64_t high = 0;
  bool operator==(const InstructionWord &) const = default;
};
inline constexpr uint64_t kInstructionBytes = 16;

/// The code of one function and those that were assembled into it.
struct CodeSection {
  /// `.text.kernel`.
  std::string_view name;
  std::string_view bytes;

  size_t numInstructions() const { return bytes.size() / kInstructionBytes; }
  InstructionWord word(size_t index) const;
};

/// The sections with code of a cubin, in order; empty for what is not one. They point into it.
std::vector<CodeSection> codeSections(std::string_view cubin);

} // namespace tilescope::compiler::machine
