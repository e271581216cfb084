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
// changes are recorded (`MemoryArea::accesses`); each access notes itself and then looks for others,
// so that of two at least one finds the other, in whatever order they are executed. A store of what
// is there already is no change. What atomic operations change: AtomicRaces.h.
#pragma once

#include "compiler/interpreter/RaceRecords.h"
#include "compiler/interpreter/Races.h"
#include "compiler/interpreter/WarpRaces.h"

#include <algorithm>
#include <optional>

namespace tilescope::compiler::interpreter {

/// Who accessed an element without having waited for other programs.
struct ElementAccesses {
  TwoPrograms readers;
  /// The last plain store that changed it.
  uint64_t change = 0;
};

/// The check of one load instruction, which reports one race with other programs at most, and one
/// with other warps.
class ReadCheck {
public:
  /// `address`: one of those that the load reads.
  ReadCheck(const Instruction &op, Frame &frame, Element element, int64_t address);
  ReadCheck(const ReadCheck &) = delete;

  /// Otherwise there is nothing to note.
  bool isRecorded() const { return m_area != nullptr; }
  /// Elements that are read: `count` of them, `stride` bytes apart, from that one of the block on.
  void note(const std::byte *memory, int64_t stride, size_t count, size_t position);

private:
  void noteElement(size_t index);

  const Instruction &m_instruction;
  Frame &m_frame;
  const MemoryArea *m_area = nullptr;
  size_t m_size;
  uint32_t m_self = 0;
  bool m_notesPrograms = false;
  bool m_looksForPrograms = false;
  /// Where other warps of the program may race with it.
  std::optional<WarpCheck> m_warps;
};

/// A read by one program, and a change by an atomic operation of another.
void reportUpdatedRead(Frame &frame, const MemoryArea &area, size_t index, uint64_t read,
                       uint64_t update);

/// Before a row of granules is written to `area`, which has a table of accesses. Reports the first
/// race unless the store `hasReported` one in an earlier row.
void noteChanges(const Instruction &op, Frame &frame, const MemoryArea &area, Element element,
                 const WrittenRow &row, bool &hasReported);

/// Before a row is written: calls written(index, whether it is going to be another) for its
/// granules.
template <typename F>
void forEachWritten(const MemoryArea &area, Element element, const WrittenRow &row, F written) {
  constexpr size_t kChunk = 64;
  const int shift = std::countr_zero(area.granule);
  const size_t size = memorySize(element), numParts = size >> shift;
  std::array<std::byte, kChunk * 8> encoded{};
  for (size_t begin = 0; begin < row.count; begin += kChunk) {
    const size_t count = std::min(kChunk, row.count - begin);
    row.write(encoded.data(), static_cast<int64_t>(size),
              row.in + (row.isDense ? begin * storageSize(element) : 0), row.isDense, count);
    for (size_t i = 0; i < count; ++i) {
      const std::byte *old = row.memory + row.stride * static_cast<int64_t>(begin + i);
      const size_t index = static_cast<size_t>(old - area.data) >> shift;
      for (size_t part = 0; part < numParts; ++part)
        written(index + part, std::memcmp(encoded.data() + i * size + part * area.granule,
                                          old + part * area.granule, area.granule) != 0);
    }
  }
}

} // namespace tilescope::compiler::interpreter
