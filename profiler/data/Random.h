// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <array>
#include <cstdint>

/// Counter-based random numbers: number i of a seed is a function of both, in whatever order they
/// are asked for.
namespace tilescope::profiler {

/// Philox 4x32 with 10 rounds: 128 random bits for one 64-bit counter and key.
std::array<uint32_t, 4> philox(uint64_t counter, uint64_t key);

/// 64 random bits for element `index`.
uint64_t randomBits(uint64_t seed, uint64_t index);
/// Uniform in [0, 1), a multiple of 2^-53.
double randomUniform(uint64_t seed, uint64_t index);
/// Standard normal, by the Box-Muller transform over pairs of elements. Uses only operations that
/// IEEE 754 fixes to the bit, since logarithm and cosine differ between C libraries.
double randomNormal(uint64_t seed, uint64_t index);
/// Numbers 2 * pair and 2 * pair + 1 at the price of one.
std::array<double, 2> randomNormalPair(uint64_t seed, uint64_t pair);

} // namespace tilescope::profiler
