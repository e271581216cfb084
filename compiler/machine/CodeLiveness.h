// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Stage.h"
#include "compiler/machine/Liveness.h"
#include "compiler/machine/SassRegisters.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::machine {

/// A register of the machine, or a virtual one of PTX.
struct CodeValue {
  std::string name;
  RegisterFile file = RegisterFile::General;
  /// Registers of 32 bits that it takes; a predicate is one of its own file.
  int size = 1;
};

/// What is alive at each instruction of a text of SASS or PTX.
struct CodeLiveness {
  std::vector<LivenessStep> steps;
  /// The line of the text that each instruction is on.
  std::vector<uint32_t> lines;
  std::vector<CodeValue> values;
  LiveSets live{0, 0};
  /// By instruction: registers by `RegisterFile`.
  std::vector<std::array<int, kNumRegisterFiles>> counts;
  std::vector<std::vector<uint32_t>> predecessors;

  bool empty() const { return steps.empty(); }
  int general(size_t step) const { return counts[step][0]; }
  /// The first instruction with the most general registers alive; 0 when there is none.
  size_t peak() const;
  int peakRegisters() const { return empty() ? 0 : general(peak()); }
  /// The instruction on a line of the text, or the next one below it; nothing behind the last.
  std::optional<size_t> stepAt(uint32_t line) const;
};

/// `cubin` may be empty: registers that only the machine code names are missing then.
CodeLiveness sassLiveness(std::string_view sass, std::string_view cubin);
/// Of the first kernel. Without machine code, this is what there is to know; the assembler schedules
/// anew, so its peak may be elsewhere, and higher or lower.
CodeLiveness ptxLiveness(std::string_view ptx);

/// Values that are alive at an instruction and were written for the same place of the source.
struct AliveGroup {
  /// Of the document; nothing: nobody knows.
  std::optional<SourceRange> place;
  /// Sorted.
  std::vector<ValueIndex> values;
  /// All of 32 bits that they take; predicates and uniform registers are not among them.
  int registers = 0;
  /// Lines of the text on which they are written.
  std::vector<uint32_t> writers;
};

/// The place in the document that a line of the text was made of; of what was inlined, the call.
std::optional<SourceRange> placeInDocument(const SourceMap &map, uint32_t line);

/// The largest first. `map` is that of the text.
std::vector<AliveGroup> aliveGroups(const CodeLiveness &code, size_t step, const SourceMap &map);

/// `R4-R7, R12`, `%r5, %rd3`.
std::string valueNames(const CodeLiveness &code, const std::vector<ValueIndex> &values);

/// What a place of the source is called: the variable that its line assigns, else its text.
std::string placeName(std::string_view source, const SourceRange &place);

} // namespace tilescope::compiler::machine
