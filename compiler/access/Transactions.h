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

#include <span>

namespace tilescope::compiler::access {

inline constexpr int kLanes = 32;
inline constexpr int64_t kSectorBytes = 32;
inline constexpr int64_t kLineBytes = 128;
inline constexpr int kBanks = 32;
inline constexpr int64_t kBankBytes = 4;

/// One request to global memory: `lanes` are the addresses of the lanes that are on, of which each
/// moves `bytes`.
AccessCounts countGlobal(std::span<const int64_t> lanes, int bytes);

/// One request to shared memory: half of a warp at a time where a lane moves 16 bytes, as on an
/// H200, else the whole warp; each takes as many passes as its busiest bank has words to give.
AccessCounts countShared(std::span<const int64_t> lanes, int bytes);

} // namespace tilescope::compiler::access
