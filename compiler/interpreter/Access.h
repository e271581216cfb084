// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Checked access to the arguments' memory.
#pragma once

#include "compiler/interpreter/Frame.h"
#include "compiler/interpreter/OutsideFinding.h"

namespace tilescope::compiler::interpreter {

/// A program of the frame's grid as messages name it.
std::string programText(const Frame &frame, const std::array<int32_t, 3> &id);

/// Notes whether an access at `addresses` reached any of them.
void noteOutcome(const Instruction &instruction, Frame &frame, uint32_t addresses,
                 const AccessOutcomes &outcomes, bool isReached);

/// Checks elements one by one and remembers those that are outside.
class Checker {
public:
  Checker(const Instruction &instruction, Frame &frame, AccessKind kind, Element element)
      : m_instruction(instruction), m_frame(frame), m_kind(kind), m_size(memorySize(element)) {}
  /// Reports what was outside, once for the whole block and all rounds of a loop.
  ~Checker();
  Checker(const Checker &) = delete;

  /// The memory of one element, or null if it is outside.
  std::byte *at(int64_t address) {
    uint64_t offset = static_cast<uint64_t>(address - m_start);
    if (offset < m_usable) [[likely]]
      return m_data + offset;
    return find(address);
  }
  /// The memory from `low` to the element at `high`, if it is all inside one area; else null.
  std::byte *range(int64_t low, int64_t high);

private:
  std::byte *find(int64_t address);
  /// Each write is told to an observer.
  bool isWatched() const { return m_kind != AccessKind::Load && m_frame.writeObserver; }

  const Instruction &m_instruction;
  Frame &m_frame;
  AccessKind m_kind;
  size_t m_size;
  // The area of the last access.
  int64_t m_start = 0;
  uint64_t m_usable = 0;
  std::byte *m_data = nullptr;
  OutsideElements m_outside;
};

} // namespace tilescope::compiler::interpreter
