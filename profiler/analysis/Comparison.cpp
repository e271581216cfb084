// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Comparison.h"

#include "profiler/analysis/HeldNumber.h"
#include "profiler/analysis/TensorNumbers.h"
#include "profiler/data/Element.h"
#include "profiler/data/Tolerances.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tilescope::profiler {

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The absolute tolerance over the relative one times the typical element where nothing is known of
/// what elements are made of.
static constexpr double kTypicalShare = 0.1;

/// What numbers may differ by that are too small for all bits of their mantissa: two of their
/// steps, or as much as they are where GPUs take them for zero.
static double smallestTolerance(Dtype dtype) {
  const double normal = smallestNormal(dtype);
  const bool isFlushed = dtype == Dtype::Fp32 || dtype == Dtype::Bf16;
  return isFlushed ? normal : 2 * dtypeEpsilon(dtype) * normal;
}

/// Of elements whose bits or numbers differ; infinity for NaN. 64-bit integers differ where their
/// doubles may not.
static double errorBetween(Dtype dtype, double actual, double expected) {
  const double error = std::fabs(actual - expected);
  if (!isFloat(dtype))
    return std::max(error, 1.0);
  return std::isnan(error) ? kInfinity : error;
}

bool agrees(const Tensor &actual, const Tensor &expected, int64_t element,
            const OutputComparison &comparison, const ElementRanges *ranges) {
  const double a = actual.at(element), e = expected.at(element);
  const bool areSame = isFloat(actual.dtype)
                           ? a == e
                           : elementBits(actual.dtype, actual.element(element)) ==
                                 elementBits(actual.dtype, expected.element(element));
  if (ranges) {
    const double least = ranges->least.at(element), most = ranges->most.at(element);
    return std::isnan(least) || areSame || (least <= a && a <= most);
  }
  const Tolerance tolerance{comparison.absoluteTolerance, comparison.relativeTolerance};
  return areSame || !tolerance.excludes(errorBetween(actual.dtype, a, e), e);
}

ComparisonOptions comparisonOptions(const PlanTensor &tensor) {
  return {tensor.relativeTolerance, tensor.absoluteTolerance,
          tensor.init.kind == TensorInit::Kind::Poison};
}

static std::string besidePath(const std::string &outputPath, const char *ending) {
  constexpr std::string_view kEnding = ".npy";
  return outputPath.substr(0, outputPath.size() - std::min(kEnding.size(), outputPath.size())) +
         ending;
}

std::string referencePath(const std::string &outputPath) {
  return besidePath(outputPath, ".expected.npy");
}

std::string leastPath(const std::string &outputPath) {
  return besidePath(outputPath, ".least.npy");
}

std::string mostPath(const std::string &outputPath) { return besidePath(outputPath, ".most.npy"); }

static double relativeTolerance(const Tensor &expected, const ComparisonOptions &options) {
  return options.relativeTolerance.value_or(relativeTolerance(expected.dtype));
}

double typicalSize(const Tensor &expected) {
  constexpr double kMostTypical = 10;
  const double mean = rootMeanSquare(expected);
  const std::optional<double> typical = typicalMagnitude(expected);
  return typical ? std::min(mean, kMostTypical * *typical) : mean;
}

/// Of elements of which nothing else is known.
static double absoluteTolerance(const Tensor &expected, const ComparisonOptions &options) {
  const double relative = relativeTolerance(expected, options);
  if (!isFloat(expected.dtype) || relative == 0)
    return 0;
  return std::max(kTypicalShare * relative * typicalSize(expected),
                  smallestTolerance(expected.dtype));
}

namespace {
/// What is known of each element, to be looked at one by one.
struct TermNumbers {
  explicit TermNumbers(const ExpectedTerms &terms)
      : exact(terms.exact), sizes(terms.sizes), below(terms.below), above(terms.above) {}
  TensorNumbers exact, sizes, below, above;
};

/// What is added to a value, and taken away, before it is rounded to its type.
class Spread {
public:
  Spread(Dtype dtype, const ComparisonOptions &options)
      : m_dtype(dtype), m_absolute(options.absoluteTolerance),
        m_relative(options.relativeTolerance.value_or(usual(dtype))), m_share(termShare(dtype)) {
    m_isOwn = options.relativeTolerance && isFloat(dtype);
    m_hasBounds = !m_isOwn || m_relative > 0;
    if (m_isOwn && isWide())
      m_share *= m_relative / usual(dtype);
    else if (m_isOwn)
      m_share = m_hasBounds ? std::max(m_share, kTypicalShare * m_relative) : 0;
  }

  double relative() const { return m_relative; }
  /// Ranges of narrow types end at their numbers, which says it all.
  bool isRelative() const { return isWide() || m_isOwn; }
  /// Without the bounds and the relative tolerance.
  double absolute(double value, double size) const {
    return m_absolute.value_or(std::isnan(size) ? kUnknownShare * std::fabs(value)
                                                : m_share * size);
  }

  /// `below` and `above`: how far the value may lie there beside its rounding.
  std::pair<double, double> around(double value, double size, double below, double above) const {
    const double off = absolute(value, size) + m_relative * std::fabs(value);
    const double least = m_hasBounds ? smallest() : 0;
    return {std::max(off, least) + (m_hasBounds ? below : 0),
            std::max(off, least) + (m_hasBounds ? above : 0)};
  }

private:
  /// What functions of fp32 may be off by where nothing is known of them.
  static constexpr double kUnknownShare = 1e-4;

  /// Beside the terms: approximations of functions that are not as good as they are taken to be.
  static double usual(Dtype dtype) {
    constexpr double kNarrow = 1e-5;
    if (!isFloat(dtype))
      return 0;
    return computedIn(dtype) == dtype ? relativeTolerance(dtype) : kNarrow;
  }

  bool isWide() const { return computedIn(m_dtype) == m_dtype; }

  /// GPUs take for zero what is too small for all bits of a mantissa of fp32.
  double smallest() const {
    const bool isFlushed =
        m_dtype == Dtype::Fp64 || m_dtype == Dtype::Fp32 || m_dtype == Dtype::Bf16;
    return isFlushed ? smallestTolerance(m_dtype) : 0;
  }

  Dtype m_dtype;
  std::optional<double> m_absolute;
  double m_relative;
  double m_share;
  bool m_isOwn = false;
  bool m_hasBounds = true;
};
} // namespace

/// What passes of all elements.
static double typicalTolerance(const Tensor &expected, const ExpectedTerms &terms) {
  return terms.ofTypical > 0 ? terms.ofTypical * typicalSize(expected) : 0;
}

static void admitOthers(const Tensor &actual, const ExpectedTerms &terms, ElementRanges &ranges) {
  for (const auto &[element, values] : terms.others) {
    const double held = actual.at(element);
    const bool isOther = std::ranges::any_of(
        values, [&](double value) { return heldAs(actual.dtype, value) == held; });
    if (!isOther)
      continue;
    ranges.least.set(element, std::min(held, ranges.least.at(element)));
    ranges.most.set(element, std::max(held, ranges.most.at(element)));
  }
}

/// Of a tensor of fp64.
static double *numbersOf(Tensor &tensor) { return reinterpret_cast<double *>(tensor.data.data()); }

std::optional<ElementRanges> elementRanges(const Tensor &expected, const ComparisonOptions &options,
                                           const Tensor *actual) {
  const ExpectedTerms *terms = options.terms;
  if (!terms || terms->exact.shape != expected.shape)
    return std::nullopt;
  const Dtype dtype = expected.dtype;
  const Spread spread(dtype, options);
  const double typical = typicalTolerance(expected, *terms);
  ElementRanges ranges{makeTensor(Dtype::Fp64, expected.shape, {TensorInit::Kind::Zeros}),
                       makeTensor(Dtype::Fp64, expected.shape, {TensorInit::Kind::Zeros})};
  const TermNumbers of(*terms);
  const TensorNumbers expectedNumbers(expected);
  double *const leasts = numbersOf(ranges.least), *const mosts = numbersOf(ranges.most);
  for (int64_t i = 0, count = expected.numElements(); i < count; ++i) {
    const double value = of.exact[i], held = expectedNumbers[i];
    double least = value, most = value;
    if (std::isfinite(value)) {
      const auto [below, above] =
          spread.around(value, of.sizes[i], of.below[i] + typical, of.above[i] + typical);
      least = std::min(held, heldAs(dtype, value - below));
      most = std::max(held, heldAs(dtype, value + above));
    }
    leasts[i] = least;
    mosts[i] = most;
  }
  if (actual)
    admitOthers(*actual, *terms, ranges);
  return ranges;
}

/// How far ranges go at most: of wide types, and with a relative tolerance of one's own, beyond that.
static double farthest(const Tensor &expected, const ExpectedTerms &terms,
                       const ElementRanges &ranges, const Spread &spread) {
  const double typical = typicalTolerance(expected, terms);
  const TermNumbers of(terms);
  const TensorNumbers expectedNumbers(expected), leasts(ranges.least), mosts(ranges.most);
  double most = 0;
  for (int64_t i = 0, count = expected.numElements(); i < count; ++i) {
    const double value = of.exact[i], held = expectedNumbers[i];
    if (!std::isfinite(value))
      continue;
    const double far = spread.isRelative() ? spread.absolute(value, of.sizes[i]) +
                                                 std::max(of.below[i], of.above[i]) + typical
                                           : std::max(mosts[i] - held, held - leasts[i]);
    if (std::isfinite(far))
      most = std::max(most, far);
  }
  return most;
}

static void addFound(const Differences &found, const Tensor &actual, const Tensor &expected,
                     OutputComparison &result) {
  result.maxAbsError = found.maxAbsError;
  result.maxRelError = found.maxRelError;
  result.mismatches = found.mismatches;
  result.unwritten = found.unwritten;
  result.undefined = found.undefined;
  if (found.first >= 0) {
    result.firstMismatch = elementCoordinates(found.first, actual.shape);
    result.firstActual = actual.at(found.first);
    result.firstExpected = expected.at(found.first);
  }
  if (found.worst >= 0) {
    result.worst = elementCoordinates(found.worst, actual.shape);
    result.worstActual = actual.at(found.worst);
    result.worstExpected = expected.at(found.worst);
  }
  const double norm = std::sqrt(found.expectedSquares);
  const double difference = std::sqrt(found.differenceSquares);
  result.relErrorInNorm = norm > 0 ? difference / norm : (difference > 0 ? kInfinity : 0.0);
}

/// Counts what 0 would pass for. A few elements near 0 are in every tensor, and those that are too
/// small for all bits of their mantissa may well be 0.
static void noteIndistinct(const Tensor &expected, const ElementRanges *ranges,
                           OutputComparison &result) {
  constexpr double kShare = 0.1;
  const double smallest = smallestNormal(expected.dtype);
  const TensorNumbers numbers(expected);
  const TensorNumbers leasts(ranges ? ranges->least : expected);
  const TensorNumbers mosts(ranges ? ranges->most : expected);
  int64_t numNonzero = 0;
  for (int64_t i = 0, count = expected.numElements(); i < count; ++i) {
    const double value = std::fabs(numbers[i]);
    if (value < smallest || !std::isfinite(value))
      continue;
    ++numNonzero;
    const double tolerance = result.absoluteTolerance + result.relativeTolerance * value;
    result.indistinct += ranges ? leasts[i] <= 0 && mosts[i] >= 0 : value <= tolerance;
  }
  const bool areMany =
      static_cast<double>(result.indistinct) > kShare * static_cast<double>(numNonzero);
  if (result.mismatches == 0 && areMany)
    result.doubt = MatchDoubt::Tolerance;
}

/// Notes where what passes is a large part of most elements, whatever their type makes of it.
static void noteLoose(Dtype dtype, const ExpectedTerms &terms, const Spread &spread, double typical,
                      OutputComparison &result) {
  const double share = std::max(kLooseShare, terms.coarsest);
  const double smallest = smallestNormal(dtype);
  const TermNumbers of(terms);
  int64_t numNonzero = 0, numLoose = 0;
  for (int64_t i = 0, count = terms.exact.numElements(); i < count; ++i) {
    const double value = of.exact[i];
    if (std::fabs(value) < smallest || !std::isfinite(value))
      continue;
    ++numNonzero;
    const auto [below, above] = spread.around(value, of.sizes[i], of.below[i], of.above[i]);
    numLoose += std::max(below, above) + typical > share * std::fabs(value);
  }
  if (result.mismatches > 0 || 2 * numLoose <= numNonzero)
    return;
  result.loose = numLoose;
  result.doubt = MatchDoubt::Tolerance;
}

/// Notes where most elements are off by far more than what is rounded on the way explains, and pass by the
/// relative tolerance alone: one element of many that a mean leaves out is no more than that.
static void noteUnexplained(const Tensor &actual, const ExpectedTerms &terms, const Spread &spread,
                            OutputComparison &result) {
  constexpr double kFar = 8;
  if (!spread.isRelative() || result.mismatches > 0)
    return;
  const double smallest = smallestTolerance(actual.dtype), normal = smallestNormal(actual.dtype);
  const TermNumbers of(terms);
  const TensorNumbers actualNumbers(actual);
  int64_t numNonzero = 0, numFar = 0;
  for (int64_t i = 0, count = terms.exact.numElements(); i < count; ++i) {
    const double value = of.exact[i];
    if (std::fabs(value) < normal || !std::isfinite(value))
      continue;
    ++numNonzero;
    const double explained =
        spread.absolute(value, of.sizes[i]) + std::max(of.below[i], of.above[i]) + smallest;
    numFar += std::fabs(actualNumbers[i] - value) > kFar * explained;
  }
  if (2 * numFar <= numNonzero)
    return;
  result.unexplained = numFar;
  result.doubt = MatchDoubt::Tolerance;
}

/// A match of the few elements that were compared says little.
static void noteLeftOut(OutputComparison &result) {
  const bool areMany =
      double(result.undefined) > kLeftOutShare * static_cast<double>(result.elements);
  if (result.mismatches == 0 && areMany && result.doubt == MatchDoubt::None)
    result.doubt = MatchDoubt::LeftOut;
}

OutputComparison compareTensors(const Tensor &actual, const Tensor &expected,
                                const ComparisonOptions &options) {
  OutputComparison result;
  if (actual.dtype != expected.dtype) {
    result.fault = "the types differ: `" + std::string(dtypeName(actual.dtype)) + "` and `" +
                   std::string(dtypeName(expected.dtype)) + "`";
    return result;
  }
  if (actual.shape != expected.shape) {
    result.fault = "the shapes differ";
    return result;
  }
  result.relativeTolerance = relativeTolerance(expected, options);
  std::optional<ElementRanges> ranges = elementRanges(expected, options);
  Tolerance tolerance{0, ranges ? 0 : result.relativeTolerance, ranges ? &*ranges : nullptr};
  if (ranges) {
    const Spread spread(expected.dtype, options);
    result.relativeTolerance = spread.isRelative() ? spread.relative() : 0;
    result.absoluteTolerance =
        options.absoluteTolerance.value_or(farthest(expected, *options.terms, *ranges, spread));
  } else {
    tolerance.absolute = result.absoluteTolerance = options.absoluteTolerance
                                                        ? *options.absoluteTolerance
                                                        : absoluteTolerance(expected, options);
  }
  if (ranges)
    admitOthers(actual, *options.terms, *ranges);
  const Differences found = findDifferences(actual, expected, tolerance, options.poisoned);
  if (expected.numElements() > 0 && found.undefined == expected.numElements()) {
    result.fault = "what is expected is not a number at any element";
    return result;
  }
  result.isTolerancePerElement = ranges && !options.absoluteTolerance;
  result.elements = expected.numElements();
  addFound(found, actual, expected, result);
  if (isFloat(expected.dtype))
    noteIndistinct(expected, ranges ? &*ranges : nullptr, result);
  // Tolerances of one's own are as large as they are meant to be.
  if (isFloat(expected.dtype) && ranges && !options.relativeTolerance &&
      !options.absoluteTolerance) {
    const Spread spread(expected.dtype, options);
    const double typical = typicalTolerance(expected, *options.terms);
    noteLoose(expected.dtype, *options.terms, spread, typical, result);
    if (typical == 0)
      noteUnexplained(actual, *options.terms, spread, result);
  }
  noteLeftOut(result);
  return result;
}

} // namespace tilescope::profiler
