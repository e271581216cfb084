// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Differences.h"

#include "profiler/analysis/ElementBits.h"
#include "profiler/analysis/Segments.h"
#include "profiler/data/Element.h"
#include "profiler/data/Tolerances.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace tilescope::profiler {

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kLargestNumber = std::numeric_limits<double>::max();

double excessGrade(double excess) {
  constexpr double kStep = 1.01, kRounding = 1e-12;
  if (!(excess > 0) || !std::isfinite(excess))
    return excess;
  return std::pow(kStep, std::floor(std::log(excess) / std::log(kStep))) * (1 - kRounding);
}

void Differences::append(const Differences &next) {
  if (next.worstGrade > worstGrade ||
      (next.worstGrade == worstGrade && next.worstError > worstError)) {
    worst = next.worst;
    worstGrade = next.worstGrade;
    worstError = next.worstError;
  }
  first = first < 0 ? next.first : first;
  maxAbsError = std::max(maxAbsError, next.maxAbsError);
  maxRelError = std::max(maxRelError, next.maxRelError);
  mismatches += next.mismatches;
  unwritten += next.unwritten;
  undefined += next.undefined;
  differenceSquares += next.differenceSquares;
  expectedSquares += next.expectedSquares;
}

namespace {
constexpr int64_t kLanes = 4;
/// Elements that are looked at together: what is noted of them fits into the nearest cache.
constexpr int64_t kChunk = 1024;

/// As many sums, or largest numbers, as a vector has lanes: of a single one the compiler makes no
/// vector, since another order of additions is rounded in another way.
struct Lanes {
  std::array<double, kLanes> lane = {};

  double sum() const { return (lane[0] + lane[1]) + (lane[2] + lane[3]); }
  double largest() const { return *std::ranges::max_element(lane); }
};

/// Elements of two tensors as numbers, filled up to whole lanes with elements that do not count.
struct Chunk {
  int64_t begin = 0;
  int64_t count = 0;
  alignas(32) std::array<double, kChunk> actual;
  alignas(32) std::array<double, kChunk> expected;
  /// Absolute ones: infinity where a NaN is, −1 for what does not count.
  alignas(32) std::array<double, kChunk> error;
  /// The absolute tolerances.
  alignas(32) std::array<double, kChunk> tolerance;
  /// The ranges, where each element has its own.
  alignas(32) std::array<double, kChunk> least;
  alignas(32) std::array<double, kChunk> most;
};

/// One pass over a segment of two tensors.
struct Pass {
  const Tensor &actual;
  const Tensor &expected;
  const Tolerance &tolerance;
  bool poisoned;
  Differences found = {};
  Chunk chunk = {};

  /// Adds the elements from `begin` on, of which a chunk holds `count`.
  void add(int64_t begin, int64_t count);

private:
  void take(int64_t begin, int64_t count);
  void takeRanges();
  void takeTolerances();
  void findErrors();
  template <typename Bits> void findIntegerErrors();
  template <typename Bits> void leaveOutUnwritten();
  void addDifferences();
  void noteWorst(double excess);
  void noteFirst();
};
} // namespace

/// Where bits differ, 64-bit integers may have the same number.
template <typename Bits> void Pass::findIntegerErrors() {
  for (int64_t i = 0; i < chunk.count; ++i) {
    const double error = std::fabs(chunk.actual[size_t(i)] - chunk.expected[size_t(i)]);
    const bool areSame =
        bitsAt<Bits>(actual, chunk.begin + i) == bitsAt<Bits>(expected, chunk.begin + i);
    chunk.error[size_t(i)] = areSame ? 0 : (error > 1 ? error : 1);
  }
}

void Pass::findErrors() {
  for (int64_t i = 0; i < chunk.count; ++i) {
    const double a = chunk.actual[size_t(i)], e = chunk.expected[size_t(i)];
    const double difference = std::fabs(a - e);
    const double error = a == e ? 0 : difference;
    chunk.error[size_t(i)] = std::isnan(error) ? kInfinity : error;
  }
}

template <typename Bits> void Pass::leaveOutUnwritten() {
  const auto poison = Bits(poisonBits(actual.dtype));
  int64_t unwritten = 0;
  for (int64_t i = 0; i < chunk.count; ++i) {
    const bool isUnwritten = bitsAt<Bits>(actual, chunk.begin + i) == poison &&
                             bitsAt<Bits>(expected, chunk.begin + i) == poison;
    unwritten += isUnwritten;
    chunk.error[size_t(i)] = isUnwritten ? -1 : chunk.error[size_t(i)];
  }
  found.unwritten += unwritten;
}

void Pass::take(int64_t begin, int64_t count) {
  chunk.begin = begin;
  chunk.count = count;
  readElements(actual.dtype, actual.element(begin), count, chunk.actual.data());
  readElements(actual.dtype, expected.element(begin), count, chunk.expected.data());
  if (isFloat(actual.dtype))
    findErrors();
  else
    withBits(actual.dtype, [this](auto zero) { findIntegerErrors<decltype(zero)>(); });
  if (poisoned)
    withBits(actual.dtype, [this](auto zero) { leaveOutUnwritten<decltype(zero)>(); });
  if (tolerance.ofElements)
    takeRanges();
  for (int64_t i = count; i % kLanes != 0; ++i)
    chunk.error[size_t(i)] = -1;
}

/// Leaves out elements that have no range. What is infinite and in its range is not off.
void Pass::takeRanges() {
  const auto read = [&](const Tensor &ends, double *target) {
    readElements(ends.dtype, ends.element(chunk.begin), chunk.count, target);
  };
  read(tolerance.ofElements->least, chunk.least.data());
  read(tolerance.ofElements->most, chunk.most.data());
  for (int64_t i = 0; i < chunk.count; ++i) {
    double &error = chunk.error[size_t(i)];
    const double a = chunk.actual[size_t(i)];
    const bool isUndefined = std::isnan(chunk.least[size_t(i)]);
    found.undefined += isUndefined && error >= 0;
    if (isUndefined)
      error = -1;
    else if (std::isinf(a) && chunk.least[size_t(i)] <= a && a <= chunk.most[size_t(i)])
      error = 0;
  }
}

/// Of an element that has a range: as far as that goes on the side where the element lies, and less than
/// the next number of its type is.
static double toleranceOf(Dtype dtype, double actual, double expected, double least, double most) {
  constexpr double kPartOfStep = 0.25;
  const double side = actual > expected ? most - expected : expected - least;
  double step = 1;
  if (isFloat(dtype)) {
    int exponent = 0;
    std::frexp(std::max(std::fabs(expected), smallestNormal(dtype)), &exponent);
    step = std::ldexp(dtypeEpsilon(dtype), exponent - 1);
  }
  return std::isfinite(expected) ? side + kPartOfStep * step : 0;
}

void Pass::takeTolerances() {
  const int64_t numOwn = tolerance.ofElements ? chunk.count : 0;
  for (int64_t i = 0; i < numOwn; ++i)
    chunk.tolerance[size_t(i)] =
        toleranceOf(actual.dtype, chunk.actual[size_t(i)], chunk.expected[size_t(i)],
                    chunk.least[size_t(i)], chunk.most[size_t(i)]);
  std::fill(chunk.tolerance.begin() + numOwn, chunk.tolerance.end(), tolerance.absolute);
}

/// `excess`: the largest of the chunk.
void Pass::noteWorst(double excess) {
  const double grade = excessGrade(excess);
  if (grade < found.worstGrade)
    return;
  if (grade > found.worstGrade)
    found.worstError = -1;
  found.worstGrade = grade;
  for (size_t i = 0; i < size_t(chunk.count); ++i) {
    const double error = chunk.error[i];
    if (error <= found.worstError ||
        tolerance.excess(error, chunk.expected[i], chunk.tolerance[i]) < grade)
      continue;
    found.worst = chunk.begin + int64_t(i);
    found.worstError = error;
  }
}

void Pass::noteFirst() {
  size_t i = 0;
  while (!tolerance.excludes(chunk.error[i], chunk.expected[i], chunk.tolerance[i]))
    ++i;
  found.first = chunk.begin + int64_t(i);
}

void Pass::addDifferences() {
  Lanes squares, relatives, outside, excesses;
  for (int64_t i = 0; i < chunk.count; i += kLanes)
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      const double error = chunk.error[size_t(i + lane)];
      const double wanted = chunk.expected[size_t(i + lane)];
      const double own = chunk.tolerance[size_t(i + lane)];
      const double quotient = error / std::fabs(wanted);
      const double known = std::isnan(quotient) ? kInfinity : quotient;
      const double relative = error > 0 ? known : 0;
      double &most = relatives.lane[size_t(lane)];
      most = relative > most ? relative : most;
      const bool isSquared = error > 0 && std::fabs(wanted) <= kLargestNumber;
      squares.lane[size_t(lane)] += isSquared ? error * error : 0;
      outside.lane[size_t(lane)] += tolerance.excludes(error, wanted, own) ? 1 : 0;
      const double excess = tolerance.excess(error, wanted, own);
      double &farthest = excesses.lane[size_t(lane)];
      farthest = excess > farthest ? excess : farthest;
    }
  noteWorst(excesses.largest());
  found.differenceSquares += squares.sum();
  found.maxRelError = std::max(found.maxRelError, relatives.largest());
  const auto mismatches = int64_t(outside.sum());
  if (mismatches > 0 && found.mismatches == 0)
    noteFirst();
  found.mismatches += mismatches;
}

void Pass::add(int64_t begin, int64_t count) {
  take(begin, count);
  Lanes squares, errors;
  errors.lane.fill(-1);
  for (int64_t i = 0; i < chunk.count; i += kLanes)
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      const double error = chunk.error[size_t(i + lane)];
      const double wanted = chunk.expected[size_t(i + lane)];
      const bool isSquared = error >= 0 && std::fabs(wanted) <= kLargestNumber;
      squares.lane[size_t(lane)] += isSquared ? wanted * wanted : 0;
      double &most = errors.lane[size_t(lane)];
      most = error > most ? error : most;
    }
  found.expectedSquares += squares.sum();
  const double largest = errors.largest();
  found.maxAbsError = std::max(found.maxAbsError, largest);
  if (largest > 0) {
    takeTolerances();
    addDifferences();
  } else if (largest == 0) {
    noteWorst(0);
  }
}

Differences findDifferences(const Tensor &actual, const Tensor &expected,
                            const Tolerance &tolerance, bool poisoned) {
  const auto inSegment = [&](int64_t begin, int64_t end) {
    Pass pass{actual, expected, tolerance, poisoned};
    for (int64_t i = begin; i < end; i += kChunk)
      pass.add(i, std::min(kChunk, end - i));
    return pass.found;
  };
  Differences all;
  for (const Differences &found : mapSegments(actual.numElements(), inSegment))
    all.append(found);
  return all;
}

namespace {
struct Squares {
  double sum = 0;
  double numFinite = 0;
};
} // namespace

static Squares squaresOf(const Tensor &tensor, int64_t begin, int64_t end) {
  alignas(32) std::array<double, kChunk> numbers;
  Lanes squares, numFinite;
  for (int64_t at = begin; at < end; at += kChunk) {
    const int64_t count = std::min(kChunk, end - at);
    readElements(tensor.dtype, tensor.element(at), count, numbers.data());
    std::fill(numbers.begin() + count, numbers.end(), kInfinity);
    for (int64_t i = 0; i < count; i += kLanes)
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        const double number = numbers[size_t(i + lane)];
        const bool isFinite = std::fabs(number) <= kLargestNumber;
        squares.lane[size_t(lane)] += isFinite ? number * number : 0;
        numFinite.lane[size_t(lane)] += isFinite ? 1 : 0;
      }
  }
  return {squares.sum(), numFinite.sum()};
}

double rootMeanSquare(const Tensor &tensor) {
  Squares all;
  for (const Squares &each : mapSegments(tensor.numElements(), [&](int64_t begin, int64_t end) {
         return squaresOf(tensor, begin, end);
       })) {
    all.sum += each.sum;
    all.numFinite += each.numFinite;
  }
  return all.numFinite > 0 ? std::sqrt(all.sum / all.numFinite) : 0;
}

/// By exponent, as doubles have it.
using Magnitudes = std::array<int64_t, 2048>;

static Magnitudes magnitudesOf(const Tensor &tensor, int64_t begin, int64_t end) {
  Magnitudes counts{};
  alignas(32) std::array<double, kChunk> numbers;
  for (int64_t at = begin; at < end; at += kChunk) {
    const int64_t count = std::min(kChunk, end - at);
    readElements(tensor.dtype, tensor.element(at), count, numbers.data());
    for (int64_t i = 0; i < count; ++i)
      ++counts[(std::bit_cast<uint64_t>(numbers[size_t(i)]) >> 52) & 0x7ff];
  }
  return counts;
}

std::optional<double> typicalMagnitude(const Tensor &tensor) {
  constexpr int64_t kFew = 16;
  constexpr int kBias = 1023;
  Magnitudes all{};
  for (const Magnitudes &each : mapSegments(tensor.numElements(), [&](int64_t begin, int64_t end) {
         return magnitudesOf(tensor, begin, end);
       }))
    for (size_t i = 0; i < all.size(); ++i)
      all[i] += each[i];
  // Zeros, and what is not finite.
  all.front() = all.back() = 0;
  const int64_t count = std::accumulate(all.begin(), all.end(), int64_t{0});
  if (count < kFew)
    return std::nullopt;
  int64_t below = 0;
  int exponent = 0;
  while (2 * (below += all[size_t(exponent)]) < count)
    ++exponent;
  return std::ldexp(1, exponent + 1 - kBias);
}

} // namespace tilescope::profiler
