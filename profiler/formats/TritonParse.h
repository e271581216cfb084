// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/report/ReportData.h"

#include <string>
#include <string_view>
#include <vector>

/// Logs of tritonparse: an event on each line, as JSON. A kernel that Triton compiled and one of
/// its launches:
///
///     {"event_type": "compilation", "payload": {"metadata": {"hash": "4f…", "name": "copy",
///       "num_warps": 4}, "file_content": {"copy.ttir": "…"}, "python_source": {"code": "…"}}}
///     {"event_type": "launch", "name": "copy", "grid": [64], "extracted_args": {"n": {"type":
///       "int", "value": 4096}, "x_ptr": {"type": "tensor", "shape": [4096], "dtype":
///       "torch.float32"}}, "compilation_metadata": {"hash": "4f…"}}
namespace tilescope::profiler {

/// Whether the first line is an event.
bool isTritonParse(std::string_view text);

/// The kernels in the order in which they were compiled, each once, with the plan of its first
/// launch. Values of tensors are not recorded: floats become random numbers and integers zeros.
/// What is left out is among the assumptions. The error has the line.
Result<std::vector<ReportKernel>> readTritonParse(std::string_view text);

/// A compilation for each kernel of a report, and a launch where it has a plan.
std::string tritonParse(const ReportData &data);

} // namespace tilescope::profiler
