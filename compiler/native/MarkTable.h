// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/native/PageMemory.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace tilescope::native {

/// Marks of an argument's elements, all 0 (compiler/conversion/tt_to_cpu/StoreMarks.h).
class MarkTable {
public:
  /// Throws std::bad_alloc.
  explicit MarkTable(size_t numElements)
      : m_memory(std::max<size_t>(numElements, 1) * sizeof(uint32_t)) {}

  /// As `runGrid` takes it.
  uint64_t address() const { return reinterpret_cast<uint64_t>(m_memory.data()); }
  std::span<const uint32_t> marks() const {
    return {reinterpret_cast<const uint32_t *>(m_memory.data()),
            m_memory.size() / sizeof(uint32_t)};
  }

private:
  PageMemory m_memory;
};

} // namespace tilescope::native
