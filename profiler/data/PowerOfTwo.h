// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <bit>
#include <cstdint>

namespace tilescope::profiler {

/// 2 to a power from -1022 to 1023, without the way through the mathematical library.
constexpr double powerOfTwo(int exponent) {
  constexpr uint64_t kBias = 1023;
  constexpr int kMantissaBits = 52;
  return std::bit_cast<double>((kBias + static_cast<uint64_t>(exponent)) << kMantissaBits);
}

static_assert(powerOfTwo(0) == 1 && powerOfTwo(-23) == 0x1p-23 && powerOfTwo(-1022) == 0x1p-1022);

} // namespace tilescope::profiler
