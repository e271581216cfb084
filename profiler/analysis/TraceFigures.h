// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Trace.h"

#include <optional>
#include <string>
#include <vector>

/// What a trace says in numbers. Shares are of the time of the warps whose end was recorded, from 0
/// to 1.
namespace tilescope::profiler {

/// What the warps spent on operations of one kind.
struct TraceKindTime {
  TraceKind kind{};
  uint64_t cycles = 0;
  double share = 0;
};
/// The longest first; kinds without spans are left out.
std::vector<TraceKindTime> traceKindTimes(const TraceData &trace);
/// What is in no scope: computing, for the most part, and the clock reads themselves. Absent where
/// records were lost, or no end was recorded.
std::optional<double> unscopedShare(const TraceData &trace);

/// The time of one line of the source, with all operations that came of it.
struct TraceLine {
  std::string file;
  /// From 0.
  uint32_t line = 0;
  uint64_t cycles = 0;
  uint64_t spans = 0;
  double share = 0;
  /// The kinds of its operations, those that took longest first.
  std::vector<TraceKind> kinds;
};
/// The longest first; operations whose place is not known are left out.
std::vector<TraceLine> traceLines(const TraceData &trace);

/// Records that newer ones replaced, of all warps.
uint64_t lostRecords(const TraceData &trace);

/// `program 0, warp 3`.
std::string traceWarpName(const TraceWarp &warp);
/// `tt.load in line 12`: a scope, as sentences name it.
std::string traceScopeName(const TraceScope &scope);
/// `1,234 cycles (0.65 µs)`; without the time where the clock is not known.
std::string traceDurationText(const TraceData &trace, uint64_t cycles);
/// `2 % slower with clock reads (43.10 instead of 42.20 µs); outputs are equal bit for bit`.
std::string traceCostText(const TraceData &trace);

} // namespace tilescope::profiler
