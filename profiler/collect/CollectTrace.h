// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/collect/RunPackage.h"
#include "profiler/driver/Grant.h"

#include <vector>

namespace tilescope::profiler {

/// A kernel with clock reads and without.
struct TracedKernels {
  const KernelPackage &plain;
  /// The same launch with clock reads, the one that says most first. At least one.
  const std::vector<KernelPackage> &traced;
};

struct CollectedTrace {
  TraceData trace;
  /// Which of the traced kernels.
  size_t kernel = 0;
  /// What the first one would have cost, as in `TraceData::slowdown`.
  double firstSlowdown = 0;
};

/// Traces a kernel: all are launched in turn for their times; then the first one whose clock reads
/// change its time by at most `mostTraceSlowdown` of the options once more, its scratch cleared, for the trace.
/// Refused where there is none, or where it changes the outputs. `cupti` and the error as for
/// `runPackage`.
Result<Grant<CollectedTrace>> collectTrace(CudaDriver &driver, Cupti *cupti,
                                           const std::string &cuptiReason,
                                           const TracedKernels &kernels, const RunOptions &options);

} // namespace tilescope::profiler
