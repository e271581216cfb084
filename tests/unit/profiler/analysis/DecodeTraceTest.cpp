// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/DecodeTrace.h"

#include "profiler/analysis/TraceFigures.h"
#include "tests/unit/profiler/TraceScratch.h"

#include <catch2/catch.hpp>

using namespace tilescope::profiler;
using namespace tilescope::profiler::test;

static std::vector<uint8_t> scratchOf(const TraceTable &table) {
  return std::vector<uint8_t>(static_cast<size_t>(table.scratchBytes()));
}

/// What is in the head of `Trace.h`.
static WrittenWarp loadAndWait() {
  return {3, 1000, 50, 21000, 40050, {{150, 0, 1}, {162, 1, 0}, {580, 0, 2}, {690, 2, 0}}};
}

TEST_CASE("records become spans, and a load is under way until it was waited for", "[profiler]") {
  const TraceTable table = sampleTable();
  std::vector<uint8_t> scratch = scratchOf(table);
  writeWarp(table, scratch.data(), 0, loadAndWait());
  const auto trace = decodeTrace(table, scratch);
  REQUIRE(trace);
  REQUIRE(trace->warps.size() == 1);
  const TraceWarp &warp = trace->warps[0];
  CHECK(warp.program == 0);
  CHECK(warp.warp == 0);
  CHECK(warp.multiprocessor == 3);
  CHECK(warp.cycles == 40000);
  CHECK(warp.records == 4);
  CHECK(warp.lost == 0);
  CHECK(warp.spans == std::vector<TraceSpan>{{1, 100, 112}, {2, 530, 640}});
  CHECK(warp.underWay == std::vector<TraceSpan>{{1, 112, 640}});
  // 40000 cycles in 20 µs.
  REQUIRE(trace->clockMhz);
  CHECK(*trace->clockMhz == Approx(2000));
}

TEST_CASE("one record ends a scope and begins the next", "[profiler]") {
  const TraceTable table = sampleTable();
  std::vector<uint8_t> scratch = scratchOf(table);
  writeWarp(table, scratch.data(), 0, {0, 0, 0, 0, 500, {{10, 0, 1}, {20, 1, 5}, {90, 5, 0}}});
  const auto trace = decodeTrace(table, scratch);
  REQUIRE(trace);
  CHECK(trace->warps[0].spans == std::vector<TraceSpan>{{1, 10, 20}, {5, 20, 90}});
}

TEST_CASE("a wait that leaves one group takes all older ones", "[profiler]") {
  const TraceTable table = sampleTable();
  std::vector<uint8_t> scratch = scratchOf(table);
  writeWarp(table, scratch.data(), 0,
            {0,
             0,
             0,
             0,
             500,
             {{10, 0, 3},
              {20, 3, 3},
              {30, 3, 3},
              {40, 3, 0},
              {60, 0, 4},
              {100, 4, 0},
              {110, 0, 3},
              {120, 3, 4},
              {150, 4, 0}}});
  const auto trace = decodeTrace(table, scratch);
  REQUIRE(trace);
  // Three groups, of which the first two are over at 100; one more, and the third is over at 150.
  CHECK(trace->warps[0].underWay ==
        std::vector<TraceSpan>{{3, 20, 100}, {3, 30, 100}, {3, 40, 150}});
}

TEST_CASE("a wait that names no number takes the oldest piece", "[profiler]") {
  TraceTable table = sampleTable();
  table.scopes[3].leaves.reset();
  std::vector<uint8_t> scratch = scratchOf(table);
  writeWarp(table, scratch.data(), 0,
            {0, 0, 0, 0, 500, {{10, 0, 3}, {20, 3, 3}, {30, 3, 4}, {70, 4, 4}, {90, 4, 0}}});
  const auto trace = decodeTrace(table, scratch);
  REQUIRE(trace);
  CHECK(trace->warps[0].underWay == std::vector<TraceSpan>{{3, 20, 70}, {3, 30, 90}});
}

TEST_CASE("a ring that was overwritten has its newest records", "[profiler]") {
  const TraceTable table = sampleTable();
  std::vector<uint8_t> scratch = scratchOf(table);
  WrittenWarp warp{0, 0, 0, 0, 5000, {}};
  for (uint64_t i = 0; i < 11; ++i) {
    warp.records.push_back({100 * i, 0, 5});
    warp.records.push_back({100 * i + 30, 5, 0});
  }
  writeWarp(table, scratch.data(), 0, warp);
  const auto trace = decodeTrace(table, scratch);
  REQUIRE(trace);
  CHECK(trace->warps[0].records == 22);
  CHECK(trace->warps[0].lost == 6);
  REQUIRE(trace->warps[0].spans.size() == 8);
  CHECK(trace->warps[0].spans.front() == TraceSpan{5, 300, 330});
  CHECK(trace->warps[0].spans.back() == TraceSpan{5, 1000, 1030});
}

TEST_CASE("an end without its beginning is left out", "[profiler]") {
  const TraceTable table = sampleTable();
  std::vector<uint8_t> scratch = scratchOf(table);
  writeWarp(table, scratch.data(), 0, {0, 0, 0, 0, 500, {{10, 5, 0}, {20, 0, 1}, {30, 1, 0}}});
  const auto trace = decodeTrace(table, scratch);
  REQUIRE(trace);
  CHECK(trace->warps[0].spans == std::vector<TraceSpan>{{1, 20, 30}});
}

TEST_CASE("the clock of records wraps", "[profiler]") {
  const TraceTable table = sampleTable();
  std::vector<uint8_t> scratch = scratchOf(table);
  const uint64_t start = (uint64_t(5) << 32) - 50;
  writeWarp(table, scratch.data(), 0,
            {0, 0, start, 0, start + 900, {{start + 20, 0, 5}, {start + 120, 5, 0}}});
  const auto trace = decodeTrace(table, scratch);
  REQUIRE(trace);
  CHECK(trace->warps[0].spans == std::vector<TraceSpan>{{5, 20, 120}});
}

TEST_CASE("warps are placed by the clock of their multiprocessor, and these by the timer",
          "[profiler]") {
  const TraceTable table = sampleTable();
  std::vector<uint8_t> scratch = scratchOf(table);
  // 2 GHz. The timer is coarse: warps 0 and 2 of program 0 began 300 cycles apart.
  writeWarp(table, scratch.data(), 0, {1, 4000, 1000, 24000, 41000, {}});
  writeWarp(table, scratch.data(), 1, {1, 4000, 1300, 24000, 41000, {}});
  writeWarp(table, scratch.data(), 3, {9, 9000, 77, 24000, 30077, {}});
  const auto trace = decodeTrace(table, scratch);
  REQUIRE(trace);
  REQUIRE(trace->warps.size() == 3);
  CHECK(trace->warps[0].start == 0);
  CHECK(trace->warps[1].start == 300);
  CHECK(trace->warps[2].program == 7);
  CHECK(trace->warps[2].warp == 2);
  CHECK(trace->warps[2].start == 10000);
}

TEST_CASE("what ran to no end has no length", "[profiler]") {
  const TraceTable table = sampleTable();
  std::vector<uint8_t> scratch = scratchOf(table);
  writeWarp(table, scratch.data(), 0, {0, 5, 100, 0, 0, {}});
  const auto trace = decodeTrace(table, scratch);
  REQUIRE(trace);
  CHECK(trace->warps[0].cycles == 0);
  CHECK_FALSE(trace->clockMhz);
}

TEST_CASE("broken traces are refused", "[profiler]") {
  const TraceTable table = sampleTable();
  std::vector<uint8_t> scratch = scratchOf(table);
  SECTION("cut off") {
    scratch.pop_back();
    const auto trace = decodeTrace(table, scratch);
    REQUIRE_FALSE(trace);
    CHECK(trace.error().message == "the trace is cut off");
  }
  SECTION("a clock that runs back") {
    writeWarp(table, scratch.data(), 1, {0, 0, 0, 0, 500, {{90, 0, 1}, {80, 1, 0}}});
    const auto trace = decodeTrace(table, scratch);
    REQUIRE_FALSE(trace);
    CHECK(trace.error().message == "the trace of program 0, warp 2 is broken: its clock runs back");
  }
  SECTION("a scope that the table does not have") {
    writeWarp(table, scratch.data(), 2, {0, 0, 0, 0, 500, {{90, 0, 99}}});
    const auto trace = decodeTrace(table, scratch);
    REQUIRE_FALSE(trace);
    CHECK(trace.error().message == "the trace of program 7, warp 0 is broken: it has no scope 99");
  }
}

static TraceData sampleTrace() {
  TraceData trace;
  trace.table = sampleTable();
  trace.plainUs = 10;
  trace.tracedUs = 10.5;
  trace.slowdown = 0.05;
  trace.outputsEqual = true;
  trace.clockMhz = 2000;
  TraceWarp warp;
  warp.cycles = 1000;
  warp.spans = {{1, 0, 50}, {2, 100, 400}, {5, 500, 600}};
  trace.warps = {warp, warp};
  return trace;
}

TEST_CASE("a trace says what warps spent their time on", "[profiler]") {
  const TraceData trace = sampleTrace();
  const std::vector<TraceKindTime> kinds = traceKindTimes(trace);
  REQUIRE(kinds.size() == 3);
  CHECK(kinds[0].kind == TraceKind::Wait);
  CHECK(kinds[0].cycles == 600);
  CHECK(kinds[0].share == Approx(0.3));
  CHECK(kinds[1].kind == TraceKind::Barrier);
  CHECK(kinds[2].kind == TraceKind::Load);
  CHECK(unscopedShare(trace).value() == Approx(0.55));
  const std::vector<TraceLine> lines = traceLines(trace);
  // The barrier's place is not known.
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].line == 6);
  CHECK(lines[0].cycles == 700);
  CHECK(lines[0].spans == 4);
  CHECK(lines[0].share == Approx(0.35));
  CHECK(lines[0].kinds == std::vector<TraceKind>{TraceKind::Wait, TraceKind::Load});
  CHECK(traceDurationText(trace, 3000) == "3000 cycles (1.50 µs)");
  CHECK(traceCostText(trace) == "5.0 % slower with clock reads (10.50 instead of 10.00 µs); "
                                "outputs are equal bit for bit");
}

TEST_CASE("what is not known of a trace is not said", "[profiler]") {
  TraceData trace = sampleTrace();
  trace.warps[0].lost = 3;
  CHECK_FALSE(unscopedShare(trace));
  CHECK(lostRecords(trace) == 3);
  // A warp without an end takes part in no share.
  trace.warps[0].cycles = 0;
  CHECK(traceKindTimes(trace)[0].cycles == 300);
  CHECK(traceKindTimes(trace)[0].share == Approx(0.3));
  trace.clockMhz.reset();
  trace.outputsEqual.reset();
  CHECK(traceDurationText(trace, 1) == "1 cycle");
  CHECK(traceCostText(trace).ends_with("outputs differ from launch to launch without them, too"));
}
