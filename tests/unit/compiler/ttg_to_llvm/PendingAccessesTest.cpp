// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/allocation/PendingAccesses.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;

static PendingAccesses one(int64_t begin, int64_t end, AccessKinds kinds) {
  PendingAccesses accesses;
  accesses.add({begin, end}, kinds);
  return accesses;
}

TEST_CASE("threads meet before accesses that may not overtake what is pending", "[compiler]") {
  const AccessKinds kinds[] = {kRead, kWritten, kMade, kArmed};
  // What one thread does to a barrier object needs nothing in between; who waits for a phase is
  // ordered by it.
  const bool meets[4][4] = {{false, true, true, true},
                            {true, true, true, true},
                            {true, true, false, false},
                            {false, true, false, false}};
  for (int pending = 0; pending < 4; ++pending)
    for (int next = 0; next < 4; ++next) {
      CAPTURE(pending, next);
      const PendingAccesses before = one(16, 32, kinds[pending]);
      CHECK(before.conflictsWith(one(31, 48, kinds[next])) == meets[pending][next]);
      CHECK_FALSE(before.conflictsWith(one(32, 48, kinds[next])));
      CHECK_FALSE(before.conflictsWith(one(0, 16, kinds[next])));
    }
}

TEST_CASE("a meeting ends accesses, but not what is under way or unfenced", "[compiler]") {
  PendingAccesses pending = one(0, 8, kRead | kReadByProducts);
  pending.add({8, 16}, kWritten);
  pending.addUnfenced(pending);
  pending.drop(kEndedByMeeting);
  CHECK_FALSE(pending.has(kEndedByMeeting));
  CHECK(pending.has(kReadByProducts));
  CHECK(pending.overlaps(kUnfenced, one(8, 16, kRead), kRead));
  CHECK_FALSE(pending.overlaps(kUnfenced, one(0, 8, kRead), kRead));
  // After the wait, the factors count as read by other warps.
  pending.joinAs(pending, kReadByProducts, kRead);
  CHECK(pending.conflictsWith(one(0, 8, kWritten)));
}

TEST_CASE("tensor memory needs no fences", "[compiler]") {
  PendingAccesses pending;
  pending.addUnfenced(one(kTensorMemory, kTensorMemory + 64, kWritten));
  CHECK_FALSE(pending.has(kUnfenced));
}

TEST_CASE("joining tells whether something was new", "[compiler]") {
  PendingAccesses pending = one(0, 8, kRead);
  CHECK_FALSE(pending.join(one(0, 8, kRead)));
  CHECK(pending.join(one(0, 8, kWritten)));
  CHECK(pending.join(one(0, 4, kRead)));
  PendingAccesses other = one(0, 4, kRead);
  other.add({0, 8}, kRead | kWritten);
  CHECK(pending == other);
}
