// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/PredictionWords.h"

#include <catch2/catch.hpp>

using namespace tilescope::profiler;

TEST_CASE("a prediction is told with what was measured, where it was", "[profiler]") {
  Measurement measurement;
  CHECK(predictionHeadline(measurement).empty());
  measurement.prediction = Prediction{"H200", 100, "DRAM", false, {}};
  CHECK(predictionHeadline(measurement) == "100.00 µs on the H200, limited by DRAM");
  measurement.timeUs.emplace().median = 180;
  measurement.prediction->isFromPtx = true;
  CHECK(predictionHeadline(measurement) ==
        "100.00 µs on the H200, limited by DRAM (from PTX, so less certain); measured 180.00 µs, "
        "1.80 times that");
}

TEST_CASE("only a line that is far from its prediction is worth a word", "[profiler]") {
  PredictionBeside beside;
  beside.source = ShareSource::Samples;
  beside.lines = {{11, 0.4, 0.55}, {12, 0.3, 0.12}};
  CHECK(lineGapText(beside).empty());
  beside.lines[0].measured = 0.65;
  CHECK(lineGapText(beside).starts_with(
      "line 12 has 65.0 % of the samples, and 40.0 % was predicted: warps wait there longer"));
  beside.lines[1].predicted = 0.7;
  CHECK(lineGapText(beside).starts_with(
      "line 13 has 12.0 % of the samples, and 70.0 % was predicted: other lines take longer"));
  beside.lines = {{11, 0.9, std::nullopt}};
  CHECK(lineGapText(beside).empty());
  CHECK(shareOrDash(std::nullopt) == "–");
}

TEST_CASE("counts of instructions name what is more than it would have to be", "[profiler]") {
  CHECK(executionsText({1, 32, 32, {}, {}, {}, {}}) == "1 execution by a warp");
  CHECK(executionsText({1234567, 1000, 750, 32768, 8192, 64, 64}) ==
        "1,234,567 executions by warps, 25 % of the threads off by predicate, 32,768 sectors where "
        "8,192 would do, 64 wavefronts of shared memory");
  // No access is not an access of nothing.
  CHECK(executionsText({123, 1, 1, 0, 0, {}, {}}) == "123 executions by warps");
}

TEST_CASE("counts are found by line and by offset", "[profiler]") {
  ExecutionData data;
  data.instructions = {{0, {1, 2, 3, {}, {}, {}, {}}}, {32, {4, 5, 6, {}, {}, {}, {}}}};
  data.lines = {{7, {9, 9, 9, {}, {}, {}, {}}}};
  REQUIRE(countsOfOffset(data, 32));
  CHECK(countsOfOffset(data, 32)->executed == 4);
  CHECK_FALSE(countsOfOffset(data, 16));
  CHECK_FALSE(countsOfOffset(data, 48));
  REQUIRE(countsOfLine(data, 7));
  CHECK_FALSE(countsOfLine(data, 6));
  CHECK(data.total().executed == 5);
  CHECK_FALSE(data.total().sectors);
}
