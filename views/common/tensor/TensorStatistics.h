// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Tensor.h"
#include "profiler/data/Unwritten.h"

#include <stop_token>
#include <vector>

namespace tilescope::views {

/// What the values of a tensor look like as a whole. Only finite values count for all but the
/// three counts.
struct TensorStatistics {
  double minimum = 0;
  double maximum = 0;
  double mean = 0;
  double deviation = 0;
  int64_t numFinite = 0;
  int64_t numNan = 0;
  int64_t numInfinite = 0;
  /// Of a tensor that began without data; not counted among the NaN.
  int64_t numUnwritten = 0;
  /// Number of finite values in each of equally wide bins from minimum to maximum.
  std::vector<int64_t> bins;
};

/// Without meaning once `stop` is requested.
TensorStatistics tensorStatistics(const profiler::Tensor &tensor, int numBins,
                                  const profiler::Unwritten &unwritten = {},
                                  std::stop_token stop = {});

} // namespace tilescope::views
