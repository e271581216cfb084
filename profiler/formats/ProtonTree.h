// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/data/Measurement.h"
#include "profiler/report/ReportData.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// Trees of Proton, Triton's profiler: JSON in the form of Hatchet's literals. A list holds the
/// root and then the devices; times are sums over all launches of a kernel in a scope:
///
///     [{"frame": {"name": "ROOT", "type": "function"}, "metrics": {"count": 0, "time (ns)": 0},
///       "children": [{"frame": {"name": "copy", "type": "function"}, "children": [],
///         "metrics": {"count": 2, "time (ns)": 2468, "device_id": "0", "device_type": "CUDA"}}]},
///      {"CUDA": {"0": {"arch": "90", "num_sms": 132, "clock_rate": 1980000,
///                      "memory_clock_rate": 2619000, "bus_width": 5120}}}]
namespace tilescope::profiler {

bool isProtonTree(const nlohmann::json &document);

/// A measurement of each kernel in each scope, in the order of the tree. A time is the mean of the
/// launches, which a note says. The error has the place in the tree.
Result<std::vector<Measurement>> readProtonTree(const nlohmann::json &document);

/// The measured times of a report in that form.
std::string protonTree(const ReportData &data);

} // namespace tilescope::profiler
