// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/TraceJson.h"

#include "profiler/data/MeasurementJson.h"
#include "tests/unit/profiler/TraceScratch.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tilescope::profiler;
using namespace tilescope::profiler::test;
using nlohmann::json;

static TraceData recorded() {
  TraceData trace;
  trace.table = sampleTable();
  trace.plainUs = 12.5;
  trace.tracedUs = 13;
  trace.slowdown = 0.04;
  trace.outputsEqual = true;
  trace.clockMhz = 1755.5;
  trace.coldL2 = false;
  trace.warps = {{0, 0, 17, 0, 5000, 4, 0, {{1, 100, 112}, {2, 530, 640}}, {{1, 112, 640}}},
                 {7, 2, 18, 400, 0, 20, 4, {}, {}}};
  return trace;
}

TEST_CASE("a trace survives JSON, and what is missing stays so", "[profiler]") {
  CHECK(traceDataFromJson(traceDataToJson(recorded())) == recorded());
  TraceData bare = recorded();
  bare.outputsEqual.reset();
  bare.clockMhz.reset();
  const json object = traceDataToJson(bare);
  CHECK_FALSE(object.contains("outputs_equal"));
  CHECK_FALSE(object.contains("clock_mhz"));
  CHECK(traceDataFromJson(object) == bare);
}

TEST_CASE("a measurement has a trace where one was recorded", "[profiler]") {
  Measurement measurement;
  measurement.device.name = "Device";
  CHECK_FALSE(measurementToJson(measurement).contains("trace"));
  CHECK_FALSE(measurementToJson(measurement).contains("launch_overhead"));
  measurement.trace = recorded();
  measurement.launchOverhead = LaunchOverhead{2.25, 7.5, 60};
  measurement.refusals = {{ProfileRung::Trace, RefusalKind::Distorted, "why", "cure"}};
  const auto read = measurementFromText(measurementToText(measurement));
  REQUIRE(read);
  CHECK(*read == measurement);
}

TEST_CASE("lines and columns count from 1 in the document", "[profiler]") {
  const json object = traceTableToJson(sampleTable());
  CHECK(object["version"] == 1);
  CHECK(object["scopes"][0]["line"] == 7);
  CHECK(object["scopes"][0]["column"] == 9);
  CHECK(object["scopes"][0]["kind"] == "load");
  CHECK_FALSE(object["scopes"][4].contains("line"));
}

static std::string refusal(const json &object) {
  try {
    (void)traceDataFromJson(object);
  } catch (const std::exception &failure) {
    return failure.what();
  }
  return "";
}

TEST_CASE("documents that are no trace are refused", "[profiler]") {
  json object = traceDataToJson(recorded());
  REQUIRE(refusal(object).empty());
  SECTION("a later version") {
    object["version"] = 2;
    CHECK(refusal(object) == "the trace has version 2, and this program reads 1");
  }
  SECTION("no version") {
    object.erase("version");
    CHECK_FALSE(refusal(object).empty());
  }
  SECTION("a kind that there is not") {
    object["scopes"][0]["kind"] = "guess";
    CHECK(refusal(object) == "a scope has no such kind or number");
  }
  SECTION("line 0") {
    object["scopes"][0]["line"] = 0;
    CHECK(refusal(object) == "`line` is 0, and counts from 1");
  }
  SECTION("records that are no power of two") {
    object["records"] = 100;
    CHECK_THAT(refusal(object), Catch::Contains("no power of two"));
  }
  SECTION("more memory than a device has") {
    object["records"] = 1 << 20;
    object["warps"] = std::vector<int>(512);
    CHECK(refusal(object) == "the trace needs too much memory");
  }
  SECTION("a span that ends before it begins") {
    object["traced"][0]["spans"][0] = {1, 10, 5};
    CHECK_THAT(refusal(object), Catch::Contains("ends before it begins"));
  }
  SECTION("a span of no scope") {
    object["traced"][0]["under_way"][0] = {77, 10, 15};
    CHECK_THAT(refusal(object), Catch::Contains("no such scope"));
  }
  SECTION("a negative program") {
    object["programs"] = {-1};
    CHECK(refusal(object) == "a program's number is negative");
  }
}

TEST_CASE("kinds have names, titles and back", "[profiler]") {
  for (size_t i = 0; i < kNumTraceKinds; ++i) {
    const auto kind = static_cast<TraceKind>(i);
    CHECK(traceKindNamed(traceKindName(kind)) == kind);
    CHECK_FALSE(traceKindTitle(kind).empty());
  }
  CHECK_FALSE(traceKindNamed("loads"));
}
