// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Stores of two programs to one element. Which value is left is chance, unless both are equal, or
// the second program has waited until the first had stored (ProgramOrder.h). The last writer of each
// element is noted, and where programs may wait for others, its epoch and place, too.
#pragma once

#include "compiler/interpreter/Frame.h"
#include "compiler/interpreter/WarpRaces.h"
#include "compiler/interpreter/kernels/MemoryFormats.h"

#include <optional>

namespace tilescope::compiler::interpreter {

/// Elements about to be written: `count` of them, `stride` bytes apart.
struct WrittenRow {
  std::byte *memory;
  int64_t stride;
  /// The new elements, or one for all.
  const std::byte *in;
  bool isDense;
  size_t count;
  WriteFunction write;
  /// Of the first one in the block, row-major.
  size_t position = 0;
};

/// Notes that elements were written by something else than a plain store.
void noteOtherwise(const MemoryArea &area, int64_t offsetBytes, size_t sizeBytes);

/// The check of one store instruction; reports when it goes out of scope.
class RaceCheck {
public:
  /// `address`: one of those that the store writes.
  RaceCheck(const Instruction &op, Frame &frame, Element element, int64_t address);
  /// Of this store it is known that its values are not defined: its writes are only recorded.
  void recordOnly() { m_isReported = true; }
  ~RaceCheck();
  RaceCheck(const RaceCheck &) = delete;

  /// Before the row is written: its old elements are still there.
  void noteRow(const WrittenRow &row) {
    if (m_area)
      note(row);
  }
  /// After it was written: who finds the note finds the elements, too.
  void noteWritten(const WrittenRow &row) {
    if (m_area)
      noteWriter(row);
  }

private:
  bool isInside(const WrittenRow &row) const;
  bool isAligned(const WrittenRow &row) const;
  void note(const WrittenRow &row);
  void noteWriter(const WrittenRow &row);
  void findWriters(const WrittenRow &row);
  bool isOrdered(size_t granule, uint32_t writer) const;
  void compare(const WrittenRow &row, size_t index, size_t part, uint32_t writer);

  const Instruction &m_instruction;
  Frame &m_frame;
  /// Null where writes are not recorded.
  const MemoryArea *m_area = nullptr;
  Element m_element;
  /// Of an element.
  size_t m_size;
  /// Granules that an element takes.
  size_t m_numParts = 1;
  uint32_t m_self = 0;
  /// Where other warps of the program may race with it.
  std::optional<WarpCheck> m_warps;
  bool m_isReported = false;
  /// With a load, and with an atomic operation.
  bool m_hasReadRace = false;
  bool m_hasAtomicRace = false;
  // The first race.
  uint64_t m_numRaces = 0;
  uint32_t m_other = 0;
  int64_t m_offset = 0;
  /// Of the other store; 0: it is not known.
  uint64_t m_otherStore = 0;
};

} // namespace tilescope::compiler::interpreter
