// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/PageMemory.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <sys/mman.h>

namespace tilescope::native {

static constexpr size_t kLargePage = size_t{2} << 20;
/// A large page is made as fast as this much memory in small ones, which a program waits for one by one.
static constexpr size_t kFewPages = size_t{64} << 10;

static void *map(size_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  return memory;
}

PageMemory::PageMemory(size_t bytes) : m_bytes(bytes) {
  if (bytes < kFewPages) {
    m_mappedBytes = std::max<size_t>(bytes, 1);
    m_mapping = map(m_mappedBytes);
    m_memory = static_cast<std::byte *>(m_mapping);
    return;
  }
  // Only whole large pages that lie at their multiples become one.
  const size_t whole = (bytes + kLargePage - 1) / kLargePage * kLargePage;
  m_mappedBytes = whole + kLargePage;
  m_mapping = map(m_mappedBytes);
  const uint64_t first = reinterpret_cast<uint64_t>(m_mapping) + kLargePage - 1;
  m_memory = reinterpret_cast<std::byte *>(first / kLargePage * kLargePage);
  // Without large pages it is as right, and slower.
  madvise(m_memory, whole, MADV_HUGEPAGE);
}

PageMemory::~PageMemory() {
  if (m_mapping)
    munmap(m_mapping, m_mappedBytes);
}

} // namespace tilescope::native
