// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/InterleavedRun.h"
#include "profiler/collect/RunPackage.h"

#include <string>
#include <vector>

/// Kernels measured against each other in one process: in rounds, each of which launches every
/// kernel a few times in an order that is drawn anew (profiler/analysis/TimeComparison.h says why).
namespace tilescope::profiler {

struct InterleaveOptions {
  /// Device, cache, inputs, warm-up and `betweenBatches`; the rest is not used.
  RunOptions run;
  /// As `RunOptions::progress`, with the number of the package: `prepare` and `launch` of each, then
  /// `measure` about every second.
  std::function<void(const RunState &state, size_t package)> progress;
  int maxRounds = 100;
  /// Of each kernel.
  int launchesPerRound = 5;
  /// Of all rounds together; up to four times that where it is too short for `kLeastRounds`.
  std::chrono::milliseconds maxTime{5000};
  /// Of the orders.
  uint64_t seed = 0;
  /// A kernel whose fastest launch takes longer than the best kernel's median by this factor, after
  /// a few rounds, is measured no further. 0: all are measured to the end.
  double hopeless = 0;
};

/// Measures all packages. A package that cannot be launched (its machine code, its resources or its
/// tensors do not fit) has an error, and the others are measured. `cupti` as for `runPackage`.
Result<InterleavedRun> interleave(CudaDriver &driver, Cupti *cupti, const std::string &cuptiReason,
                                  const std::vector<KernelPackage> &packages,
                                  const InterleaveOptions &options);

} // namespace tilescope::profiler
