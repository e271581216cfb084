// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/kernels/SpecialFunctions.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace tilescope::compiler::interpreter {

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
static constexpr long double kPi = std::numbers::pi_v<long double>;

double sinPi(double x) {
  if (!std::isfinite(x))
    return kNan;
  // Within [-1, 1], where multiples of 1/2 are exact.
  double reduced = std::remainder(x, 2.0);
  if (reduced == std::trunc(reduced))
    return std::copysign(0.0, x);
  if (std::fabs(reduced) > 0.5)
    reduced = std::copysign(1.0, reduced) - reduced;
  return static_cast<double>(std::sin(kPi * reduced));
}

double cosPi(double x) {
  if (!std::isfinite(x))
    return kNan;
  double reduced = std::fabs(std::remainder(x, 2.0));
  if (reduced == 0.5)
    return 0.0;
  return static_cast<double>(std::cos(kPi * reduced));
}

/// The x >= 0 with erfc(x) = y, for 0 < y <= 1: Newton's method on log(erfc), which is nearly a
/// parabola.
static long double solveErfc(long double y) {
  long double target = std::log(y);
  long double x = y > 0.3L ? (1 - y) * 0.886L : std::sqrt(-target);
  for (int i = 0; i < 60; ++i) {
    long double value = std::erfc(x);
    long double slope = -2 / std::sqrt(kPi) * std::exp(-x * x) / value;
    long double step = (std::log(value) - target) / slope;
    x -= step;
    if (std::fabs(step) <= std::fabs(x) * 1e-18L)
      break;
  }
  return x;
}

double erfInverse(double y) {
  if (std::isnan(y) || std::fabs(y) > 1)
    return kNan;
  if (std::fabs(y) == 1)
    return std::copysign(kInfinity, y);
  if (y == 0)
    return y;
  long double magnitude = std::fabs(static_cast<long double>(y));
  if (magnitude >= 0.5L)
    return std::copysign(static_cast<double>(solveErfc(1 - magnitude)), y);
  long double x = magnitude * std::sqrt(kPi) / 2;
  for (int i = 0; i < 20; ++i) {
    long double step = (std::erf(x) - magnitude) / (2 / std::sqrt(kPi) * std::exp(-x * x));
    x -= step;
    if (std::fabs(step) <= x * 1e-19L)
      break;
  }
  return std::copysign(static_cast<double>(x), y);
}

double erfcInverse(double y) {
  if (std::isnan(y) || y < 0 || y > 2)
    return kNan;
  if (y == 0)
    return kInfinity;
  if (y == 2)
    return -kInfinity;
  // Near 1 the difference from 1 is exact and small.
  if (y > 0.5 && y < 1.5)
    return erfInverse(1 - y);
  return static_cast<double>(y > 1 ? -solveErfc(2 - static_cast<long double>(y)) : solveErfc(y));
}

double erfcScaled(double x) {
  if (x < 50) {
    long double wide = x;
    return static_cast<double>(std::exp(wide * wide) * std::erfc(wide));
  }
  // 1 / (sqrt(pi) x) (1 - 1/(2 x^2) + 3/(4 x^4) - …)
  long double square = 1 / (2.0L * x * x);
  long double series = 1 - square * (1 - 3 * square * (1 - 5 * square * (1 - 7 * square)));
  return static_cast<double>(series / (std::sqrt(kPi) * x));
}

double normalCdf(double x) {
  return static_cast<double>(
      std::erfc(-static_cast<long double>(x) / std::numbers::sqrt2_v<long double>) / 2);
}

double normalCdfInverse(double p) {
  if (std::isnan(p) || p < 0 || p > 1)
    return kNan;
  return -std::numbers::sqrt2 * erfcInverse(2 * p);
}

/// sum over k of (x/2)^(2k+order) / (k! (k+order)!), all terms positive.
static double besselSeries(double x, int order) {
  long double half = std::fabs(static_cast<long double>(x)) / 2;
  long double term = order == 0 ? 1.0L : half, sum = term;
  for (int k = 1; term > sum * 1e-20L && std::isfinite(sum); ++k) {
    term *= half * half / (static_cast<long double>(k) * (k + order));
    sum += term;
  }
  return static_cast<double>(sum);
}

double besselI0(double x) {
  if (std::isnan(x))
    return x;
  return std::fabs(x) > 720 ? kInfinity : besselSeries(x, 0);
}

double besselI1(double x) {
  if (std::isnan(x))
    return x;
  return std::copysign(std::fabs(x) > 720 ? kInfinity : besselSeries(x, 1), x);
}

} // namespace tilescope::compiler::interpreter
