// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Comparison.h"

#include "profiler/analysis/Differences.h"
#include "profiler/data/Element.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace tilescope::profiler {

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

static double defaultTolerance(Dtype dtype) {
  switch (dtype) {
  case Dtype::Fp64:
    return 1e-10;
  case Dtype::Fp32:
    return 1e-4;
  default:
    // Two roundings of the type apart, and as much again for what went in.
    return isFloat(dtype) ? 4 * dtypeEpsilon(dtype) : 0;
  }
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
            const OutputComparison &comparison) {
  const double a = actual.at(element), e = expected.at(element);
  const bool areSame = isFloat(actual.dtype)
                           ? a == e
                           : elementBits(actual.dtype, actual.element(element)) ==
                                 elementBits(actual.dtype, expected.element(element));
  const Tolerance tolerance{comparison.absoluteTolerance, comparison.relativeTolerance};
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
  if (comparison.absoluteTolerance == 0)
    return "values within " + relative + " pass";
  return "values within " + absolute + (comparison.relativeTolerance == 0 ? "" : " + " + relative) +
         " pass";
}

std::string referencePath(const std::string &outputPath) {
  constexpr std::string_view kEnding = ".npy";
  return outputPath.substr(0, outputPath.size() - std::min(kEnding.size(), outputPath.size())) +
         ".expected.npy";
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

/// How large the elements are which errors come from: sums whose parts cancel are near zero, but
/// their errors are not.
static double scaleOf(const Tensor &expected) {
  constexpr double kMostTypical = 100;
  const double mean = rootMeanSquare(expected);
  const std::optional<double> typical = typicalMagnitude(expected);
  return typical ? std::min(mean, kMostTypical * *typical) : mean;
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
  result.relativeTolerance = options.relativeTolerance.value_or(defaultTolerance(actual.dtype));
  result.absoluteTolerance = options.absoluteTolerance.value_or(
      isFloat(actual.dtype) ? result.relativeTolerance / 10 * scaleOf(expected) : 0);
  const Tolerance tolerance{result.absoluteTolerance, result.relativeTolerance};
  addFound(findDifferences(actual, expected, tolerance, options.poisoned), actual, expected,
           result);
  return result;
}

} // namespace tilescope::profiler
