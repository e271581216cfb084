// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/TracePicture.h"

#include "tests/unit/profiler/TraceScratch.h"

#include <catch2/catch.hpp>

using namespace tilescope::profiler;
using namespace tilescope::profiler::test;

/// Two warps of program 0 and one of program 7, at 1 GHz.
static TraceData sampleTrace() {
  TraceData trace;
  trace.table = sampleTable();
  trace.clockMhz = 1000;
  TraceWarp first;
  first.multiprocessor = 3;
  first.cycles = 1000;
  first.spans = {{1, 0, 50}, {2, 100, 400}, {5, 500, 600}};
  first.underWay = {{1, 50, 400}, {3, 60, 300}, {3, 320, 500}};
  TraceWarp second;
  second.warp = 2;
  second.multiprocessor = 3;
  second.start = 200;
  second.cycles = 900;
  second.spans = {{5, 0, 300}};
  TraceWarp other = first;
  other.program = 7;
  other.start = 5000;
  trace.warps = {first, second, other};
  return trace;
}

static TracePicture wholePicture(const TraceData &trace) {
  return TracePicture(trace, 0, {1100, 20}, TracePicture::wholeOf(trace, 0));
}

TEST_CASE("a warp has a row, and what is under way as many as it needs", "[profiler]") {
  const TraceData trace = sampleTrace();
  const TracePicture picture = wholePicture(trace);
  // The second copy begins when the first is over, and shares its row.
  REQUIRE(picture.rows().size() == 4);
  CHECK(picture.rows()[0].name == "warp 0");
  CHECK(picture.rows()[1].name == "warp 0, under way");
  CHECK(picture.rows()[1].spans == std::vector<TraceSpan>{{1, 50, 400}});
  CHECK(picture.rows()[2].spans == std::vector<TraceSpan>{{3, 60, 300}, {3, 320, 500}});
  CHECK(picture.rows()[3].name == "warp 2");
  CHECK(picture.height() == 80);
}

TEST_CASE("bars lie where their time is", "[profiler]") {
  const TraceData trace = sampleTrace();
  CHECK(TracePicture::wholeOf(trace, 0) == TraceWindow{0, 1100});
  const TracePicture picture = wholePicture(trace);
  REQUIRE(picture.bars().size() == 7);
  // A pixel for each cycle.
  CHECK(picture.bars()[1].x == Approx(100));
  CHECK(picture.bars()[1].width == Approx(300));
  CHECK(picture.bars()[1].scope->kind == TraceKind::Wait);
  CHECK(picture.bars()[6].row == 3);
  CHECK(picture.bars()[6].x == Approx(200));
  CHECK(picture.xOf(550) == Approx(550));
  CHECK(picture.cycleAt(550) == 550);
  // Every 0.1 µs.
  REQUIRE(picture.ticks().size() == 11);
  CHECK(picture.ticks()[1].text == "0.1 µs");
  CHECK(picture.ticks()[1].x == Approx(100));
}

TEST_CASE("a part of the time has only the bars that are in it", "[profiler]") {
  const TraceData trace = sampleTrace();
  const TracePicture picture(trace, 0, {1000, 20}, {350, 450});
  REQUIRE(picture.bars().size() == 4);
  // Cut off at both ends of what is in sight.
  CHECK(picture.bars()[0].span == TraceSpan{2, 100, 400});
  CHECK(picture.bars()[0].x == 0);
  CHECK(picture.bars()[0].width == Approx(500));
  CHECK(picture.bars()[3].width == Approx(1000));
  CHECK(picture.rows().size() == 4);
}

TEST_CASE("bars are met by the pointer, and near it where they are narrow", "[profiler]") {
  const TraceData trace = sampleTrace();
  const TracePicture picture = wholePicture(trace);
  CHECK(picture.barAt(20, 5) == 0);
  CHECK(picture.barAt(51, 5) == 0);
  CHECK(picture.barAt(75, 5) == -1);
  CHECK(picture.barAt(250, 25) == 3);
  CHECK(picture.barAt(250, 65) == 6);
  CHECK(picture.barAt(250, 81) == -1);
  CHECK(picture.barAt(250, -1) == -1);
}

TEST_CASE("keys go along a row, and to the nearest bar of the next", "[profiler]") {
  const TraceData trace = sampleTrace();
  const TracePicture picture = wholePicture(trace);
  CHECK(picture.beside(0, 1) == 1);
  CHECK(picture.beside(0, -1) == 0);
  CHECK(picture.beside(2, 1) == 2);
  CHECK(picture.acrossRows(1, 1) == 3);
  CHECK(picture.acrossRows(3, 1) == 4);
  CHECK(picture.acrossRows(5, 1) == 6);
  CHECK(picture.acrossRows(6, 1) == 6);
  CHECK(picture.acrossRows(6, -1) == 5);
}

TEST_CASE("zooming keeps the place that it is about", "[profiler]") {
  const TraceWindow whole{0, 10000};
  const TraceWindow closer = zoomed(whole, whole, 4, 8000);
  CHECK(closer == TraceWindow{6000, 8500});
  CHECK(zoomed(closer, whole, 0.25, 8000) == whole);
  CHECK(zoomed(closer, whole, 1e-6, 8000) == whole);
  // Never less than can be told apart.
  CHECK(zoomed(whole, whole, 1e9, 5000).length() == 32);
  CHECK(panned(closer, whole, 0.2) == TraceWindow{6500, 9000});
  CHECK(panned(closer, whole, 3) == TraceWindow{7500, 10000});
  CHECK(panned(closer, whole, -9) == TraceWindow{0, 2500});
}

TEST_CASE("sentences say what bars and programs are", "[profiler]") {
  const TraceData trace = sampleTrace();
  const TracePicture picture = wholePicture(trace);
  CHECK(tracedPrograms(trace) == std::vector<int64_t>{0, 7});
  CHECK(traceProgramText(trace, 0) ==
        "Program 0 on multiprocessor 3: 2 warps, 1100 cycles (1.10 µs)");
  CHECK(traceBarText(trace, picture, 1) ==
        "tt.load in line 7: wait, 300 cycles (0.30 µs), 100 cycles (0.10 µs) after the start of "
        "warp 0.");
  CHECK(traceBarText(trace, picture, 3) ==
        "tt.load in line 7: under way for 350 cycles (0.35 µs), from 50 cycles (0.05 µs) after the "
        "start of warp 0 until it was waited for.");
}

TEST_CASE("nothing of a program is a picture without rows", "[profiler]") {
  const TraceData trace = sampleTrace();
  const TracePicture picture(trace, 99, {100, 20}, TracePicture::wholeOf(trace, 99));
  CHECK(picture.rows().empty());
  CHECK(picture.bars().empty());
  CHECK(picture.barAt(5, 5) == -1);
  CHECK(picture.acrossRows(0, 1) == 0);
}
