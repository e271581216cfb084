// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loads of what another program changes. Nothing orders programs, so whether a load sees the old or
// the new value is chance, unless an atomic operation or a volatile load made one of them wait
// before. Example, with blocks of 32 in one tensor of 256:
//
//   v = tl.load(x_ptr + i);  tl.store(x_ptr + (i + 32) % 256, v + 1)
//
// Program 1 loads x_ptr[32], and program 0 stores it. Only arguments that a kernel both loads and
// stores are recorded (`MemoryArea::accesses`); each access notes itself and then looks for others,
// so that of two at least one finds the other, in whatever order they are executed. A store of what
// is there already, and what an atomic operation writes, is no change.
#pragma once

#include "compiler/interpreter/Frame.h"
#include "compiler/interpreter/Races.h"

namespace tilescope::compiler::interpreter {

/// The check of one load instruction, which reports one race at most.
class ReadCheck {
public:
  /// `address`: one of those that the load reads.
  ReadCheck(const Instruction &op, Frame &frame, Element element, int64_t address);
  ReadCheck(const ReadCheck &) = delete;

  /// Otherwise there is nothing to note.
  bool isRecorded() const { return m_area != nullptr; }
  /// Elements that are read: `count` of them, `stride` bytes apart.
  void note(const std::byte *memory, int64_t stride, size_t count);

private:
  void noteElement(size_t index);

  const Instruction &m_instruction;
  Frame &m_frame;
  const MemoryArea *m_area = nullptr;
  uint32_t m_self = 0;
  bool m_isReported = false;
};

/// Before a row of whole elements is written to `area`, which has a table of accesses. Reports the
/// first race unless the store `hasReported` one in an earlier row.
void noteChanges(const Instruction &op, Frame &frame, const MemoryArea &area, Element element,
                 const WrittenRow &row, bool &hasReported);

} // namespace tilescope::compiler::interpreter
