// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/ChromeTrace.h"

#include "tests/unit/profiler/formats/Samples.h"

#include <nlohmann/json.hpp>

using namespace tilescope::profiler;
using namespace tilescope::profiler::test;
using nlohmann::json;

static std::vector<json> eventsOf(const json &trace, const std::string &phase) {
  std::vector<json> events;
  for (const json &event : trace.at("traceEvents"))
    if (event.at("ph") == phase)
      events.push_back(event);
  return events;
}

TEST_CASE("a trace has an event for each launch that was measured", "[profiler]") {
  Measurement add = recorded("vector_add");
  // Of the product, whose launches were not kept, the median stands for all.
  const Measurement product = recorded("matmul");
  add.timeUs->samples = {180.5, 181, 182.25};
  const json trace = json::parse(chromeTrace(reportOf({add, product})));
  const std::vector<json> launches = eventsOf(trace, "X");
  REQUIRE(launches.size() == 4);
  double begin = 0;
  for (size_t i = 0; i < add.timeUs->samples.size(); ++i) {
    CHECK(launches[i].at("name") == add.kernel);
    CHECK(launches[i].at("dur") == add.timeUs->samples[i]);
    CHECK(launches[i].at("ts").get<double>() == Approx(begin));
    CHECK(launches[i].at("args").at("launch") == i + 1);
    begin += add.timeUs->samples[i];
  }
  CHECK(launches.back().at("name") == product.kernel);
  // Rows of one device lie below each other.
  CHECK(launches.back().at("pid") == launches.front().at("pid"));
  CHECK(launches.back().at("tid") != launches.front().at("tid"));
  const std::vector<json> names = eventsOf(trace, "M");
  REQUIRE(names.size() == 3);
  CHECK(names[0].at("args").at("name") == add.device.name);
  CHECK(names[1].at("args").at("name") == add.kernel);
}

TEST_CASE("a trace without measurements is empty, and one of odd times has none of them",
          "[profiler]") {
  CHECK(json::parse(chromeTrace({})).at("traceEvents").empty());
  Measurement measurement = recorded("vector_add");
  measurement.timeUs->samples = {1, -1, std::numeric_limits<double>::infinity(), 2};
  CHECK(eventsOf(json::parse(chromeTrace(reportOf({measurement}))), "X").size() == 2);
}
