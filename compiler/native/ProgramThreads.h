// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Starting a thread takes longer than most kernels of a model, and waking one as long as many of them.
// So threads live from one grid to the next, and sleep until the thread that executes a grid calls
// them, which it does only where there is enough left to do:
//
//     run() ── execute(0) ──── callOthers() ───────────────── returns, once all have left
//     thread 1   sleeps            └── execute(1) ── sleeps
//     the watch  looks ····· every 20 ms: look(), and calls the others of a grid that takes so long
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace tilescope::native {

/// What threads do together.
class SharedWork {
public:
  virtual ~SharedWork() = default;
  /// Called once in each thread that joins; 0: the one that called `run`.
  virtual void execute(unsigned thread) = 0;
  /// Called now and then by another thread, while no thread leaves.
  virtual void look() = 0;
};

/// Memory of one thread, aligned to 64 bytes, which grows.
class ThreadScratch {
public:
  /// What it held is lost.
  std::byte *ofSize(size_t bytes);
  /// Frees what is more than may be kept.
  void shrink();

private:
  struct Free {
    void operator()(std::byte *memory) const;
  };
  std::unique_ptr<std::byte, Free> m_memory;
  size_t m_bytes = 0;
};

/// Threads that are kept. They start when they are needed first.
class ProgramThreads {
public:
  ProgramThreads() = default;
  ~ProgramThreads();
  ProgramThreads(const ProgramThreads &) = delete;
  ProgramThreads &operator=(const ProgramThreads &) = delete;

  /// Executes the work in this thread and, once they are called, in up to `numThreads` - 1 others. Returns when all
  /// have left it. One at a time.
  void run(SharedWork &work, unsigned numThreads);
  /// From a thread inside `run`.
  void callOthers();
  /// Only for that thread, inside `run`.
  ThreadScratch &scratchOf(unsigned thread) { return m_scratch[thread]; }

private:
  /// With the lock.
  void call();
  void serve(unsigned thread);
  void watch(const std::stop_token &stop);

  std::mutex m_mutex;
  std::condition_variable m_called, m_left;
  std::condition_variable_any m_begun;
  SharedWork *m_work = nullptr;
  unsigned m_numThreads = 0, m_numInside = 0;
  /// Counts calls.
  uint64_t m_call = 0;
  bool m_hasCalled = false, m_isOver = false, m_watchSleeps = false;
  std::vector<ThreadScratch> m_scratch;
  std::vector<std::thread> m_others;
  std::jthread m_watch;
};

} // namespace tilescope::native
