// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/ProgramChunks.h"

#include <algorithm>

namespace tilescope::compiler::interpreter {

/// Of programs that a thread takes at once; enough are left to share.
static constexpr uint64_t kMostAtOnce = 256;
static constexpr uint64_t kLeastRuns = 16;

ProgramChunks::ProgramChunks(uint64_t count, unsigned numThreads)
    : m_count(count),
      m_size(std::clamp<uint64_t>(count / (uint64_t(numThreads) * kLeastRuns), 1, kMostAtOnce)),
      m_chunks(numThreads) {}

std::optional<uint64_t> ProgramChunks::takeNext(unsigned thread) {
  Chunk &chunk = m_chunks[thread];
  if (!chunk.hasNext()) {
    if (!hasLeft())
      return std::nullopt;
    const uint64_t begin = m_next.fetch_add(m_size);
    chunk.end = 0;
    chunk.next = begin;
    chunk.end = std::min(begin + m_size, m_count);
  }
  return chunk.take();
}

std::optional<uint64_t> ProgramChunks::takeFirst(unsigned thread) {
  for (;;) {
    Chunk *first = nullptr;
    for (Chunk &each : m_chunks)
      if (each.hasNext() && (!first || each.next < first->next))
        first = &each;
    if (!first)
      return takeNext(thread);
    // Its own thread may have been faster.
    if (const std::optional<uint64_t> taken = first->take())
      return taken;
  }
}

} // namespace tilescope::compiler::interpreter
