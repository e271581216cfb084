// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Prediction.h"

#include "profiler/data/Measurement.h"

#include <catch2/catch.hpp>

using namespace tilescope::profiler;

static Measurement predicted() {
  Measurement measurement;
  measurement.timeUs.emplace().median = 120;
  measurement.prediction = Prediction{"H200", 100, "DRAM", false, {{3, 0.6}, {5, 0.3}, {9, 0.1}}};
  return measurement;
}

static SampleData sampled() {
  SampleData samples;
  samples.reasons = {"wait"};
  samples.stalls = {{0, 0, 100, 0}};
  samples.lines = {{3, 30, 0, {}}, {7, 50, 0, {}}};
  return samples;
}

/// Two warps of 1000 cycles; what is in no scope has no line.
static TraceData traced() {
  TraceData trace;
  trace.table.scopes.resize(2);
  trace.table.scopes[0].id = 1;
  trace.table.scopes[0].line = 3;
  trace.table.scopes[1].id = 2;
  trace.table.scopes[1].line = 5;
  TraceWarp warp;
  warp.cycles = 1000;
  warp.spans = {{1, 0, 500}, {2, 500, 600}};
  trace.warps = {warp, warp};
  // Its end was not recorded.
  warp.cycles = 0;
  trace.warps.push_back(warp);
  return trace;
}

TEST_CASE("lines stand beside the samples that were found there", "[profiler]") {
  Measurement measurement = predicted();
  measurement.samples = sampled();
  measurement.trace = traced();
  const auto beside = besidePrediction(measurement);
  REQUIRE(beside);
  CHECK(*beside->ratio == Approx(1.2));
  CHECK(beside->source == ShareSource::Samples);
  REQUIRE(beside->lines.size() == 4);
  // The largest share of either first; a line without samples took no time that they can tell, one
  // that was not predicted was predicted to take none.
  CHECK(beside->lines[0] == LineShares{3, 0.6, 0.3});
  CHECK(*beside->lines[0].gap() == Approx(-0.3));
  CHECK(beside->lines[1] == LineShares{7, 0.0, 0.5});
  CHECK(beside->lines[2] == LineShares{5, 0.3, 0.0});
  CHECK(beside->lines[3] == LineShares{9, 0.1, 0.0});
}

TEST_CASE("without samples of lines, they stand beside the trace", "[profiler]") {
  Measurement measurement = predicted();
  measurement.trace = traced();
  measurement.samples = sampled();
  measurement.samples->lines.clear();
  const auto beside = besidePrediction(measurement);
  REQUIRE(beside);
  CHECK(beside->source == ShareSource::Trace);
  REQUIRE(beside->lines.size() == 3);
  CHECK(beside->lines[0] == LineShares{3, 0.6, 0.5});
  CHECK(beside->lines[1] == LineShares{5, 0.3, 0.1});
  // What is not traced has no measured share, which is not zero.
  CHECK(beside->lines[2] == LineShares{9, 0.1, std::nullopt});
  CHECK_FALSE(beside->lines[2].gap());
}

TEST_CASE("with times alone there are predicted shares, and nothing beside nothing", "[profiler]") {
  Measurement measurement = predicted();
  auto beside = besidePrediction(measurement);
  REQUIRE(beside);
  CHECK(beside->source == ShareSource::None);
  CHECK(beside->lines[0] == LineShares{3, 0.6, std::nullopt});
  measurement.timeUs.reset();
  beside = besidePrediction(measurement);
  REQUIRE(beside);
  CHECK_FALSE(beside->ratio);
  measurement.prediction.reset();
  CHECK_FALSE(besidePrediction(measurement));
}
