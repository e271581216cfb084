// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Random.h"

#include <bit>
#include <cmath>

// A fused multiply-add rounds differently: the numbers would depend on the machine.
#pragma STDC FP_CONTRACT OFF

namespace tilescope::profiler {

std::array<uint32_t, 4> philox(uint64_t counter, uint64_t key) {
  std::array<uint32_t, 4> state = {uint32_t(counter), uint32_t(counter >> 32), 0, 0};
  uint32_t key0 = uint32_t(key), key1 = uint32_t(key >> 32);
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = uint64_t(0xD2511F53u) * state[0];
    uint64_t product1 = uint64_t(0xCD9E8D57u) * state[2];
    state = {uint32_t(product1 >> 32) ^ state[1] ^ key0, uint32_t(product1),
             uint32_t(product0 >> 32) ^ state[3] ^ key1, uint32_t(product0)};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return state;
}

uint64_t randomBits(uint64_t seed, uint64_t index) {
  auto words = philox(index / 2, seed);
  size_t first = index % 2 * 2;
  return uint64_t(words[first + 1]) << 32 | words[first];
}

static double toUniform(uint64_t bits) { return double(bits >> 11) * 0x1p-53; }

double randomUniform(uint64_t seed, uint64_t index) { return toUniform(randomBits(seed, index)); }

/// Natural logarithm of a normal positive number, to about 1e-16.
static double portableLog(double x) {
  uint64_t bits = std::bit_cast<uint64_t>(x);
  int exponent = int(bits >> 52) - 1023;
  double mantissa = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFFull) | 0x3FF0000000000000ull);
  if (mantissa > 1.4142135623730951) {
    mantissa *= 0.5;
    exponent += 1;
  }
  // log m = 2 atanh s with s = (m - 1) / (m + 1), |s| < 0.1716.
  double s = (mantissa - 1) / (mantissa + 1);
  double square = s * s;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2)
    sum = sum * square + 1.0 / k;
  return double(exponent) * 0.6931471805599453 + 2 * s * sum;
}

namespace {
struct CosSin {
  double cosine;
  double sine;
};
} // namespace

/// Cosine and sine of 2 pi turns, turns in [0, 1), to about 1e-16.
static CosSin portableCosSin(double turns) {
  // Taylor coefficients 1/k! with alternating signs; |x| is at most pi/4 after the reduction.
  constexpr double kCosine[] = {
      1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800,
      1.0 / 40320,          -1.0 / 720,         1.0 / 24,        -1.0 / 2};
  constexpr double kSine[] = {
      1.0 / 355687428096000, -1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800,
      1.0 / 362880,          -1.0 / 5040,          1.0 / 120,        -1.0 / 6};
  double quarters = std::floor(turns * 4 + 0.5);
  double x = (turns - quarters * 0.25) * 6.283185307179586;
  double square = x * x;
  double cosine = 0, sine = 0;
  for (int i = 0; i < 8; ++i) {
    cosine = cosine * square + kCosine[i];
    sine = sine * square + kSine[i];
  }
  cosine = 1 + square * cosine;
  sine = x + x * (square * sine);
  switch (int(quarters) & 3) {
  case 0:
    return {cosine, sine};
  case 1:
    return {-sine, cosine};
  case 2:
    return {-cosine, -sine};
  default:
    return {sine, -cosine};
  }
}

std::array<double, 2> randomNormalPair(uint64_t seed, uint64_t pair) {
  auto words = philox(pair, seed);
  // 1 - u is in (0, 1]: the logarithm stays finite.
  double first = toUniform(uint64_t(words[1]) << 32 | words[0]);
  double second = toUniform(uint64_t(words[3]) << 32 | words[2]);
  double radius = std::sqrt(-2 * portableLog(1 - first));
  CosSin angle = portableCosSin(second);
  return {radius * angle.cosine, radius * angle.sine};
}

double randomNormal(uint64_t seed, uint64_t index) {
  return randomNormalPair(seed, index / 2)[index % 2];
}

} // namespace tilescope::profiler
