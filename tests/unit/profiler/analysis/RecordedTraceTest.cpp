// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// A trace that was recorded on an H100 (tests/support/recorded).
#include "profiler/analysis/TraceFigures.h"
#include "profiler/analysis/TracePicture.h"
#include "tests/unit/profiler/RecordedMeasurement.h"

using namespace tilescope::profiler;
using tilescope::profiler::test::recorded;

TEST_CASE("spans of a recorded softmax follow each other in their warps' time", "[profiler]") {
  const Measurement measurement = recorded("traced_softmax");
  REQUIRE(measurement.trace);
  const TraceData &trace = *measurement.trace;
  CHECK(trace.outputsEqual == true);
  CHECK(trace.slowdown < 0.02);
  CHECK(*trace.clockMhz == Approx(1980).epsilon(0.02));
  REQUIRE(trace.warps.size() == 12);
  for (const TraceWarp &warp : trace.warps) {
    uint64_t last = 0;
    for (const TraceSpan &span : warp.spans) {
      CHECK(span.begin >= last);
      CHECK(span.end >= span.begin);
      last = span.end;
    }
    CHECK(last <= warp.cycles);
    CHECK(warp.lost == 0);
    // One load, under way until it was waited for.
    REQUIRE(warp.underWay.size() == 1);
    CHECK(trace.table.scope(warp.underWay[0].scope)->kind == TraceKind::Load);
    CHECK(warp.underWay[0].begin == warp.spans[0].end);
    CHECK(warp.underWay[0].end == warp.spans[1].end);
  }
}

TEST_CASE("a softmax waits for its load", "[profiler]") {
  const TraceData trace = *recorded("traced_softmax").trace;
  const std::vector<TraceKindTime> kinds = traceKindTimes(trace);
  REQUIRE_FALSE(kinds.empty());
  CHECK(kinds[0].kind == TraceKind::Wait);
  CHECK(kinds[0].share > 0.5);
  CHECK(traceLines(trace)[0].line == 41);
  CHECK(unscopedShare(trace).value() < 0.2);
  CHECK(tracedPrograms(trace) == std::vector<int64_t>{0, 16384, 32767});
  // The last program begins when nearly all of the kernel's time is over.
  const TraceWindow last = TracePicture::wholeOf(trace, 32767);
  CHECK(static_cast<double>(last.end) / *trace.clockMhz == Approx(trace.tracedUs).epsilon(0.1));
}
