// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/native/PageMemory.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

namespace tilescope::native {

/// Marks of an argument's elements, all 0 (compiler/conversion/tt_to_cpu/StoreMarks.h).
class MarkTable {
public:
  /// With memory of `kept`, which outlives it and gets it back; may be null. Throws std::bad_alloc.
  explicit MarkTable(size_t numElements, KeptPages *kept = nullptr)
      : m_kept(kept),
        m_memory(kept ? kept->take(bytesOf(numElements)) : PageMemory(bytesOf(numElements))) {}
  ~MarkTable() {
    if (m_kept)
      m_kept->keep(std::move(m_memory));
  }
  MarkTable(MarkTable &&other) noexcept
      : m_kept(std::exchange(other.m_kept, nullptr)), m_memory(std::move(other.m_memory)) {}
  MarkTable &operator=(MarkTable &&) = delete;

  /// As `runGrid` takes it.
  uint64_t address() const { return reinterpret_cast<uint64_t>(m_memory.data()); }
  std::span<const uint32_t> marks() const {
    return {reinterpret_cast<const uint32_t *>(m_memory.data()),
            m_memory.size() / sizeof(uint32_t)};
  }

private:
  static size_t bytesOf(size_t numElements) {
    return std::max<size_t>(numElements, 1) * sizeof(uint32_t);
  }

  KeptPages *m_kept;
  PageMemory m_memory;
};

} // namespace tilescope::native
