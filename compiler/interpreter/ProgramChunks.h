// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Hands the programs of a grid out to threads, in runs: neighboring programs touch neighboring
// memory. Where programs wait for each other, the first that has not begun goes first, whose run it
// may be in, since it may be what the others wait for:
//
//   thread 0    0 1 2 │ 3 4 5 6 7           programs 2, 9 and 10 wait: 3 is the next to begin,
//   thread 1    8 9 10 │ 11 12 13 14 15     also for thread 1
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace tilescope::compiler::interpreter {

class ProgramChunks {
public:
  ProgramChunks(uint64_t count, unsigned numThreads);

  /// Whether there are programs that no thread has yet.
  bool hasLeft() const { return m_next < m_count; }
  /// Whether a thread has programs that have not begun.
  bool hasOwn(unsigned thread) const { return m_chunks[thread].hasNext(); }
  /// The next program of a thread, which calls this itself; nothing: it needs others.
  std::optional<uint64_t> takeOwn(unsigned thread) { return m_chunks[thread].take(); }

  // One thread at a time.
  /// The same, with others if need be; nothing: all have begun, or are with other threads.
  std::optional<uint64_t> takeNext(unsigned thread);
  /// The first of all that have not begun.
  std::optional<uint64_t> takeFirst(unsigned thread);

private:
  struct Chunk {
    /// Behind the end, too.
    std::atomic<uint64_t> next = 0;
    std::atomic<uint64_t> end = 0;

    bool hasNext() const { return next < end; }
    std::optional<uint64_t> take() {
      const uint64_t taken = next.fetch_add(1, std::memory_order_relaxed);
      return taken < end ? std::optional(taken) : std::nullopt;
    }
  };

  uint64_t m_count;
  uint64_t m_size;
  std::atomic<uint64_t> m_next = 0;
  std::vector<Chunk> m_chunks;
};

} // namespace tilescope::compiler::interpreter
