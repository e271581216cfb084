// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/collect/RunPackage.h"
#include "profiler/driver/Grant.h"

namespace tilescope::profiler {

/// Traces a kernel: `traced` is the package of the same launch that was compiled with clock reads.
/// Both are launched in turn for their times; then the traced one once more, its scratch cleared,
/// for the trace. Refused where the clock reads slow the kernel down by more than
/// `kMostTraceSlowdown`, or change its outputs. `cupti` and the error as for `runPackage`.
Result<Grant<TraceData>> collectTrace(CudaDriver &driver, Cupti *cupti,
                                      const std::string &cuptiReason, const KernelPackage &plain,
                                      const KernelPackage &traced, const RunOptions &options);

} // namespace tilescope::profiler
