// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Arithmetic in the rounding modes of the device's library, without touching the processor's mode.
//
// The nearest result and the sign of what was lost say where the exact result lies. Example: the
// float nearest to 1 + 2^-30 is 1, too small by 2^-30; rounded up it is the next float after 1.
#pragma once

#include <cmath>
#include <limits>

namespace tilescope::compiler::interpreter {

enum class Rounding { Nearest, Zero, Down, Up };

/// The result for an exact value of `nearest` plus `lost`.
template <Rounding Mode, typename T> T direct(T nearest, T lost) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (Mode == Rounding::Nearest || lost == 0 || std::isnan(lost))
    return nearest;
  bool down = lost < 0 && (Mode == Rounding::Down || (Mode == Rounding::Zero && nearest > 0));
  bool up = lost > 0 && (Mode == Rounding::Up || (Mode == Rounding::Zero && nearest < 0));
  return down ? std::nextafter(nearest, -kInfinity)
         : up ? std::nextafter(nearest, kInfinity)
              : nearest;
}

/// What rounding lost when finite operands overflowed: the exact value is closer to zero.
template <typename T> T lostOrOverflow(T nearest, T lost, bool isFinite) {
  return std::isinf(nearest) && isFinite ? -nearest : lost;
}

template <typename T> T lostBySum(T a, T b, T sum) {
  T bRounded = sum - a;
  return (a - (sum - bRounded)) + (b - bRounded);
}

template <Rounding Mode, typename T> T addRounded(T a, T b) {
  T sum = a + b;
  if (sum == 0 && std::signbit(a) != std::signbit(b))
    return Mode == Rounding::Down ? -T(0) : T(0);
  bool isFinite = std::isfinite(a) && std::isfinite(b);
  return direct<Mode>(sum, lostOrOverflow(sum, lostBySum(a, b, sum), isFinite));
}

template <Rounding Mode, typename T> T mulRounded(T a, T b) {
  T product = a * b;
  bool isFinite = std::isfinite(a) && std::isfinite(b);
  return direct<Mode>(product, lostOrOverflow(product, std::fma(a, b, -product), isFinite));
}

template <Rounding Mode, typename T> T divRounded(T a, T b) {
  T quotient = a / b;
  bool isFinite = std::isfinite(a) && b != 0;
  T rest = -std::fma(quotient, b, -a);
  if (std::isinf(b))
    rest = 0;
  return direct<Mode>(quotient, lostOrOverflow(quotient, b < 0 ? -rest : rest, isFinite));
}

template <Rounding Mode, typename T> T sqrtRounded(T a) {
  T root = std::sqrt(a);
  return std::isinf(a) ? root : direct<Mode>(root, -std::fma(root, root, -a));
}

template <Rounding Mode, typename T> T fmaRounded(T a, T b, T c) {
  T result = std::fma(a, b, c);
  T product = a * b, productLost = std::fma(a, b, -product);
  if (result == 0 && productLost == 0 && std::signbit(product) != std::signbit(c))
    return Mode == Rounding::Down ? -T(0) : T(0);
  T sum = product + c, sumLost = lostBySum(product, c, sum);
  bool isFinite = std::isfinite(a) && std::isfinite(b) && std::isfinite(c);
  T lost = std::isinf(sum) ? T(0) : (sum - result) + (sumLost + productLost);
  return direct<Mode>(result, lostOrOverflow(result, lost, isFinite));
}

/// From an integer or a wider float.
template <Rounding Mode, typename T, typename From> T convertRounded(From value) {
  T nearest = static_cast<T>(value);
  // The sign is what matters; long double holds every 64-bit integer.
  long double lost = static_cast<long double>(value) - static_cast<long double>(nearest);
  T sign = lost > 0 ? T(1) : lost < 0 ? T(-1) : T(0);
  return direct<Mode>(nearest, sign);
}

/// To the nearest integer in the mode; the value stays a float.
template <Rounding Mode, typename T> T toIntegral(T value) {
  switch (Mode) {
  case Rounding::Nearest:
    return std::nearbyint(value);
  case Rounding::Zero:
    return std::trunc(value);
  case Rounding::Down:
    return std::floor(value);
  case Rounding::Up:
    return std::ceil(value);
  }
}

} // namespace tilescope::compiler::interpreter
