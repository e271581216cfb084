// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/ChromeTrace.h"

#include "profiler/formats/ProtonTrace.h"
#include "profiler/formats/ReportForms.h"
#include "tests/unit/profiler/TraceScratch.h"
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

static Measurement traced() {
  Measurement measurement = recorded("vector_add");
  TraceData trace;
  trace.table = sampleTable();
  trace.clockMhz = 2000;
  TraceWarp warp;
  warp.program = 7;
  warp.warp = 2;
  warp.multiprocessor = 12;
  warp.start = 400;
  warp.cycles = 3000;
  warp.spans = {{1, 100, 200}, {2, 500, 900}};
  warp.underWay = {{1, 200, 900}};
  trace.warps = {warp};
  measurement.trace = trace;
  return measurement;
}

TEST_CASE("a trace inside a kernel has a process for each program and rows for its warps",
          "[profiler]") {
  const json trace = json::parse(chromeTrace(reportOf({traced()})));
  std::vector<json> spans;
  for (const json &event : eventsOf(trace, "X"))
    if (event.at("cat") != "kernel")
      spans.push_back(event);
  REQUIRE(spans.size() == 3);
  CHECK(spans[0].at("name") == "tt.load, line 7");
  CHECK(spans[0].at("cat") == "load");
  CHECK(spans[0].at("ts") == 0.25);
  CHECK(spans[0].at("dur") == 0.05);
  CHECK(spans[0].at("args").at("cycles") == 100);
  CHECK(spans[2].at("tid") != spans[0].at("tid"));
  CHECK(spans[2].at("pid") == spans[0].at("pid"));
  const std::vector<json> names = eventsOf(trace, "M");
  REQUIRE(names.size() == 5);
  CHECK(names[2].at("args").at("name") == traced().kernel + ", program 7 on multiprocessor 12");
  CHECK(names[2].at("pid") != names[0].at("pid"));
  CHECK(names[3].at("args").at("name") == "warp 2");
  CHECK(names[4].at("args").at("name") == "warp 2, loads under way");
}

TEST_CASE("Proton's form names processes and rows", "[profiler]") {
  const json trace = json::parse(protonTrace(reportOf({traced(), recorded("matmul")})));
  CHECK(trace.at("displayTimeUnit") == "ns");
  const json &events = trace.at("traceEvents");
  REQUIRE(events.size() == 3);
  CHECK(events[1].at("name") == "tt.load, line 7");
  CHECK(events[1].at("ph") == "X");
  CHECK(events[1].at("pid") == traced().kernel + " Core12 CTA7");
  CHECK(events[1].at("tid") == "warp 2 (line 0)");
  CHECK(events[2].at("tid") == "warp 2 (line 1)");
  CHECK(events[1].at("ts") == 0.45);
  CHECK(events[1].at("dur") == 0.2);
  CHECK(events[1].at("args").at("Init Time (ns)") == 200);
  CHECK(events[1].at("args").at("Post Final Time (ns)") == 1700);
}

TEST_CASE("a trace in Proton's form needs one", "[profiler]") {
  const ReportForm *form = reportForm("k.chrome_trace");
  REQUIRE(form);
  CHECK(renderReport(reportOf({traced()}), *form));
  const auto refused = renderReport(reportOf({recorded("matmul")}), *form);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message ==
        "`*.chrome_trace` holds nothing else than a trace inside a kernel, and there is none");
}
