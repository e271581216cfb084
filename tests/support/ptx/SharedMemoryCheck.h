// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tilescope::tests {

/// The accesses that a thread, or the group at a barrier, knows to be over.
///
/// Threads and the engines behind asynchronous operations count their steps. `seen[p]` is the last
/// step of party `p` that happened before; `fenced[p]` the last one that asynchronous operations
/// see too, thanks to a proxy fence after it.
struct KnownSteps {
  std::vector<int32_t> seen, fenced;
  void join(const KnownSteps &other);
};

/// Finds races in shared memory.
///
/// For every byte the last write and the last reads are kept, each with its party and that party's
/// step. Two accesses by different parties, one of them a write, need a chain of barriers between
/// them: the later party must have seen the step of the earlier. Atomics do not race with atomics.
class SharedMemoryCheck {
public:
  struct Access {
    int32_t thread;
    bool isWrite;
    bool isAtomic;
    /// Asynchronous copies (`cp.async`) take the path on which matrix instructions read.
    bool isCopy = false;
  };
  /// Who performs asynchronous operations: engine 0 is for those that a thread waits for itself.
  static constexpr int32_t kNumEngines = 128;
  /// Bulk copies and products of warp groups take the engines below, tensor memory those above.
  static constexpr int32_t kFirstTensorEngine = 64;

  /// Watches so many bytes of shared memory, and behind them so many words of tensor memory.
  SharedMemoryCheck(size_t sizeBytes, size_t tensorWords, size_t numThreads);

  /// Records an access; what is wrong with it, or empty.
  std::string record(size_t offset, size_t size, Access access);

  /// Records an access that an engine performs at some time from now on, on behalf of `issuer`.
  struct Engine {
    int32_t number;
    /// Of this access; given to `finish` when it is over.
    int32_t step = 0;
    /// Whether it does one thing after the other, in the order in which it is told.
    bool isOrdered = false;
  };
  std::string recordAsync(size_t offset, size_t size, int32_t issuer, bool isWrite, Engine &engine);
  /// The party that acquires `to` knows that the access is over.
  void finish(const Engine &engine, KnownSteps &to) const;
  /// The thread itself waited for the access.
  void finish(const Engine &engine, int32_t thread);

  /// The threads wait for each other.
  void meet(std::span<const size_t> threads);
  /// The thread's current knowledge becomes known to the party that acquires `to`.
  void release(int32_t thread, KnownSteps &to);
  void acquire(int32_t thread, const KnownSteps &from) { m_known[thread].join(from); }
  /// `fence.proxy.async`.
  void fenceProxy(int32_t thread) { m_known[thread].fenced = m_known[thread].seen; }
  KnownSteps nothingKnown() const;

private:
  struct Event {
    int32_t party = -1;
    int32_t step = 0;
    bool isAtomic = false;
    bool isCopy = false;
  };
  /// Two readers are enough where all threads meet: a write conflicts with at least one of them.
  struct Byte {
    Event write, read, otherRead;
  };

  size_t numThreads() const { return m_known.size(); }
  std::string race(size_t byte, const Event &with) const;
  static void note(Byte &byte, const Event &event, bool isWrite);

  std::vector<Byte> m_bytes;
  size_t m_sharedBytes;
  /// Per thread; `seen` of itself is the step that it is in.
  std::vector<KnownSteps> m_known;
  std::vector<int32_t> m_engineSteps;
};

} // namespace tilescope::tests
