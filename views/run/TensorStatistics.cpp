// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/TensorStatistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilescope::views {

using profiler::Tensor;

TensorStatistics tensorStatistics(const Tensor &tensor, int numBins) {
  TensorStatistics result;
  result.bins.assign(static_cast<size_t>(numBins), 0);
  result.minimum = std::numeric_limits<double>::infinity();
  result.maximum = -result.minimum;
  const int64_t count = tensor.numElements();
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double value = tensor.at(i);
    if (std::isnan(value)) {
      ++result.numNan;
    } else if (std::isinf(value)) {
      ++result.numInfinite;
    } else {
      ++result.numFinite;
      sum += value;
      result.minimum = std::min(result.minimum, value);
      result.maximum = std::max(result.maximum, value);
    }
  }
  if (result.numFinite == 0) {
    result.minimum = result.maximum = 0;
    return result;
  }
  result.mean = sum / static_cast<double>(result.numFinite);
  const double width = (result.maximum - result.minimum) / numBins;
  double squares = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double value = tensor.at(i);
    if (!std::isfinite(value))
      continue;
    squares += (value - result.mean) * (value - result.mean);
    const int bin = width > 0 ? static_cast<int>((value - result.minimum) / width) : 0;
    ++result.bins[std::clamp(bin, 0, numBins - 1)];
  }
  result.deviation = std::sqrt(squares / static_cast<double>(result.numFinite));
  return result;
}

TensorComparison compareTensors(const Tensor &actual, const Tensor &expected, double absolute,
                                double relative) {
  TensorComparison result;
  const int64_t count = std::min(actual.numElements(), expected.numElements());
  double worst = -1;
  for (int64_t i = 0; i < count; ++i) {
    const double a = actual.at(i);
    const double b = expected.at(i);
    if ((std::isnan(a) && std::isnan(b)) || a == b)
      continue;
    const double error = std::isfinite(a) && std::isfinite(b)
                             ? std::abs(a - b)
                             : std::numeric_limits<double>::infinity();
    result.maxAbsoluteError = std::max(result.maxAbsoluteError, error);
    if (b != 0)
      result.maxRelativeError = std::max(result.maxRelativeError, error / std::abs(b));
    if (error <= absolute + relative * std::abs(b))
      continue;
    ++result.numMismatches;
    if (result.firstMismatch < 0)
      result.firstMismatch = i;
    if (error > worst) {
      worst = error;
      result.worstMismatch = i;
    }
  }
  return result;
}

} // namespace tilescope::views
