// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Comparison.h"

#include "compiler/support/Counted.h"
#include "profiler/analysis/Differences.h"
#include "profiler/data/Element.h"
#include "profiler/data/Tolerances.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

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
            const OutputComparison &comparison, const Tensor *tolerances) {
  const double a = actual.at(element), e = expected.at(element);
  const bool areSame = isFloat(actual.dtype)
                           ? a == e
                           : elementBits(actual.dtype, actual.element(element)) ==
                                 elementBits(actual.dtype, expected.element(element));
  const double absolute = tolerances ? tolerances->at(element) : comparison.absoluteTolerance;
  const Tolerance tolerance{absolute, comparison.relativeTolerance};
  return areSame || !tolerance.excludes(errorBetween(actual.dtype, a, e), e);
}

ComparisonOptions comparisonOptions(const PlanTensor &tensor) {
  return {tensor.relativeTolerance, tensor.absoluteTolerance,
          tensor.init.kind == TensorInit::Kind::Poison};
}

static std::string shortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return text;
}

std::string toleranceText(const OutputComparison &comparison) {
  const std::string absolute = shortNumber(comparison.absoluteTolerance);
  const std::string relative = shortNumber(comparison.relativeTolerance) + " × |expected|";
  if (comparison.absoluteTolerance == 0 && comparison.relativeTolerance == 0)
    return "equal values pass";
  // As little as GPUs take for zero is not worth a word.
  if (comparison.absoluteTolerance <= std::numeric_limits<float>::min())
    return "values within " + relative + " pass";
  if (comparison.isTolerancePerElement)
    return "values within " + relative + " + rounding of their terms, at most " + absolute +
           " here, pass";
  return "values within " + absolute + (comparison.relativeTolerance == 0 ? "" : " + " + relative) +
         " pass";
}

std::string doubtText(const OutputComparison &comparison) {
  switch (comparison.doubt) {
  case MatchDoubt::None:
    return "";
  case MatchDoubt::Races:
    return " by chance, since programs race";
  case MatchDoubt::Undefined:
    return " by chance, since undefined values take part";
  case MatchDoubt::Hang:
    return " here, but on a GPU the kernel can hang";
  case MatchDoubt::Unchanged:
    return " as it did before the run, which changed nothing";
  case MatchDoubt::Tolerance:
    return " within a tolerance so large that 0 would pass for " +
           counted(comparison.indistinct, "element") + ", too";
  }
  return "";
}

static std::string besidePath(const std::string &outputPath, const char *ending) {
  constexpr std::string_view kEnding = ".npy";
  return outputPath.substr(0, outputPath.size() - std::min(kEnding.size(), outputPath.size())) +
         ending;
}

std::string referencePath(const std::string &outputPath) {
  return besidePath(outputPath, ".expected.npy");
}

std::string tolerancePath(const std::string &outputPath) {
  return besidePath(outputPath, ".tolerance.npy");
}

static double relativeTolerance(const Tensor &expected, const ComparisonOptions &options) {
  return options.relativeTolerance.value_or(relativeTolerance(expected.dtype));
}

/// How large the elements are which errors come from where nothing is known of their terms: sums
/// whose parts cancel are near zero, but their errors are not.
static double scaleOf(const Tensor &expected) {
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
  return std::max(kTypicalShare * relative * scaleOf(expected), smallestTolerance(expected.dtype));
}

/// Of the size of what an element is computed from.
static double shareOfTerms(const Tensor &expected, double relative) {
  return termShare(expected.dtype) * extremeOf(expected.dtype, expected.numElements()) * relative /
         relativeTolerance(expected.dtype);
}

std::optional<Tensor> elementTolerances(const Tensor &expected, const ComparisonOptions &options) {
  const double relative = relativeTolerance(expected, options);
  const Tensor *sizes = options.termSizes;
  if (options.absoluteTolerance || relative == 0 || !isFloat(expected.dtype) || !sizes ||
      sizes->shape != expected.shape)
    return std::nullopt;
  Tensor tolerances = makeTensor(Dtype::Fp32, expected.shape, {TensorInit::Kind::Zeros});
  const double least = smallestTolerance(expected.dtype);
  const double share = shareOfTerms(expected, relative);
  for (int64_t i = 0; i < expected.numElements(); ++i) {
    const double size = sizes->at(i);
    const double own = std::fabs(expected.at(i));
    // An infinite element passes against itself alone.
    const double known = !std::isfinite(own) ? 0 : std::isfinite(size) ? size : own;
    tolerances.set(i, std::max(share * known, least));
  }
  return tolerances;
}

static void addFound(const Differences &found, const Tensor &actual, const Tensor &expected,
                     OutputComparison &result) {
  result.maxAbsError = found.maxAbsError;
  result.maxRelError = found.maxRelError;
  result.mismatches = found.mismatches;
  result.unwritten = found.unwritten;
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
static void noteIndistinct(const Tensor &expected, const Tensor *tolerances,
                           OutputComparison &result) {
  constexpr double kShare = 0.1;
  int64_t numNonzero = 0;
  for (int64_t i = 0; i < expected.numElements(); ++i) {
    const double value = std::fabs(expected.at(i));
    if (value < smallestNormal(expected.dtype) || !std::isfinite(value))
      continue;
    ++numNonzero;
    const double absolute = tolerances ? tolerances->at(i) : result.absoluteTolerance;
    result.indistinct += value <= absolute + result.relativeTolerance * value;
  }
  const bool areMany =
      static_cast<double>(result.indistinct) > kShare * static_cast<double>(numNonzero);
  if (result.mismatches == 0 && areMany)
    result.doubt = MatchDoubt::Tolerance;
}

static double largestNumber(const Tensor &tensor) {
  double largest = 0;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    largest = std::max(largest, tensor.at(i));
  return largest;
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
  const std::optional<Tensor> tolerances = elementTolerances(expected, options);
  Tolerance tolerance{0, result.relativeTolerance, tolerances ? &*tolerances : nullptr};
  if (tolerances)
    result.absoluteTolerance = largestNumber(*tolerances);
  else
    tolerance.absolute = result.absoluteTolerance = options.absoluteTolerance
                                                        ? *options.absoluteTolerance
                                                        : absoluteTolerance(expected, options);
  result.isTolerancePerElement = tolerances.has_value();
  addFound(findDifferences(actual, expected, tolerance, options.poisoned), actual, expected,
           result);
  if (isFloat(expected.dtype))
    noteIndistinct(expected, tolerances ? &*tolerances : nullptr, result);
  return result;
}

} // namespace tilescope::profiler
