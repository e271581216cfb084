// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the programs that run at the same time read: in all, and how much of it is different. What
// several read comes from memory once and from the L2 cache for the others, so the order of the
// programs decides how much comes from memory.
//
// Worked example (asserted by the unit test "grouped tiles share more"): 16 programs of a product of
// 16 x 16 tiles at once. Row by row they need 1 band of A and 16 of B; as a square of 4 x 4 they
// need 4 of each, which is half as much, and read the same.
#pragma once

#include "compiler/access/arrays/TouchCounts.h"

namespace tilescope::compiler::access {

struct WaveTraffic {
  ProgramRange programs;
  /// What each program reads, added up; and what is different of it.
  uint64_t bytesRead = 0, bytesDifferent = 0;
  /// Different bytes that are written.
  uint64_t bytesWritten = 0;
  /// How often a different byte is read.
  double reuse() const {
    return bytesDifferent == 0
               ? 0
               : static_cast<double>(bytesRead) / static_cast<double>(bytesDifferent);
  }
};

/// Of programs that the trace has; nothing when it was stopped, or when it would have to be sampled.
std::optional<WaveTraffic> waveTraffic(const TouchedArrays &arrays, const ProgramRange &programs,
                                       const std::stop_token &stop = {});

/// All waves of a grid, one after another.
struct WavesTraffic {
  uint64_t waves = 0;
  /// Added up over the waves, each of which begins with an empty cache.
  uint64_t bytesRead = 0, bytesDifferent = 0;
  /// Different over all programs: with a cache that holds everything.
  uint64_t bytesLeast = 0;
};

/// Nothing when it was stopped, or the trace lacks programs.
std::optional<WavesTraffic> wavesTraffic(const TouchedArrays &arrays, uint64_t atOnce,
                                         const std::stop_token &stop = {});

} // namespace tilescope::compiler::access
