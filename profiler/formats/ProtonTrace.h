// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/report/ReportData.h"

#include <string>

/// Traces inside kernels in the form of Proton, Triton's profiler: events of Chrome's format whose
/// processes and rows are names of multiprocessors, programs and warps:
///
///     {"displayTimeUnit": "ns", "traceEvents": [{"ph": "X", "name": "tt.load, line 7",
///       "cat": "matmul", "pid": "matmul Core3 CTA0", "tid": "warp 2 (line 0)", "ts": 0.05,
///       "dur": 0.01, "args": {"Init Time (ns)": 0, "Post Final Time (ns)": 20000,
///       "Finalization Time (ns)": 0, "call_stack": []}}]}
namespace tilescope::profiler {

std::string protonTrace(const ReportData &data);

} // namespace tilescope::profiler
