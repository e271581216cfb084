// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Trace.h"

#include <nlohmann/json_fwd.hpp>

/// Traces as packages and the document of `MeasurementJson.h` have them:
///
///     {"version": 1, "scopes": [{"id": 1, "kind": "load", "operation": "tt.load", "file": "k.py",
///       "line": 7, "column": 9, "queue": 2, "starts": 1}], "programs": [0], "warps": [0, 1],
///      "records": 1024}
///
/// and of a recorded one, beside these, `plain_us`, …, and `traced`: for each warp the spans as
/// `[scope, begin, end]`. Lines and columns count from 1 there. Reading throws an exception of the
/// standard library or of nlohmann-json for what is none, is of a later version, or is larger than
/// any trace.
namespace tilescope::profiler {

inline constexpr int kTraceVersion = 1;

nlohmann::json traceTableToJson(const TraceTable &table);
TraceTable traceTableFromJson(const nlohmann::json &object);
nlohmann::json traceDataToJson(const TraceData &trace);
TraceData traceDataFromJson(const nlohmann::json &object);

} // namespace tilescope::profiler
