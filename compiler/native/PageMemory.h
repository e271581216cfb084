// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstddef>
#include <utility>

namespace tilescope::native {

/// Memory that begins as zeros. The system gives it when it is first written, in large pages where it has them: a small
/// one takes as long as the work on its elements.
class PageMemory {
public:
  /// Throws std::bad_alloc.
  explicit PageMemory(size_t bytes);
  ~PageMemory();
  PageMemory(PageMemory &&other) noexcept
      : m_mapping(std::exchange(other.m_mapping, nullptr)), m_mappedBytes(other.m_mappedBytes),
        m_memory(other.m_memory), m_bytes(other.m_bytes) {}
  PageMemory &operator=(PageMemory &&) = delete;

  std::byte *data() const { return m_memory; }
  size_t size() const { return m_bytes; }

private:
  /// What the system gave, in which the memory lies.
  void *m_mapping = nullptr;
  size_t m_mappedBytes = 0;
  std::byte *m_memory = nullptr;
  size_t m_bytes = 0;
};

} // namespace tilescope::native
