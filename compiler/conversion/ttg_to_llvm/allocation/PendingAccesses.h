// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace tilescope::compiler {

/// Bytes of shared memory, half-open. Columns of tensor memory count as bytes from `kTensorMemory`
/// on.
struct ByteRange {
  int64_t begin = 0, end = 0;
  auto operator<=>(const ByteRange &) const = default;
};
inline constexpr int64_t kTensorMemory = int64_t(1) << 40;

/// What threads have done with bytes, or have started; bits of a set.
enum AccessKind : uint8_t {
  kRead = 1 << 0,
  kWritten = 1 << 1,
  /// Barriers that the first thread made or ended, and those whose next phase it began.
  kMade = 1 << 2,
  kArmed = 1 << 3,
  /// Written past bulk copies, which do not see it yet.
  kUnfenced = 1 << 4,
  /// Being read by products of warp groups, or by bulk copies out of shared memory.
  kReadByProducts = 1 << 5,
  kReadByBulkCopies = 1 << 6,
};
using AccessKinds = uint8_t;

/// What is over for all when all threads have met.
inline constexpr AccessKinds kEndedByMeeting = kRead | kWritten | kMade | kArmed;

/// Accesses whose order with later ones still has to be seen to.
class PendingAccesses {
public:
  void add(ByteRange range, AccessKinds kinds);
  /// Adds the other's; true when something was new.
  bool join(const PendingAccesses &other);
  /// Adds as `as` the other's accesses that are of one of the kinds `from`.
  void joinAs(const PendingAccesses &other, AccessKinds from, AccessKind as);
  /// Adds the other's writes to shared memory as such that bulk copies do not see yet.
  void addUnfenced(const PendingAccesses &other);
  /// Forgets accesses of these kinds.
  void drop(AccessKinds kinds);

  bool has(AccessKinds kinds) const;
  /// Whether bytes here of one of `kinds` are among the other's of one of `others`.
  bool overlaps(AccessKinds kinds, const PendingAccesses &other, AccessKinds others) const;
  /// Whether all threads must meet before `next`.
  bool conflictsWith(const PendingAccesses &next) const;

  bool operator==(const PendingAccesses &) const = default;

private:
  struct Entry {
    ByteRange range;
    AccessKinds kinds = 0;
    bool operator==(const Entry &) const = default;
  };
  /// By range, each range once.
  llvm::SmallVector<Entry, 4> m_entries;
};

} // namespace tilescope::compiler
