// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Comparison.h"

#include "profiler/data/Element.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilescope::profiler {

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

static double rootMeanSquare(const Tensor &tensor) {
  double sum = 0;
  int64_t finite = 0;
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    double value = tensor.at(i);
    if (!std::isfinite(value))
      continue;
    sum += value * value;
    ++finite;
  }
  return finite ? std::sqrt(sum / double(finite)) : 0;
}

/// 64-bit integers differ where their doubles may not.
static bool areSame(const Tensor &actual, const Tensor &expected, int64_t i) {
  return isFloat(actual.dtype) ? actual.at(i) == expected.at(i)
                               : elementBits(actual.dtype, actual.element(i)) ==
                                     elementBits(actual.dtype, expected.element(i));
}

/// NaN where one of them is.
static double absoluteError(const Tensor &actual, const Tensor &expected, int64_t i) {
  if (areSame(actual, expected, i))
    return 0;
  const double error = std::fabs(actual.at(i) - expected.at(i));
  return isFloat(actual.dtype) ? error : std::max(error, 1.0);
}

bool agrees(const Tensor &actual, const Tensor &expected, int64_t element,
            const OutputComparison &comparison) {
  const double error = absoluteError(actual, expected, element);
  const double tolerance =
      comparison.absoluteTolerance + comparison.relativeTolerance * std::fabs(expected.at(element));
  // Written so that NaN and an infinity against a number fail.
  return areSame(actual, expected, element) || (std::isfinite(error) && error <= tolerance);
}

std::string referencePath(const std::string &outputPath) {
  constexpr std::string_view kEnding = ".npy";
  return outputPath.substr(0, outputPath.size() - std::min(kEnding.size(), outputPath.size())) +
         ".expected.npy";
}

namespace {
/// One pass over two tensors of the same shape and type.
struct Pass {
  const Tensor &actual;
  const Tensor &expected;
  bool poisoned;
  OutputComparison &result;
  double differenceSquares = 0;
  double expectedSquares = 0;
  int64_t worst = -1;

  void element(int64_t i);
  bool unwritten(int64_t i) const;
};
} // namespace

bool Pass::unwritten(int64_t i) const {
  uint64_t poison = poisonBits(actual.dtype);
  return elementBits(actual.dtype, actual.element(i)) == poison &&
         elementBits(actual.dtype, expected.element(i)) == poison;
}

void Pass::element(int64_t i) {
  if (poisoned && unwritten(i)) {
    ++result.unwritten;
    return;
  }
  double a = actual.at(i), e = expected.at(i);
  double error = absoluteError(actual, expected, i);
  if (std::isnan(error))
    error = std::numeric_limits<double>::infinity();
  if (worst < 0 || error > result.maxAbsError) {
    worst = i;
    result.maxAbsError = error;
  }
  double relative = error == 0 ? 0 : error / std::fabs(e);
  if (std::isnan(relative))
    relative = std::numeric_limits<double>::infinity();
  result.maxRelError = std::max(result.maxRelError, relative);
  if (std::isfinite(e)) {
    differenceSquares += error * error;
    expectedSquares += e * e;
  }
  if (agrees(actual, expected, i, result))
    return;
  if (result.mismatches++ == 0) {
    result.firstMismatch = elementCoordinates(i, actual.shape);
    result.firstActual = a;
    result.firstExpected = e;
  }
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
      isFloat(actual.dtype) ? result.relativeTolerance / 10 * rootMeanSquare(expected) : 0);
  Pass pass{actual, expected, options.poisoned, result};
  for (int64_t i = 0; i < actual.numElements(); ++i)
    pass.element(i);
  if (pass.worst >= 0) {
    result.worst = elementCoordinates(pass.worst, actual.shape);
    result.worstActual = actual.at(pass.worst);
    result.worstExpected = expected.at(pass.worst);
  }
  double norm = std::sqrt(pass.expectedSquares);
  double difference = std::sqrt(pass.differenceSquares);
  result.relErrorInNorm = norm > 0
                              ? difference / norm
                              : (difference > 0 ? std::numeric_limits<double>::infinity() : 0.0);
  return result;
}

void noteUnwritten(const Tensor &tensor, OutputResult &output) {
  const uint64_t poison = poisonBits(tensor.dtype);
  int64_t count = 0, first = -1;
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    if (elementBits(tensor.dtype, tensor.element(i)) != poison)
      continue;
    if (count++ == 0)
      first = i;
  }
  output.neverWritten = count;
  if (count > 0)
    output.firstNeverWritten = elementCoordinates(first, tensor.shape);
}

TensorSummary summarizeTensor(const Tensor &tensor, bool poisoned) {
  TensorSummary summary;
  uint64_t poison = poisonBits(tensor.dtype);
  double sum = 0;
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    if (poisoned && elementBits(tensor.dtype, tensor.element(i)) == poison) {
      ++summary.numUnwritten;
      continue;
    }
    double value = tensor.at(i);
    if (!std::isfinite(value)) {
      ++(std::isnan(value) ? summary.numNan : summary.numInfinite);
      continue;
    }
    summary.least = summary.numFinite ? std::min(summary.least, value) : value;
    summary.most = summary.numFinite ? std::max(summary.most, value) : value;
    ++summary.numFinite;
    sum += value;
  }
  if (summary.numFinite > 0)
    summary.mean = sum / double(summary.numFinite);
  return summary;
}

} // namespace tilescope::profiler
