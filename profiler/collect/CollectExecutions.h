// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/collect/CollectCounters.h"
#include "profiler/data/Executions.h"
#include "profiler/driver/InstructionCounter.h"

namespace tilescope::profiler {

/// Counts one launch of the kernel by its instructions. The error is as that of `collectCounters`.
Result<Grant<ExecutionData>> collectExecutions(CudaDriver &driver, InstructionCounter &counter,
                                               const KernelPackage &package,
                                               const RunOptions &options);

/// What the records say of a function, by instruction.
ExecutionData sumExecutions(const std::vector<InstructionRecord> &records,
                            const std::string &function);

} // namespace tilescope::profiler
