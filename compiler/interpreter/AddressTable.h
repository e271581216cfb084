// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilescope::compiler::interpreter {

/// The addresses that one store has written so far, each with the element that was written there.
/// Kept between stores, so that only the first one pays for its memory.
class AddressTable {
public:
  static constexpr uint32_t kAbsent = UINT32_MAX;

  /// Forgets all and makes room for `count` addresses.
  void begin(size_t count) {
    size_t wanted = 16;
    while (wanted < 2 * count)
      wanted *= 2;
    if (m_entries.size() < wanted || m_generation == UINT32_MAX) {
      m_entries.assign(std::max(wanted, m_entries.size()), {});
      m_generation = 0;
    }
    ++m_generation;
  }

  /// The element that was put at this address before; else puts `element` there.
  uint32_t put(int64_t address, uint32_t element) {
    const size_t mask = m_entries.size() - 1;
    size_t at = static_cast<size_t>((static_cast<uint64_t>(address) * 0x9e37'79b9'7f4a'7c15) >> 20);
    for (;; ++at) {
      Entry &entry = m_entries[at & mask];
      if (entry.generation != m_generation) {
        entry = {address, element, m_generation};
        return kAbsent;
      }
      if (entry.address == address)
        return entry.element;
    }
  }

private:
  struct Entry {
    int64_t address = 0;
    uint32_t element = 0;
    uint32_t generation = 0;
  };
  std::vector<Entry> m_entries;
  uint32_t m_generation = 0;
};

} // namespace tilescope::compiler::interpreter
