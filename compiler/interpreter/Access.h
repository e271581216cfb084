// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Checked access to the arguments' memory.
#pragma once

#include "compiler/interpreter/Frame.h"

namespace tilescope::compiler::interpreter {

enum class AccessKind { Load, Store, Atomic };

/// An element of an argument as messages name it, `x_ptr[0, 32]` (without backticks), from its
/// number in an argument of `extent` elements; by this number where no shape of so many is known.
/// One outside of the tensor is in rows before or behind it.
std::string elementName(const MemoryArea &area, int64_t number, int64_t extent);

/// The area that an address belongs to and the offset in it; null area if it belongs to none.
struct Place {
  const MemoryArea *area = nullptr;
  int64_t offset = 0;
};
Place findPlace(const Execution &execution, int64_t address);
/// A program of the frame's grid as messages name it.
std::string programText(const Frame &frame, const std::array<int32_t, 3> &id);

/// Makes one finding of two about the same program and argument: what rounds of a loop, or the copies
/// of one that was unrolled, access outside. False: they are about others.
bool joinOutside(const Execution &execution, InterpreterFinding &earlier,
                 const InterpreterFinding &finding);

/// Notes what a store or an atomic operation at `addresses` did, from what the frame had stored before
/// it.
void noteOutcome(const Instruction &instruction, Frame &frame, uint32_t addresses,
                 uint64_t bytesBefore);

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
  // What was outside; lowest and highest as far as they belong to the area of the first.
  uint64_t m_numOutside = 0;
  int64_t m_firstOutside = 0;
  int64_t m_lowestOutside = 0;
  int64_t m_highestOutside = 0;
};

} // namespace tilescope::compiler::interpreter
