// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/Differences.h"
#include "profiler/data/ExpectedTerms.h"
#include "profiler/data/Measurement.h"
#include "profiler/data/Tensor.h"
#include "profiler/package/LaunchPlan.h"

#include <optional>
#include <string>

namespace tilescope::profiler {

/// An element passes within `absolute + relative × |expected|`. Where the terms are known, without an
/// absolute tolerance it is a share (`termShare`) of the size of what the element is computed from:
/// where that is large and cancels out, what is left are roundings. The range that this leaves is that of
/// results before they are rounded to the output's type. A relative tolerance of one's own scales that
/// share, too.
struct ComparisonOptions {
  /// Absent: chosen for the element type, with room for sums taken in another order.
  std::optional<double> relativeTolerance;
  /// Absent: see above.
  std::optional<double> absoluteTolerance;
  /// The tensor held poison before the run: elements that still do on both sides were not written
  /// and are counted apart.
  bool poisoned = false;
  /// Null: nothing is known of any element; then a tenth of the relative tolerance is the share of a
  /// size that all have, the one that is typical of the reference, which a few large elements do not
  /// change.
  const ExpectedTerms *terms = nullptr;
};

/// Compares a result with its reference element by element. NaN never passes, not even against NaN;
/// infinities pass against themselves; integers must be equal.
OutputComparison compareTensors(const Tensor &actual, const Tensor &expected,
                                const ComparisonOptions &options = {});

/// As the launch says of an argument.
ComparisonOptions comparisonOptions(const PlanTensor &tensor);

/// What passes of each element; nothing: all have the same tolerance. `actual`: where an element is one of
/// the other values that pass, its range goes as far; null: no range does.
std::optional<ElementRanges> elementRanges(const Tensor &expected, const ComparisonOptions &options,
                                           const Tensor *actual = nullptr);

/// How large the elements are which errors come from where nothing is known of their terms: sums
/// whose parts cancel are near zero, but their errors are not.
double typicalSize(const Tensor &expected);

/// What passed: `equal values pass`, `values within 1e-05 + 0.0001 × |expected| pass`.
std::string toleranceText(const OutputComparison &comparison);

/// How far that goes, behind "matches": ` by chance, since programs race`; empty: nothing is in doubt.
std::string doubtText(const OutputComparison &comparison);
/// The same of an output that matches, of which there may be no elements.
/// Why it may not be the kernel that leaves elements of an output unwritten: `its shape is a guess and
/// may be too large`; empty where nothing is guessed.
std::string guessText(const OutputResult &output);

inline std::string doubtText(const OutputResult &output) {
  return numElements(output.shape) == 0 ? ", but there are no elements to compare"
                                        : doubtText(*output.comparison);
}

/// Whether one element passes with the tolerances of a comparison, or is left out. `ranges`: those of
/// `elementRanges`; null: there are none.
bool agrees(const Tensor &actual, const Tensor &expected, int64_t element,
            const OutputComparison &comparison, const ElementRanges *ranges = nullptr);

/// Where the reference of an output that differs from it is kept: `out.expected.npy` beside
/// `out.npy`.
std::string referencePath(const std::string &outputPath);
/// And what passes of its elements, where each has its own range: `out.least.npy`, `out.most.npy`.
std::string leastPath(const std::string &outputPath);
std::string mostPath(const std::string &outputPath);

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
