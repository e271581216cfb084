// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What one instruction of a warp costs, from the addresses of its lanes.
//
// Worked example (asserted by the unit test "the worked example of the header"): 32 lanes, of which
// lane l reads 4 bytes at 8 l, so every second float of 256 bytes:
//
//     sectors     8    of 32 bytes: 256 / 32
//     lines       2    of 128 bytes
//     asked     128    bytes, all of them distinct, so half of the 256 that are fetched
//     wavefronts  2    lanes l and l + 16 need different words of one bank: 8 l / 4 mod 32
//     minimum     1    128 bytes, and 32 banks of 4 bytes
#pragma once

#include "compiler/artifacts/AccessFacts.h"

#include <limits>
#include <span>
#include <vector>

namespace tilescope::compiler::access {

inline constexpr int kLanes = 32;
inline constexpr int64_t kSectorBytes = 32;
inline constexpr int64_t kLineBytes = 128;
inline constexpr int kBanks = 32;
inline constexpr int64_t kBankBytes = 4;

/// In place of an address: the lane is off.
inline constexpr int64_t kOff = std::numeric_limits<int64_t>::min();

/// One request to global memory: `lanes` are the addresses of a warp's lanes in their order, each of
/// which moves `bytes`.
AccessCounts countGlobal(std::span<const int64_t> lanes, int bytes);

/// One request to shared memory. As many lanes go together as move 128 bytes: the warp, its halves
/// (8 bytes a lane) or its quarters (16 bytes). They take as many passes as their busiest bank has
/// words to give, and at least one. Of loads, two neighboring groups go together where the lanes 2 k
/// and 2 k + 1 ask for the same address, or all lanes l and l ^ 2 do; lanes that are off agree with
/// any. Each matrix of `ldmatrix` is a pass, or more.
/// The rule reproduces the counters of a GPU of compute capability 9.0 for 1,120 patterns of
/// addresses (docs/counts.md).
AccessCounts countShared(std::span<const int64_t> lanes, int bytes, MemoryAction action);

/// A word of 4 bytes that a request to shared memory moves in one pass.
struct SharedWord {
  int64_t address = 0;
  /// A bit for each lane that gets a part of it in this pass.
  uint32_t lanes = 0;
  int pass = 0;
  /// Its bank has other words to give to the same group of lanes.
  bool conflicts = false;

  int bank() const { return static_cast<int>(address / kBankBytes % kBanks); }
  bool operator==(const SharedWord &) const = default;
};

/// The words of a request, by address, then by pass: as many passes as `countShared` counts, in an
/// order in which the banks could give them. (Which one the hardware takes first is not known, and
/// costs nothing.) A word that lanes of two groups ask for comes twice.
std::vector<SharedWord> sharedWords(std::span<const int64_t> lanes, int bytes, MemoryAction action);

} // namespace tilescope::compiler::access
