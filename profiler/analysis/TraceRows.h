// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Trace.h"

#include <string>
#include <vector>

/// A trace inside a kernel as rows of spans, no two of which overlap: as pictures and formats of
/// events have it.
namespace tilescope::profiler {

struct TraceRow {
  const TraceWarp *warp = nullptr;
  /// `warp 2`; of work that is under way beside what the warp executes, `warp 2, under way`, …
  std::string name;
  /// 0: what the warp executes.
  int line = 0;
  std::vector<TraceSpan> spans;
};
std::vector<TraceRow> traceRows(const TraceData &trace);

/// `ttg.async_wait, line 12`.
std::string traceEventName(const TraceData &trace, const TraceSpan &span);
/// `wait`.
std::string traceEventKind(const TraceData &trace, const TraceSpan &span);
/// By the clock of the trace; where that is not known, a cycle counts as a nanosecond.
double traceMicroseconds(const TraceData &trace, uint64_t cycles);

} // namespace tilescope::profiler
