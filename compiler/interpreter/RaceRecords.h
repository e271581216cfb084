// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Notes of accesses, and the report of two that race. A note is the program's number, counted from
// 1, in the upper half, and the place of the access in the lower one; 0: nobody.
#pragma once

#include "compiler/interpreter/Frame.h"

#include <atomic>

namespace tilescope::compiler::interpreter {

/// Of a change: whether doing it a second time changes the element again, as a sum does.
inline constexpr uint64_t kAddsUp = uint64_t{1} << 31;

inline uint64_t recordOf(uint32_t program, const Instruction &op) {
  return (uint64_t(program) << 32) | op.location;
}
inline uint32_t programOf(uint64_t record) { return static_cast<uint32_t>(record >> 32); }
inline uint32_t locationOf(uint64_t record) {
  return static_cast<uint32_t>(record & (kAddsUp - 1));
}

/// The first two programs of those that do something: one of them is another than any program that
/// asks. Who notes itself and looks for others afterwards finds them, or is found by them.
class TwoPrograms {
public:
  void add(uint64_t self) {
    uint64_t known = 0;
    if (std::atomic_ref(m_first).compare_exchange_strong(known, self) ||
        programOf(known) == programOf(self))
      return;
    known = 0;
    std::atomic_ref(m_second).compare_exchange_strong(known, self);
  }
  /// The note of another program than `self`; 0: there is none.
  uint64_t other(uint32_t self) {
    for (uint64_t *slot : {&m_first, &m_second})
      if (const uint64_t record = std::atomic_ref(*slot).load();
          record != 0 && programOf(record) != self)
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
};
void reportPair(Frame &frame, const RacingPair &pair);

/// Of an access of `size` bytes at an offset of the area: calls note(index) for its granules.
template <typename F>
void forEachGranule(const MemoryArea &area, int64_t offset, size_t size, F note) {
  const size_t first = static_cast<size_t>(offset) / area.granule;
  const size_t last = (static_cast<size_t>(offset) + size - 1) / area.granule;
  for (size_t i = first; i <= last; ++i)
    note(i);
}

} // namespace tilescope::compiler::interpreter
