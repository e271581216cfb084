// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a kernel keeps in shared memory, where, and for how long: what the map of allocations, the
// report and the command line read.
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "compiler/artifacts/AccessRecord.h"

namespace tilescope::compiler {

/// What bytes of shared memory are for.
enum class SharedUse : uint8_t {
  /// A buffer of the kernel: `ttg.local_alloc`.
  Buffer,
  /// What an operation needs while it executes.
  Scratch,
  /// What a called function needs.
  Call,
  /// What tells waiting groups of warps to go on.
  Dispatch,
};
/// `buffer`, `scratch`, ….
std::string_view sharedUseName(SharedUse use);

/// Operations that follow each other, come from one line of the source, and between which nothing
/// in shared memory begins or ends.
struct SharedStep {
  /// Of the first operation that comes from the user's file; empty when none does.
  SourceRange range;
  /// Of TTGIR, 0-based.
  uint32_t stageLine = 0;
  bool isInLoop = false;
  bool operator==(const SharedStep &) const = default;
};

/// Bytes that something has for a part of the kernel's life.
struct SharedBuffer {
  SharedUse use{};
  /// `ttg.local_alloc`, or the operation whose scratch it is.
  std::string operation;
  /// What the kernel calls the value; empty when it has no name.
  std::string name;
  /// `a buffer of fp16[64, 32]`, `handing a block of fp32[64, 64] between threads`.
  std::string words;
  SourceRange range;
  uint32_t stageLine = 0;
  int64_t offset = 0, bytes = 0;
  /// The steps during which it is needed, half-open.
  uint32_t begin = 0, end = 0;
  /// The group of warps that needs it; -1: all warps. Groups run at the same time.
  int32_t group = -1;
  /// Parts of equal size that are used in turns; 1: it is one piece.
  int32_t slots = 1;
  /// Of one slot; empty for scratch.
  std::vector<int64_t> shape;
  std::string elementType;
  /// The encoding as printed.
  std::string encoding;

  bool isAliveIn(uint32_t step) const { return begin <= step && step < end; }
  bool meets(const SharedBuffer &other) const {
    return (group >= 0 && other.group >= 0 && group != other.group) ||
           (begin < other.end && other.begin < end);
  }
  bool sharesBytesWith(const SharedBuffer &other) const {
    return offset < other.offset + other.bytes && other.offset < offset + bytes;
  }
  bool operator==(const SharedBuffer &) const = default;
};

/// How one operation reads or writes one buffer.
struct SharedAccess {
  uint32_t buffer = 0;
  uint32_t step = 0;
  uint32_t stageLine = 0;
  bool isWrite = false;
  /// Counts are of one execution by one program.
  AccessFacts facts;
  /// Which lanes touch which places; or, of what is not counted, the rows of the buffer as lanes.
  AccessLanes lanes;
  /// Why it is not counted; empty: it is.
  std::string uncounted;

  /// Whether there is something to draw.
  bool isDrawn() const { return !lanes.lanes.empty(); }
  bool operator==(const SharedAccess &) const = default;
};

/// One use of one slot of a ring.
struct RingTurn {
  /// Of the loop; -1: before it.
  int32_t iteration = 0;
  int32_t slot = 0;
  bool isWrite = false;
  /// Which of the blocks that go through the ring, from 0.
  int32_t block = 0;
  bool operator==(const RingTurn &) const = default;
};

/// A buffer whose slots a loop fills and reads in turns, as far as its first iterations.
struct SharedRing {
  uint32_t buffer = 0;
  /// Of the loop.
  SourceRange range;
  int32_t numIterations = 0;
  std::vector<RingTurn> turns;
  bool operator==(const SharedRing &) const = default;
};

/// All of a kernel's shared memory.
struct SharedFacts {
  /// What the kernel takes, and what the target has for one program.
  int64_t total = 0, limit = 0;
  std::vector<SharedStep> steps;
  /// By offset, then by their first step.
  std::vector<SharedBuffer> buffers;
  /// In program order.
  std::vector<SharedAccess> accesses;
  std::vector<SharedRing> rings;

  /// The others that have some of the same bytes at other times.
  std::vector<size_t> sharersOf(size_t buffer) const;
  bool operator==(const SharedFacts &) const = default;
};

} // namespace tilescope::compiler
