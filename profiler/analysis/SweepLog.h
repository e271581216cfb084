// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/analysis/Sweep.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

/// The results of a sweep as lines of JSON, appended as they come, so that whatever ends the sweep
/// leaves all that it had:
///
///     {"sweep": {"version": 1, "identity": "…", "file", "launch", "kernel", "target", "axes", "sizes"}}
///     {"point": 0, "values": {"BLOCK": "128"}, "status": "compiled", "registers": 32, …}
///     {"device": "NVIDIA H100", "copy_gb_per_s": 2900}      of the points that follow
///     {"point": 1, "values": {"BLOCK": "4096"}, "status": "failed", "reason": "…"}
///     {"point": 0, "values": {"BLOCK": "128"}, "status": "measured", "median_us": 28.4, …,
///      "rounds_us": [[28.4, …], …]}
///
/// With `models`, names of GPUs, in the first line, the points are those of the product once for each of them.
/// The last line of a point counts. A last line that was cut off is none.
namespace tilescope::profiler {

/// The first line. `identity`: what has to be the same for results to belong together.
std::string sweepHeaderLine(const Sweep &sweep, const std::string &identity);
/// The line of a point; `rounds` may be empty.
std::string sweepPointLine(size_t index, const SweepPoint &point, const TimeRounds &rounds = {});

/// The point that the JSON of such a line has. Throws as `jsonAs` does.
SweepPoint sweepPointFromJson(const nlohmann::json &object);

/// The line of the device that measures.
std::string sweepDeviceLine(const Sweep &sweep);

/// What a log holds.
struct SweepLog {
  Sweep sweep;
  std::string identity;
  /// Bytes of whole lines: a line that was cut off begins here.
  size_t numBytes = 0;
};

/// Reads the first line of a log; the points are left out.
Result<SweepLog> readSweepHeader(std::string_view line);

/// Reads a log. A line in the middle that is none, or a point beyond the product, is an error.
Result<SweepLog> readSweepLog(std::string_view text);

} // namespace tilescope::profiler
