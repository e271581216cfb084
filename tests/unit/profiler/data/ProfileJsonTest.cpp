// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/ProfileJson.h"

#include "profiler/data/MeasurementJson.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tilescope::profiler;
using nlohmann::json;

static Measurement profiled() {
  Measurement measurement;
  measurement.device.name = "Device";
  measurement.counters = CounterData{"GH100", true, 23, false, {{"dram__bytes_read.sum", 1e9}}};
  SampleData samples;
  samples.periodCycles = 4096;
  samples.launches = 20;
  samples.total = 1000;
  samples.dropped = 10;
  samples.nonUser = 5;
  samples.otherFunctions = 85;
  samples.reasons = {"long_scoreboard", "selected"};
  samples.stalls = {{16, 0, 600, 500}, {32, 1, 300, 0}};
  samples.lines = {{6, 600, 500, {{"long_scoreboard", 600}}}};
  samples.mappedShare = 0.66;
  measurement.samples = samples;
  ExecutionData executions;
  executions.instructions = {{16, {4096, 131072, 65536, 32768, 8192, std::nullopt, std::nullopt}},
                             {32, {4096, 131072, 131072, std::nullopt, std::nullopt, 8192, 4096}}};
  executions.lines = {{6, {8192, 262144, 196608, 32768, 8192, 8192, 4096}}};
  measurement.executions = executions;
  measurement.timeUs.emplace().median = 200;
  measurement.prediction = Prediction{"H100 SXM", 100, "DRAM", false, {{4, 0.25}, {6, 0.5}}};
  DeviceConditions conditions;
  conditions.readings = 3;
  conditions.smClockMhz = ValueRange{1700, 1980};
  conditions.powerLimitW = 700;
  conditions.throttleReasons = {"power cap"};
  measurement.conditions = conditions;
  measurement.refusals = {{ProfileRung::Samples, RefusalKind::Busy, "why", "cure"}};
  return measurement;
}

TEST_CASE("a profile survives JSON", "[profiler]") {
  const auto read = measurementFromText(measurementToText(profiled()));
  REQUIRE(read);
  CHECK(*read == profiled());
}

TEST_CASE("parts of a profile that are missing stay so", "[profiler]") {
  Measurement bare;
  bare.device.name = "Device";
  const json document = measurementToJson(bare);
  for (const char *part :
       {"counters", "pc_samples", "executions", "prediction", "conditions", "refusals"})
    CHECK_FALSE(document.contains(part));
  CHECK(measurementFromJson(document) == bare);
}

TEST_CASE("a document of before profiles is read", "[profiler]") {
  const auto read = measurementFromText(
      R"({"device": "Old", "kernel": "k", "grid": [1, 1, 1], "launches": 3, "notes": [], "outputs": []})");
  REQUIRE(read);
  CHECK(read->kernel == "k");
  CHECK_FALSE(read->counters);
  CHECK(read->refusals.empty());
}

TEST_CASE("the JSON of a profile names what scripts need", "[profiler]") {
  const json document = measurementToJson(profiled());
  CHECK(document["counters"]["set"] == "full");
  CHECK(document["counters"]["values"]["dram__bytes_read.sum"] == 1e9);
  CHECK(document["pc_samples"]["stalls"][0] == json({16, 0, 600, 500}));
  CHECK(document["pc_samples"]["lines"][0]["line"] == 7);
  CHECK(document["executions"]["instructions"][0] ==
        json({16, 4096, 131072, 65536, 32768, 8192, nullptr, nullptr}));
  CHECK(document["executions"]["lines"][0][0] == 7);
  // Measured stands beside predicted: 600 of the 900 samples are in line 7, and none in line 5.
  const json &prediction = document["prediction"];
  CHECK(prediction["us"] == 100);
  CHECK(prediction["measured_us"] == 200);
  CHECK(prediction["measured_over_predicted"] == 2);
  CHECK(prediction["measured_from"] == "samples");
  CHECK(prediction["confidence"] == "machine code");
  CHECK(prediction["lines"].size() == 2);
  CHECK(prediction["lines"][0]["line"] == 7);
  CHECK(prediction["lines"][0]["predicted"] == 0.5);
  CHECK(prediction["lines"][0]["measured"].get<double>() == Approx(600.0 / 900));
  CHECK(prediction["lines"][1] == json({{"line", 5}, {"predicted", 0.25}, {"measured", 0.0}}));
  CHECK(document["conditions"]["sm_clock_mhz"] == json({1700.0, 1980.0}));
  CHECK(document["refusals"][0]["kind"] == "busy");
}

TEST_CASE("a profile that none can be is refused", "[profiler]") {
  json document = measurementToJson(profiled());
  SECTION("a reason that is not in the list") { document["pc_samples"]["stalls"][0][1] = 2; }
  SECTION("an offset that no function has") {
    document["pc_samples"]["stalls"][0][0] = uint64_t(1) << 40;
  }
  SECTION("a negative count") { document["pc_samples"]["stalls"][0][2] = -1; }
  SECTION("values that are no object of numbers") { document["counters"]["values"] = {{"a", "b"}}; }
  SECTION("more metrics than there are") {
    for (int i = 0; i < 5000; ++i)
      document["counters"]["values"][std::to_string(i)] = i;
  }
  SECTION("counts of an instruction that are too few") {
    document["executions"]["instructions"][0].erase(7);
  }
  SECTION("a count that is below zero") { document["executions"]["instructions"][0][1] = -4; }
  SECTION("a predicted line that has no number") {
    document["prediction"]["lines"][0]["line"] = "seven";
  }
  SECTION("more refusals than rungs") {
    for (int i = 0; i < 100; ++i)
      document["refusals"].push_back(document["refusals"][0]);
  }
  CHECK_FALSE(measurementFromText(document.dump()));
}

TEST_CASE("what a newer runner refuses for is still a refusal", "[profiler]") {
  const auto refusals = refusalsFromJson(
      json::parse(R"([{"rung": "counters", "kind": "no_such_kind", "reason": "r", "cure": "c"}])"));
  REQUIRE(refusals.size() == 1);
  CHECK(refusals[0].kind == RefusalKind::Other);
}

TEST_CASE("clocks that move by more than 2 % are unstable", "[profiler]") {
  DeviceConditions conditions;
  CHECK_FALSE(conditions.hasUnstableClock());
  conditions.smClockMhz = ValueRange{1960, 1980};
  CHECK_FALSE(conditions.hasUnstableClock());
  conditions.smClockMhz = ValueRange{1900, 1980};
  CHECK(conditions.hasUnstableClock());
}
