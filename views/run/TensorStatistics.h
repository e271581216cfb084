// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Tensor.h"

#include <vector>

namespace tilescope::views {

/// What the values of a tensor look like as a whole. Only finite values count for all but the two
/// counts.
struct TensorStatistics {
  double minimum = 0;
  double maximum = 0;
  double mean = 0;
  double deviation = 0;
  int64_t numFinite = 0;
  int64_t numNan = 0;
  int64_t numInfinite = 0;
  /// Number of finite values in each of equally wide bins from minimum to maximum.
  std::vector<int64_t> bins;
};

TensorStatistics tensorStatistics(const profiler::Tensor &tensor, int numBins);

/// Two tensors element by element.
struct TensorComparison {
  int64_t numMismatches = 0;
  double maxAbsoluteError = 0;
  double maxRelativeError = 0;
  /// Row-major number of the first and of the worst mismatch; -1: none.
  int64_t firstMismatch = -1;
  int64_t worstMismatch = -1;
};

/// Elements differ when `|a - b| > absolute + relative * |b|`; NaN equals NaN.
TensorComparison compareTensors(const profiler::Tensor &actual, const profiler::Tensor &expected,
                                double absolute, double relative);

} // namespace tilescope::views
