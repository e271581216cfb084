// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/TensorMemory.h"

#include <new>
#include <sys/mman.h>

namespace tilescope::profiler {

static constexpr size_t kLine = 64, kLargePage = size_t{2} << 20;

static std::align_val_t alignmentOf(size_t bytes) {
  return std::align_val_t(bytes >= kLargePage ? kLargePage : kLine);
}

void *allocateTensor(size_t bytes) {
  void *memory = ::operator new(bytes, alignmentOf(bytes));
  // Without large pages it is as right, and slower.
  if (bytes >= kLargePage)
    madvise(memory, bytes / kLargePage * kLargePage, MADV_HUGEPAGE);
  return memory;
}

void freeTensor(void *memory, size_t bytes) noexcept {
  ::operator delete(memory, alignmentOf(bytes));
}

} // namespace tilescope::profiler
