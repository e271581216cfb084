// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/MeasurementJson.h"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>

using namespace tilescope::profiler;

static Measurement example() {
  Measurement measurement;
  measurement.device.name = "Device";
  measurement.device.computeMajor = 9;
  measurement.device.memoryBusBits = 6144;
  measurement.kernel = "scale";
  measurement.grid = {4, 2, 1};
  measurement.launches = 120;
  measurement.timeUs = TimeStats{3.5, 3.25, 4, 100, 0.01, {3.5, 3.25, 4}};
  measurement.timeSource = TimeSource::Events;
  measurement.coldL2 = false;
  measurement.bytes = 1e6;
  measurement.gbPerS = 285.7;
  measurement.registers = 18;
  measurement.occupancy = Occupancy{16, 64, 64, 1, "warps", {16, 32, 25, 32}};
  OutputResult output{"out_ptr", "fp32", {10, 2}, true, "out_ptr.npy", OutputComparison()};
  output.comparison->mismatches = 1;
  output.comparison->firstMismatch = {3, 1};
  output.comparison->maxRelError = std::numeric_limits<double>::infinity();
  measurement.outputs = {output, {"x_ptr", "i8", {}, false, "", std::nullopt}};
  measurement.execution = CpuExecution{true, true, 24100, 1, 19, "the kernel prints"};
  measurement.notes = {"a note"};
  return measurement;
}

TEST_CASE("a measurement survives JSON", "[profiler]") {
  auto read = measurementFromText(measurementToText(example()));
  REQUIRE(read);
  CHECK(*read == example());
}

TEST_CASE("the times beside that of native code are told", "[profiler]") {
  CpuExecution execution{true, true, 24100};
  CHECK(timesText(execution) == "compiled in 24.1 ms");
  execution.interpretedPrograms = 1;
  execution.interpretedUs = 19;
  CHECK(timesText(execution) ==
        "compiled in 24.1 ms; the first program took 0.019 ms in the interpreter");
  execution.interpretedPrograms = 2;
  CHECK(timesText(execution) ==
        "compiled in 24.1 ms; the first and the last program took 0.019 ms in the interpreter");
  CHECK(timesText({}).empty());
}

TEST_CASE("the JSON names the clock", "[profiler]") {
  const std::pair<TimeSource, const char *> sources[] = {{TimeSource::Cupti, "cupti"},
                                                         {TimeSource::Events, "events"},
                                                         {TimeSource::Interpreter, "interpreter"}};
  for (auto [source, name] : sources) {
    Measurement measurement = example();
    measurement.timeSource = source;
    CHECK(measurementToJson(measurement)["time_source"] == name);
    CHECK(measurementFromJson(measurementToJson(measurement)) == measurement);
  }
}

TEST_CASE("the JSON has the documented fields", "[profiler]") {
  auto json = measurementToJson(example());
  for (const char *field :
       {"device", "kernel", "grid", "launches", "time_us", "bytes", "gb_per_s", "outputs"})
    CHECK(json.contains(field));
  CHECK(json["device"] == "Device");
  CHECK(json["time_us"]["median"] == 3.5);
  CHECK(json["time_us"]["n"] == 100);
  CHECK(json["outputs"][0]["first_mismatch"] == std::vector<int>{3, 1});
  CHECK(json["outputs"][0].contains("max_abs_error"));
  CHECK(json["outputs"][0].contains("max_rel_error"));
  CHECK_FALSE(json["outputs"][1].contains("mismatches"));
}

TEST_CASE("missing values are absent, never zero", "[profiler]") {
  Measurement bare;
  bare.device.name = "Device";
  auto json = measurementToJson(bare);
  for (const char *field :
       {"time_us", "bytes", "flops", "gb_per_s", "tflop_per_s", "peak_fraction", "registers"})
    CHECK_FALSE(json.contains(field));
  CHECK_FALSE(measurementFromText("{}"));
  CHECK_FALSE(measurementFromText("nonsense"));
}
