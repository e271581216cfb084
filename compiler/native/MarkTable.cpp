// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/MarkTable.h"

#include <algorithm>
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

MarkTable::MarkTable(size_t numElements) : m_size(std::max<size_t>(numElements, 1)) {
  const size_t bytes = m_size * sizeof(uint32_t);
  if (bytes < kFewPages) {
    m_mappedBytes = bytes;
    m_mapping = map(bytes);
    m_marks = static_cast<uint32_t *>(m_mapping);
    return;
  }
  // Only whole large pages that lie at their multiples become one.
  const size_t whole = (bytes + kLargePage - 1) / kLargePage * kLargePage;
  m_mappedBytes = whole + kLargePage;
  m_mapping = map(m_mappedBytes);
  const uint64_t first = reinterpret_cast<uint64_t>(m_mapping) + kLargePage - 1;
  m_marks = reinterpret_cast<uint32_t *>(first / kLargePage * kLargePage);
  // Without large pages it is as right, and slower.
  madvise(m_marks, whole, MADV_HUGEPAGE);
}

MarkTable::~MarkTable() {
  if (m_mapping)
    munmap(m_mapping, m_mappedBytes);
}

} // namespace tilescope::native
