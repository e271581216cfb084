// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/MarkTable.h"

#include <algorithm>
#include <new>
#include <sys/mman.h>

namespace tilescope::native {

MarkTable::MarkTable(size_t numElements) : m_size(std::max<size_t>(numElements, 1)) {
  void *memory = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  // Without large pages it is as right, and slower.
  madvise(memory, bytes(), MADV_HUGEPAGE);
  m_memory = static_cast<uint32_t *>(memory);
}

MarkTable::~MarkTable() {
  if (m_memory)
    munmap(m_memory, bytes());
}

} // namespace tilescope::native
