// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tilescope::native {

/// Marks of an argument's elements, all 0 (compiler/conversion/tt_to_cpu/StoreMarks.h). The system gives the
/// memory when it is first written, in large pages where it has them.
class MarkTable {
public:
  /// Throws std::bad_alloc.
  explicit MarkTable(size_t numElements);
  ~MarkTable();
  MarkTable(MarkTable &&other) noexcept
      : m_mapping(std::exchange(other.m_mapping, nullptr)), m_mappedBytes(other.m_mappedBytes),
        m_marks(other.m_marks), m_size(other.m_size) {}
  MarkTable &operator=(MarkTable &&) = delete;

  /// As `runGrid` takes it.
  uint64_t address() const { return reinterpret_cast<uint64_t>(m_marks); }
  std::span<const uint32_t> marks() const { return {m_marks, m_size}; }

private:
  /// What the system gave, in which the marks lie.
  void *m_mapping = nullptr;
  size_t m_mappedBytes = 0;
  uint32_t *m_marks = nullptr;
  size_t m_size = 0;
};

} // namespace tilescope::native
