// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Notes of accesses, and the report of two that race. A note is the program's number, counted from
// 1, in the upper half, and the program's epoch (ProgramOrder.h) and the place of the access in the
// lower one; 0: nobody.
#pragma once

#include "compiler/interpreter/Frame.h"

#include <atomic>
#include <bit>

namespace tilescope::compiler::interpreter {

/// Of a change: whether doing it a second time changes the element again, as a sum does.
inline constexpr uint64_t kAddsUp = uint64_t{1} << 31;

/// Places that a note can tell apart.
inline constexpr int kLocationBits = 31 - kEpochBits;
inline constexpr uint64_t kMostLocations = uint64_t{1} << kLocationBits;

/// A note of what the frame's program does now.
inline uint64_t recordOf(Frame &frame, const Instruction &op) {
  frame.order.hasAccessed = true;
  return (uint64_t(frame.programNumber()) << 32) | (uint64_t(frame.order.epoch) << kLocationBits) |
         op.location;
}
inline uint32_t programOf(uint64_t record) { return static_cast<uint32_t>(record >> 32); }
inline uint32_t epochOf(uint64_t record) {
  return static_cast<uint32_t>(record >> kLocationBits) & kLastEpoch;
}
inline uint32_t locationOf(uint64_t record) {
  return static_cast<uint32_t>(record & (kMostLocations - 1));
}

/// Whether something orders a note before what the frame's program does now.
inline bool isBefore(uint64_t record, const Frame &frame) {
  const uint32_t program = programOf(record);
  return program == frame.programNumber() ||
         (frame.order.known && frame.order.known->epochOf(program - 1) >= epochOf(record));
}

/// The first two programs of those that do something: one of them is another than any program that
/// asks. Who notes itself and looks for others afterwards finds them, or is found by them. Of what
/// is ordered, the last is kept: who comes behind that comes behind all.
class TwoPrograms {
public:
  void add(uint64_t self, const Frame &frame) {
    for (uint64_t *slot : {&m_first, &m_second}) {
      uint64_t known = std::atomic_ref(*slot).load();
      while (known == 0 || isBefore(known, frame)) {
        if (programOf(known) == programOf(self) && epochOf(known) == epochOf(self))
          return;
        if (std::atomic_ref(*slot).compare_exchange_weak(known, self))
          return;
      }
    }
  }
  /// The note of a program that nothing orders before the frame's; 0: there is none.
  uint64_t other(const Frame &frame) {
    for (uint64_t *slot : {&m_first, &m_second})
      if (const uint64_t record = std::atomic_ref(*slot).load();
          record != 0 && !isBefore(record, frame))
        return record;
    return 0;
  }

  bool isEmpty() { return std::atomic_ref(m_first).load() == 0; }

private:
  uint64_t m_first = 0;
  uint64_t m_second = 0;
};

/// Two accesses to one element, of which nothing says which comes first.
struct RacingPair {
  const MemoryArea &area;
  /// In units of the area's granules.
  size_t index;
  /// The one at whose place it is reported, and what happens to the element there: "read".
  uint64_t shown;
  const char *isDone;
  /// The other one: "changed by".
  uint64_t other;
  const char *otherDoes;
  /// What to do about it; `%` stands for the argument in backticks.
  const char *cure;
  const char *effect = kChance;
};
void reportPair(Frame &frame, const RacingPair &pair);

/// Of an access of `size` bytes at an offset of the area: calls note(index) for its granules.
template <typename F>
void forEachGranule(const MemoryArea &area, int64_t offset, size_t size, F note) {
  // Sizes of elements are powers of two.
  const int shift = std::countr_zero(area.granule);
  const size_t first = static_cast<size_t>(offset) >> shift;
  const size_t last = (static_cast<size_t>(offset) + size - 1) >> shift;
  for (size_t i = first; i <= last; ++i)
    note(i);
}

} // namespace tilescope::compiler::interpreter
