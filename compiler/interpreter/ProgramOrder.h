// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What happens in one program before something in another. Programs are ordered by nothing but
// atomic operations: one that releases tells all that its program has done so far, and one that
// acquires, and whose result the program uses, learns what was told at its place:
//
//   program 0                              program 1
//   tl.store(data, x)
//   tl.atomic_xchg(flag, 1)                while tl.atomic_add(flag, 0) == 0: pass
//                                          y = tl.load(data)      behind the store
//
// A plain store tells nothing: with tl.store(flag, 1) the load may see the old data. A program's time
// is cut into epochs, at whose ends it releases; what a program knows is, of each other one, the last
// epoch that lies before (vector clocks, of which parts that are equal are shared).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace tilescope::compiler::interpreter {

class Frame;

/// Grids with more programs are not followed: what comes behind a wait then counts as ordered.
inline constexpr uint64_t kMostOrderedPrograms = 131072;
/// A program that releases more often stays in its last epoch.
inline constexpr int kEpochBits = 11;
inline constexpr uint32_t kLastEpoch = (1u << kEpochBits) - 1;

/// Of each program the epoch up to which it is known. Never changes: a tree, of which a clock that
/// knows more of one program has three nodes of its own.
class ProgramClock {
public:
  explicit ProgramClock(size_t numPrograms)
      : m_branches((numPrograms + kBranch * kChunk - 1) / (kBranch * kChunk)) {}

  /// `program`: counted from 0. 0: nothing of it is known.
  uint32_t epochOf(uint32_t program) const {
    const std::shared_ptr<const Branch> &branch = m_branches[program / (kBranch * kChunk)];
    const Chunk *chunk = branch ? (*branch)[program / kChunk % kBranch].get() : nullptr;
    return chunk ? (*chunk)[program % kChunk] : 0;
  }

  using Shared = std::shared_ptr<const ProgramClock>;
  /// The later of both for each program; null clocks know nothing.
  static Shared join(const Shared &a, const Shared &b);
  /// `clock` (null: of `numPrograms`), and of one program that epoch.
  static Shared with(const Shared &clock, size_t numPrograms, uint32_t program, uint32_t epoch);

private:
  static constexpr size_t kChunk = 64;
  using Chunk = std::array<uint16_t, kChunk>;
  static constexpr size_t kBranch = 32;
  using Branch = std::array<std::shared_ptr<const Chunk>, kBranch>;
  std::vector<std::shared_ptr<const Branch>> m_branches;
};

/// What a program knows of the others.
struct ProgramKnowledge {
  ProgramClock::Shared known;
  /// From 1.
  uint32_t epoch = 1;
  /// It has accessed something that is recorded in this epoch.
  bool hasAccessed = false;
  /// What it acquired and released last: a program that waits does both many times.
  ProgramClock::Shared acquired, released;
};

/// How a program has looked at what others do, to decide what it does itself.
enum class Look : uint8_t {
  Never,
  /// By an operation that orders nothing: `sem="relaxed"` or `scope="cta"`.
  Unordered,
  Ordered,
};

/// What was released at places of memory; used by several threads.
class ReleaseClocks {
public:
  explicit ReleaseClocks(size_t numPrograms) : m_numPrograms(numPrograms), m_looks(numPrograms) {}
  class Access;

  /// Programs are numbered from 1.
  void noteLook(uint32_t program, Look look);
  /// The best that it has done.
  Look lookOf(uint32_t program);

private:
  struct Stripe {
    std::mutex mutex;
    std::unordered_map<const std::byte *, ProgramClock::Shared> clocks;
  };
  static constexpr size_t kNumStripes = 64;
  size_t m_numPrograms;
  std::vector<Look> m_looks;
  std::array<Stripe, kNumStripes> m_stripes;
};

/// While it lives, nobody else uses the clock of that place.
class ReleaseClocks::Access {
public:
  Access(ReleaseClocks &clocks, const std::byte *place);
  /// The frame's program learns what was released here.
  void acquire(Frame &frame);
  /// It tells here what it has done, and its next epoch begins.
  void release(Frame &frame);
  /// A plain store: what was released is no longer seen.
  void forget();

private:
  ReleaseClocks &m_clocks;
  const std::byte *m_place;
  Stripe &m_stripe;
  std::unique_lock<std::mutex> m_lock;
};

} // namespace tilescope::compiler::interpreter
