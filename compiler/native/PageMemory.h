// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstddef>
#include <list>
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
  friend class KeptPages;
  /// Whether it has room for as much, and not for much more.
  bool suits(size_t bytes) const;

  /// What the system gave, in which the memory lies.
  void *m_mapping = nullptr;
  size_t m_mappedBytes = 0;
  std::byte *m_memory = nullptr;
  size_t m_bytes = 0;
};

/// Memory of runs that have ended, for those that follow. What the system gives anew it fills with zeros first, at 0.4
/// of the speed of stores that go past the caches. It may take kept memory back when it needs some. For one thread.
class KeptPages {
public:
  /// Of 0 throughout. Throws std::bad_alloc.
  PageMemory take(size_t bytes);
  void keep(PageMemory memory);

private:
  std::list<PageMemory> m_kept;
};

} // namespace tilescope::native
