// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/ProfileFigures.h"

#include "profiler/analysis/ProfilePictures.h"
#include "profiler/analysis/TimePicture.h"

#include <catch2/catch.hpp>

using namespace tilescope::profiler;

/// Values by our ids, for a chip that has them all.
static CounterData counters(const std::map<std::string, double> &byId) {
  CounterData data;
  data.chip = "GH100";
  for (const Metric *metric : metricsOf("GH100", true))
    if (const auto found = byId.find(std::string(metric->id)); found != byId.end())
      data.values.emplace(metric->name, found->second);
  REQUIRE(data.values.size() == byId.size());
  return data;
}

TEST_CASE("the flow through the memories follows from counters", "[profiler]") {
  const MemoryFlow flow = memoryFlow(counters({{"global_load_sectors", 4000},
                                               {"global_load_requests", 1000},
                                               {"global_load_hits", 1000},
                                               {"l2_sectors_sm", 3000},
                                               {"l2_hits_sm", 600},
                                               {"shared_load_conflicts", 7},
                                               {"dram_read", 76800}}));
  CHECK(flow.globalLoadBytes == 128000);
  CHECK(flow.sectorsPerLoad == 4);
  CHECK(flow.l1HitRate == 0.25);
  CHECK(flow.l2HitRate == 0.2);
  CHECK(flow.sharedConflicts == 7);
  CHECK(flow.dramReadBytes == 76800);
  // What was not measured is not there.
  CHECK_FALSE(flow.dramWriteBytes);
  CHECK_FALSE(flow.sectorsPerStore);
  CHECK_FALSE(flow.localBytes);
  CHECK_FALSE(flow.isEmpty());
  CHECK(memoryFlow(CounterData()).isEmpty());
}

TEST_CASE("a rate of nothing is no rate", "[profiler]") {
  const MemoryFlow flow =
      memoryFlow(counters({{"global_load_sectors", 0}, {"global_load_hits", 0}}));
  CHECK_FALSE(flow.l1HitRate);
  CHECK(flow.globalLoadBytes == 0);
}

TEST_CASE("the longest wait comes first, with its share of all", "[profiler]") {
  const auto states = warpStates(counters(
      {{"stall_wait", 2}, {"stall_long_scoreboard", 7}, {"stall_selected", 1}, {"duration", 5}}));
  REQUIRE(states.size() == 3);
  CHECK(states[0].metric->id == "stall_long_scoreboard");
  CHECK(states[0].share == Approx(0.7));
  CHECK(states[2].metric->id == "stall_selected");
  CHECK(warpStates(CounterData()).empty());
}

TEST_CASE("the roofline has the rates of a launch beside the peaks", "[profiler]") {
  // 1 µs at 1 GHz: 1000 cycles.
  const CounterData data = counters({{"duration", 1000},
                                     {"sm_clock", 1e9},
                                     {"fp32_add", 100},
                                     {"fp32_mul", 50},
                                     {"fp32_fma", 425},
                                     {"fp32_peak", 2},
                                     {"tensor_fp16", 500},
                                     {"tensor_fp16_peak", 4},
                                     {"tensor_bf16", 0},
                                     {"tensor_bf16_peak", 4},
                                     {"dram_read", 600},
                                     {"dram_write", 300},
                                     {"dram_peak", 1},
                                     {"dram_clock", 1e9}});
  const auto roofline = measuredRoofline(data);
  REQUIRE(roofline);
  REQUIRE(roofline->roofs.size() == 1);
  CHECK(roofline->roofs[0].bytes == 900);
  CHECK(roofline->roofs[0].bytesPerS == Approx(9e8));
  CHECK(roofline->roofs[0].peakBytesPerS == Approx(1e9));
  REQUIRE(roofline->units.size() == 2);
  CHECK(roofline->units[0].name == "fp32");
  CHECK(roofline->units[0].operations == 1000);
  CHECK(roofline->units[0].peakPerS == Approx(4e9));
  CHECK(roofline->units[1].name == "fp16 tensor");
  // Of dense factors.
  CHECK(roofline->units[1].peakPerS == Approx(2e9));
  CHECK(roofline->operations() == 1500);
  CHECK(roofline->bound == "DRAM");
  CHECK(roofline->boundShare == Approx(0.9));
  CHECK_FALSE(measuredRoofline(counters({{"sm_clock", 1e9}})));
  CHECK_FALSE(measuredRoofline(counters({{"duration", 0}, {"sm_clock", 1e9}})));
}

TEST_CASE("numbers that no device has draw no roofline", "[profiler]") {
  const std::map<std::string, double> sound = {
      {"duration", 1000}, {"sm_clock", 1e9}, {"fp32_add", 100},  {"fp32_peak", 2},
      {"dram_read", 600}, {"dram_peak", 1},  {"dram_clock", 1e9}};
  REQUIRE(rooflinePicture(counters(sound)));
  for (const auto &[id, value] : {std::pair("dram_peak", 0.0),
                                  {"dram_clock", -1.0},
                                  {"fp32_peak", 0.0},
                                  {"fp32_add", -5.0},
                                  {"duration", 1e-300},
                                  {"dram_read", 1e300},
                                  {"fp32_add", 0.0},
                                  {"sm_clock", 1e308}}) {
    INFO(id << " " << value);
    std::map<std::string, double> odd = sound;
    odd[id] = value;
    CHECK_FALSE(rooflinePicture(counters(odd)));
  }
  CHECK(memoryPicture(counters({{"dram_read", -1}, {"dram_write", 5}}))->arrows.size() == 1);
}

TEST_CASE("the pictures have their parts inside", "[profiler]") {
  const auto roofline = rooflinePicture(counters({{"duration", 1000},
                                                  {"sm_clock", 1e9},
                                                  {"fp32_add", 100},
                                                  {"fp32_peak", 2},
                                                  {"dram_read", 600},
                                                  {"dram_peak", 1},
                                                  {"dram_clock", 1e9}}));
  REQUIRE(roofline);
  REQUIRE(roofline->points.size() == 1);
  REQUIRE(roofline->lines.size() == 2);
  const RooflinePicture::Line &roof = roofline->lines[0], &peak = roofline->lines[1];
  CHECK(roof.isRoof);
  CHECK(roof.y2 == Approx(peak.y1));
  CHECK(roof.x2 == Approx(peak.x1));
  for (const auto &[x, y] : {std::pair(roof.x1, roof.y1),
                             {roof.x2, roof.y2},
                             {peak.x2, peak.y2},
                             {roofline->points[0].x, roofline->points[0].y}}) {
    CHECK(x >= roofline->left - 0.01);
    CHECK(x <= roofline->right + 0.01);
    CHECK(y >= roofline->top - 0.01);
    CHECK(y <= roofline->bottom + 0.01);
  }
  // Below the roof, at a hundred operations for six hundred bytes.
  CHECK(roofline->points[0].description == "0.167 operations per byte of DRAM");
  const auto memory = memoryPicture(counters({{"dram_read", 400}, {"dram_write", 100}}));
  REQUIRE(memory);
  REQUIRE(memory->arrows.size() == 2);
  CHECK(memory->arrows[0].thickness == Approx(12));
  CHECK(memory->arrows[1].thickness == Approx(6));
  CHECK(memory->arrows[0].beginX > memory->arrows[0].endX);
  for (const MemoryPicture::Box &box : memory->boxes)
    CHECK(
        (box.x >= 0 && box.x + box.width <= memory->width && box.y + box.height <= memory->height));
}

TEST_CASE("names of points that are near each other do not meet", "[profiler]") {
  std::map<std::string, double> values = {
      {"duration", 1000}, {"sm_clock", 1e9}, {"fp32_add", 100},   {"fp32_peak", 2},
      {"dram_read", 600}, {"dram_peak", 1},  {"dram_clock", 1e9}, {"l2_to_l1", 610},
      {"l1_to_l2", 0},    {"l2_peak", 4},    {"l2_clock", 1e9},   {"l1_wavefronts", 5},
      {"l1_peak", 0.5},   {"l1_clock", 1e9}};
  const auto near = rooflinePicture(counters(values));
  REQUIRE(near);
  REQUIRE(near->points.size() == 3);
  CHECK(near->points[0].nameY > near->points[0].y);
  CHECK(near->points[1].nameY < near->points[1].y);
  CHECK(near->points[2].nameY > near->points[0].nameY + 10);
  // What hardly flowed has no point, but its roof.
  values["l1_wavefronts"] = 0.001;
  const auto unused = rooflinePicture(counters(values));
  REQUIRE(unused);
  CHECK(unused->points.size() == 2);
  CHECK(unused->lines.size() == 4);
}

static SampleData samples() {
  SampleData data;
  data.reasons = {"long_scoreboard", "wait"};
  data.stalls = {{0, 1, 10, 0}, {16, 0, 60, 50}, {16, 1, 20, 5}, {32, 1, 10, 1}};
  data.lines = {{3, 90, 55, {{"long_scoreboard", 60}, {"wait", 30}}}, {8, 10, 1, {{"wait", 10}}}};
  return data;
}

TEST_CASE("places with samples are sorted by heat", "[profiler]") {
  const auto lines = hottestLines(samples());
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].place == 3);
  CHECK(lines[0].share == Approx(0.9));
  CHECK(lines[0].reasons[0].first == "long_scoreboard");
  const auto offsets = hottestOffsets(samples());
  REQUIRE(offsets.size() == 3);
  CHECK(offsets[0].place == 16);
  CHECK(offsets[0].samples == 80);
  CHECK(offsets[0].notIssued == 55);
  // Of equally hot ones the first.
  CHECK(offsets[1].place == 0);
  CHECK(hottestLines(SampleData()).empty());
}

TEST_CASE("stall reasons have words", "[profiler]") {
  CHECK(stallLabel("long_scoreboard") == "Waits for global memory");
  CHECK(stallLabel("no_instructions") == "Waits for code");
  CHECK(stallLabel("warpgroup_arrive") == "Waits for a warp-group product");
  CHECK(stallLabel("something_new") == "something_new");
}

TEST_CASE("the ladder says what was used and why not more", "[profiler]") {
  Measurement measurement;
  CHECK(profileLadder(measurement).used == "times");
  measurement.samples = samples();
  CHECK(profileLadder(measurement).used == "samples");
  measurement.counters = CounterData{"GH100", true, 24, true, {}};
  CHECK(profileLadder(measurement).used ==
        "hardware counters (full set, 24 passes, GH100) and samples");
  measurement.counters->passes = 1;
  CHECK(profileLadder(measurement).used.find("1 pass,") != std::string::npos);
  measurement.refusals = {{ProfileRung::Samples, RefusalKind::Busy, "why", "do this"},
                          {ProfileRung::Counters, RefusalKind::Other, "that", ""}};
  CHECK(profileLadder(measurement).refused ==
        std::vector<std::string>{"no samples: why; cure: do this", "no hardware counters: that"});
}

TEST_CASE("times are drawn with their median and its interval", "[profiler]") {
  TimeStats time{15, 10, 40, 12, 0.1, {10, 11, 12, 13, 14, 15, 15, 16, 17, 18, 19, 40}};
  const auto picture = timePicture(time);
  REQUIRE(picture);
  int counted = 0;
  for (const TimePicture::Bin &bin : picture->bins)
    counted += bin.count;
  CHECK(counted == 12);
  CHECK(picture->lowUs == 10);
  // The late one counts in the last bin, and does not squeeze the others.
  CHECK(picture->highUs == 19);
  CHECK(picture->endText() == "19.00 µs and more");
  CHECK(picture->bins.back().count == 2);
  CHECK(picture->bins.back().description == "2 of 12 runs took 18.77 µs or more");
  CHECK(picture->medianX == Approx(picture->width * 5 / 9));
  CHECK(picture->intervalBeginX == Approx(picture->width * 3.5 / 9));
  CHECK(picture->intervalEndX == Approx(picture->width * 6.5 / 9));
  time.samples.resize(9);
  CHECK_FALSE(timePicture(time));
}

TEST_CASE("achieved occupancy is drawn beside the theoretical one", "[profiler]") {
  Measurement measurement;
  CHECK(occupancyBars(measurement).rows.empty());
  measurement.occupancy = Occupancy{2, 16, 64, 0.25, "registers", {}};
  BarPicture bars = occupancyBars(measurement);
  REQUIRE(bars.rows.size() == 1);
  CHECK(bars.rows[0].length == 0.25);
  CHECK(bars.rows[0].description == "16 of 64 warps fit on a multiprocessor.");
  measurement.counters.emplace();
  measurement.counters->chip = "GH100";
  measurement.counters->values = {{"sm__warps_active.avg.pct_of_peak_sustained_active", 20.0}};
  bars = occupancyBars(measurement);
  REQUIRE(bars.rows.size() == 2);
  CHECK(bars.rows[1].name == "Achieved occupancy");
  CHECK(bars.rows[1].length == Approx(0.2));
}

TEST_CASE("each rung of the ladder is measured, refused or not asked for", "[profiler]") {
  using State = LadderRung::State;
  Measurement measurement;
  measurement.timeUs = TimeStats{1, 1, 1, 30, 0, {}};
  measurement.refusals = {
      {ProfileRung::Counters, RefusalKind::Busy, "DCGM holds them", "`dcgmi profile --pause`"}};
  const std::vector<LadderRung> rungs = ladderRungs(measurement);
  REQUIRE(rungs.size() == 7);
  CHECK(rungs[0].state == State::Refused);
  CHECK(rungs[0].words == "DCGM holds them");
  CHECK(rungs[0].cure == "`dcgmi profile --pause`");
  CHECK(rungs[1].state == State::NotAsked);
  CHECK(rungs[2].name == "Executions");
  CHECK(rungs[2].state == State::NotAsked);
  CHECK(rungs[3].name == "Whole device");
  CHECK(rungs[3].state == State::NotAsked);
  CHECK(rungs[3].words == "looked at where counters are refused");
  CHECK(rungs[4].name == "Trace");
  CHECK(rungs[4].state == State::NotAsked);
  CHECK(rungs[5].state == State::Used);
  CHECK(rungs[5].words == "30 runs");
  CHECK(rungs[6].state == State::NotAsked);
  measurement.executions.emplace().instructions.resize(56);
  CHECK(ladderRungs(measurement)[2].words == "56 instructions");
  CHECK(profileLadder(measurement).used == "counts by instruction");
  measurement.executions.reset();
  measurement.deviceWide = DeviceWideData{1.004, 8000, {{"dram_active", 0.871}, {"unknown", 1}}};
  CHECK(ladderRungs(measurement)[3].state == State::Used);
  CHECK(profileLadder(measurement).used == "counters of the whole device");
  const auto rows = deviceWideRows(*measurement.deviceWide);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].name == "DRAM bandwidth");
  CHECK(rows[0].value == "87.1 %");
  CHECK(deviceWideScope(*measurement.deviceWide) ==
        "the whole device over 1.00 s, in which the kernel was launched 8000 times in a row, with "
        "a warm cache; other programs count, too");
  measurement.deviceWide.reset();
  measurement.refusals.push_back({ProfileRung::DeviceWide, RefusalKind::DeviceUnsupported,
                                  "this device does not count its own activity", "an H100"});
  CHECK(ladderRungs(measurement)[3].state == State::Refused);
  CHECK(ladderRungs(measurement)[3].cure == "an H100");
  CHECK(profileLadder(measurement).refused.back() ==
        "no counters of the whole device: this device does not count its own activity; cure: an "
        "H100");
  measurement.trace.emplace().warps.resize(8);
  CHECK(ladderRungs(measurement)[4].words == "8 warps");
  CHECK(profileLadder(measurement).used == "a trace");
}
