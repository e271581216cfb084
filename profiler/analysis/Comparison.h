// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Measurement.h"
#include "profiler/data/Tensor.h"
#include "profiler/package/LaunchPlan.h"

#include <optional>
#include <string>

namespace tilescope::profiler {

struct ComparisonOptions {
  /// Absent: chosen for the element type, with room for sums taken in another order.
  std::optional<double> relativeTolerance;
  /// Absent: a tenth of the relative tolerance times the reference's root mean square, or times a
  /// hundred of its typical magnitudes where that is less: a few large elements would else make room
  /// for zeros in place of all others.
  std::optional<double> absoluteTolerance;
  /// The tensor held poison before the run: elements that still do on both sides were not written
  /// and are counted apart.
  bool poisoned = false;
};

/// Compares a result with its reference element by element. NaN never passes, not even against NaN;
/// infinities pass against themselves; integers must be equal.
OutputComparison compareTensors(const Tensor &actual, const Tensor &expected,
                                const ComparisonOptions &options = {});

/// As the launch says of an argument.
ComparisonOptions comparisonOptions(const PlanTensor &tensor);

/// What passed: `equal values pass`, `values within 1e-05 + 0.0001 × |expected| pass`.
std::string toleranceText(const OutputComparison &comparison);

/// Whether one element passes with the tolerances of a comparison.
bool agrees(const Tensor &actual, const Tensor &expected, int64_t element,
            const OutputComparison &comparison);

/// Where the reference of an output that differs from it is kept: `out.expected.npy` beside
/// `out.npy`.
std::string referencePath(const std::string &outputPath);

/// Counts in `output` the elements of a tensor that still hold the poison with which it began.
void noteUnwritten(const Tensor &tensor, OutputResult &output);

/// Counts in `output` the elements of a tensor that are NaN or infinite. Those that still hold the
/// poison with which it began are left out.
void noteNonFinite(const Tensor &tensor, OutputResult &output);

/// What a tensor holds, at a glance. Extremes and mean are of the finite elements.
struct TensorSummary {
  int64_t numFinite = 0;
  int64_t numNan = 0;
  int64_t numInfinite = 0;
  /// Still hold the poison of a tensor without initial data; not counted among the NaN.
  int64_t numUnwritten = 0;
  double least = 0;
  double most = 0;
  double mean = 0;
  bool operator==(const TensorSummary &) const = default;
};

/// `poisoned`: as in `ComparisonOptions`.
TensorSummary summarizeTensor(const Tensor &tensor, bool poisoned);

} // namespace tilescope::profiler
