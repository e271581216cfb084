// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/PageMemory.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <sys/mman.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tilescope::native {

static constexpr size_t kLargePage = size_t{2} << 20;
/// A large page is made as fast as this much memory in small ones, which a program waits for one by one.
static constexpr size_t kFewPages = size_t{64} << 10;
/// What is worth to be kept, and all of it together.
static constexpr size_t kFewestKept = kLargePage, kMostKept = size_t{512} << 20;
static constexpr size_t kLine = 64;

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

bool PageMemory::suits(size_t bytes) const {
  const size_t whole = (bytes + kLargePage - 1) / kLargePage * kLargePage;
  return bytes >= kFewestKept && m_mappedBytes >= whole + kLargePage &&
         m_mappedBytes / 2 <= whole + kLargePage;
}

/// Of a multiple of a line that begins with one.
static void clearPastCaches(std::byte *memory, size_t bytes) {
#ifdef __SSE2__
  for (size_t i = 0; i < bytes; i += sizeof(__m128i))
    _mm_stream_si128(reinterpret_cast<__m128i *>(memory + i), _mm_setzero_si128());
  _mm_sfence();
#else
  std::memset(memory, 0, bytes);
#endif
}

PageMemory KeptPages::take(size_t bytes) {
  const auto it =
      std::ranges::find_if(m_kept, [&](const PageMemory &memory) { return memory.suits(bytes); });
  if (it == m_kept.end())
    return PageMemory(bytes);
  PageMemory memory(std::move(*it));
  m_kept.erase(it);
  memory.m_bytes = bytes;
  clearPastCaches(memory.m_memory, (bytes + kLine - 1) / kLine * kLine);
  return memory;
}

void KeptPages::keep(PageMemory memory) {
  if (!memory.m_mapping || memory.m_bytes < kFewestKept)
    return;
  madvise(memory.m_mapping, memory.m_mappedBytes, MADV_FREE);
  m_kept.push_front(std::move(memory));
  size_t bytes = 0;
  for (auto it = m_kept.begin(); it != m_kept.end();) {
    bytes += it->m_mappedBytes;
    it = bytes > kMostKept ? m_kept.erase(it) : std::next(it);
  }
}

} // namespace tilescope::native
