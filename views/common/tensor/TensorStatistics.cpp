// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/tensor/TensorStatistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilescope::views {

using profiler::Tensor;
using profiler::Unwritten;

/// Elements between two looks at the stop token.
static constexpr int64_t kStride = 1 << 16;

/// Counts and extremes; the sum is the mean's.
static double countElements(const Tensor &tensor, int64_t begin, int64_t end,
                            const Unwritten &unwritten, TensorStatistics &result) {
  double sum = 0;
  for (int64_t i = begin; i < end; ++i) {
    const double value = tensor.at(i);
    if (unwritten.has(tensor, i)) {
      ++result.numUnwritten;
    } else if (std::isnan(value)) {
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
  return sum;
}

/// Fills the bins; the sum of squared deviations.
static double fillBins(const Tensor &tensor, int64_t begin, int64_t end, const Unwritten &unwritten,
                       TensorStatistics &result) {
  const auto numBins = static_cast<int>(result.bins.size());
  const double width = (result.maximum - result.minimum) / numBins;
  double squares = 0;
  for (int64_t i = begin; i < end; ++i) {
    const double value = tensor.at(i);
    if (!std::isfinite(value) || unwritten.has(tensor, i))
      continue;
    squares += (value - result.mean) * (value - result.mean);
    const int bin = width > 0 ? static_cast<int>((value - result.minimum) / width) : 0;
    ++result.bins[static_cast<size_t>(std::clamp(bin, 0, numBins - 1))];
  }
  return squares;
}

TensorStatistics tensorStatistics(const Tensor &tensor, int numBins, const Unwritten &unwritten,
                                  std::stop_token stop) {
  TensorStatistics result;
  result.bins.assign(static_cast<size_t>(numBins), 0);
  result.minimum = std::numeric_limits<double>::infinity();
  result.maximum = -result.minimum;
  const int64_t count = tensor.numElements();
  double sum = 0;
  for (int64_t i = 0; i < count && !stop.stop_requested(); i += kStride)
    sum += countElements(tensor, i, std::min(i + kStride, count), unwritten, result);
  if (result.numFinite == 0) {
    result.minimum = result.maximum = 0;
    return result;
  }
  result.mean = sum / static_cast<double>(result.numFinite);
  double squares = 0;
  for (int64_t i = 0; i < count && !stop.stop_requested(); i += kStride)
    squares += fillBins(tensor, i, std::min(i + kStride, count), unwritten, result);
  result.deviation = std::sqrt(squares / static_cast<double>(result.numFinite));
  return result;
}

} // namespace tilescope::views
