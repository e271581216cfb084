// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/BuildReport.h"
#include "profiler/report/ProfileCharts.h"
#include "profiler/report/ReadReport.h"
#include "tests/unit/app/report/ReportTexts.h"
#include "tests/unit/profiler/TraceScratch.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using Catch::Matchers::Contains;
using profiler::CounterData;
using profiler::Measurement;

static profiler::ReportData reportOf(const Measurement &measurement) {
  ReportInputs inputs = test::sampleInputs();
  inputs.measurement = measurement;
  return test::reportOf(inputs);
}

TEST_CASE("the page shows the parts of a profile", "[report]") {
  const std::string html = profiler::htmlReport(reportOf(test::sampleMeasurement()));
  CHECK_THAT(html, Contains("<h3>Profile</h3>"));
  CHECK_THAT(html, Contains("hardware counters (full set, 24 passes, GH100) and samples"));
  CHECK_THAT(html, Contains("Memory chart: one launch"));
  CHECK_THAT(html, Contains("Waits for global memory"));
  CHECK_THAT(html,
             Contains("no samples: another tool holds sampling; cure: end the other profiler"));
  CHECK_THAT(html, Contains("99.0 % of them belong to a line"));
  CHECK_THAT(html, Contains("counts bytes and operations, DRAM is nearest"));
}

TEST_CASE("the margin of the code has the share of samples of each line", "[report]") {
  const std::string html = profiler::htmlReport(reportOf(test::sampleMeasurement()));
  CHECK_THAT(html, Contains("title=\"70.7 % of the samples\">70.7</b><code>"));
  Measurement bare = test::sampleMeasurement();
  bare.samples.reset();
  CHECK_THAT(profiler::htmlReport(reportOf(bare)), !Contains("class=\"heat\""));
}

TEST_CASE("a measurement without a profile has no such section", "[report]") {
  Measurement bare = test::sampleMeasurement();
  bare.counters.reset();
  bare.samples.reset();
  bare.refusals.clear();
  CHECK_THAT(profiler::htmlReport(reportOf(bare)), !Contains("<h3>Profile</h3>"));
  CHECK_THAT(profiler::markdownReport(reportOf(bare)), !Contains("### Profile"));
}

TEST_CASE("Markdown has the counters and the hottest lines", "[report]") {
  const std::string text = profiler::markdownReport(reportOf(test::sampleMeasurement()));
  CHECK_THAT(text, Contains("### Profile"));
  CHECK_THAT(text, Contains("| DRAM reads | 134 MB |"));
  CHECK_THAT(text, Contains("| L2 hit rate | 33.3 % |"));
  CHECK_THAT(text, Contains("| 10 | 70.7 % | Waits for global memory |"));
}

TEST_CASE("reports have the prediction beside the measurement, and counts of instructions",
          "[report]") {
  Measurement measurement = test::sampleMeasurement();
  measurement.prediction =
      profiler::Prediction{"H100 SXM", 100, "DRAM", false, {{9, 0.2}, {11, 0.4}}};
  measurement.executions.emplace();
  measurement.executions->instructions = {{16, {4096, 131072, 65536, 32768, 8192, {}, {}}}};
  measurement.executions->lines = {{9, {4096, 131072, 65536, 32768, 8192, {}, {}}}};
  const std::string html = profiler::htmlReport(reportOf(measurement));
  CHECK_THAT(html, Contains("<h4>Predicted beside measured</h4>"));
  CHECK_THAT(html, Contains("Predicted 100.00 µs on the H100 SXM, limited by DRAM; measured"));
  CHECK_THAT(html, Contains("line 10 has 70.7 % of the samples, and 20.0 % was predicted"));
  CHECK_THAT(html, Contains("<td class=\"num\">20.0 %</td><td class=\"num\">70.7 %</td>"));
  CHECK_THAT(html, Contains("<h4>Executions</h4>"));
  CHECK_THAT(html, Contains("<td class=\"num\">4096</td><td class=\"num\">50.0 %</td><td "
                            "class=\"num\">32768 / 8192</td>"));
  const std::string text = profiler::markdownReport(reportOf(measurement));
  CHECK_THAT(text, Contains("| 10 | 20.0 % | 70.7 % |"));
  CHECK_THAT(text, Contains("| 10 | 4096 | 50.0 % | 32768 / 8192 |  |"));
}

TEST_CASE("words of another machine are text in the page", "[report]") {
  Measurement measurement = test::sampleMeasurement();
  measurement.refusals[0].reason = "<script>alert(1)</script>";
  measurement.counters->chip = "<b>";
  measurement.samples->reasons[0] = "<i>";
  measurement.samples->lines[1].reasons = {{"<i>", 70000}};
  const std::string html = profiler::htmlReport(reportOf(measurement));
  CHECK_THAT(html, !Contains("<script>alert"));
  CHECK_THAT(html, !Contains("24 passes, <b>"));
  CHECK_THAT(html, !Contains("<i> 100 %"));
  CHECK_THAT(html, Contains("&lt;i&gt; 100 %"));
}

static Measurement tracedMeasurement() {
  Measurement measurement = test::sampleMeasurement();
  measurement.counters.reset();
  measurement.samples.reset();
  measurement.refusals.clear();
  measurement.launchOverhead = profiler::LaunchOverhead{2.5, 7.25, 60};
  profiler::TraceData &trace = measurement.trace.emplace();
  trace.table = profiler::test::sampleTable();
  trace.table.scopes[0].operation = "<i>tt.load";
  trace.plainUs = 10;
  trace.tracedUs = 10.5;
  trace.slowdown = 0.05;
  trace.outputsEqual = true;
  trace.clockMhz = 1000;
  profiler::TraceWarp warp;
  warp.multiprocessor = 3;
  warp.cycles = 1000;
  warp.spans = {{1, 0, 50}, {2, 100, 400}, {5, 500, 600}};
  warp.underWay = {{1, 50, 400}};
  trace.warps = {warp};
  return measurement;
}

TEST_CASE("the page has the pictures of a trace, with kinds by color and by letter", "[report]") {
  const std::string html = profiler::htmlReport(reportOf(tracedMeasurement()));
  CHECK_THAT(html, Contains("From a trace."));
  CHECK_THAT(html, Contains("5.0 % slower with clock reads (10.50 instead of 10.00 µs); outputs "
                            "are equal bit for bit."));
  CHECK_THAT(html, Contains("Program 0 on multiprocessor 3: 1 warp, 1000 cycles (1.00 µs)"));
  CHECK_THAT(html, Contains("class=\"trace-wait\" x=\"230.00\""));
  CHECK_THAT(html, Contains("class=\"trace-load under-way\""));
  CHECK_THAT(html, Contains(">W</text>"));
  CHECK_THAT(html, Contains("Waits 30.0 %"));
  CHECK_THAT(html, Contains("between them 55.0 %"));
  CHECK_THAT(html, Contains("<td class=\"num\">7</td>"));
  CHECK_THAT(html, Contains("launch, a lone one beyond the kernel"));
  CHECK_THAT(html, Contains("7.25 µs"));
  // Names of operations are text.
  CHECK_THAT(html, !Contains("<i>tt.load"));
  CHECK_THAT(html, Contains("&lt;i&gt;tt.load"));
}

TEST_CASE("Markdown and JSON have the trace, too", "[report]") {
  const profiler::ReportData data = reportOf(tracedMeasurement());
  const std::string text = profiler::markdownReport(data);
  CHECK_THAT(text, Contains("Trace inside the kernel: 5.0 % slower"));
  CHECK_THAT(text, Contains("| Waits | 30.0 % |"));
  CHECK_THAT(text, Contains("| 7 | 35.0 % | wait, load |"));
  CHECK_THAT(text, Contains("2.50 us of the call"));
  const auto read = profiler::readReport(profiler::jsonReport(data));
  REQUIRE(read);
  CHECK(read->kernels[0].measurement->trace == data.kernels[0].measurement->trace);
  CHECK(read->kernels[0].measurement->launchOverhead ==
        data.kernels[0].measurement->launchOverhead);
}

/// Counters with the values of one metric each, by id.
static CounterData counters(std::initializer_list<std::pair<const char *, double>> values) {
  CounterData data;
  for (const profiler::Metric *metric : profiler::metricsOf("GH100", true))
    for (const auto &[id, value] : values)
      if (metric->id == id)
        data.values.emplace(metric->name, value);
  return data;
}

TEST_CASE("the memory chart draws what was measured, and zero as a thin line", "[report]") {
  CHECK(profiler::memoryChart(CounterData()).empty());
  const std::string some = profiler::memoryChart(counters({{"dram_read", 1e6}, {"dram_write", 0}}));
  CHECK(test::count(some, "<g class=\"flow\">") == 1);
  CHECK(test::count(some, "<g class=\"flow none\">") == 1);
  CHECK_THAT(some, Contains("read 1.00 MB"));
  CHECK_THAT(some, Contains("write 0 B"));
  CHECK_THAT(some, Contains("hit rate —"));
  CHECK_THAT(some, !Contains("wavefronts"));
  const std::string more = profiler::memoryChart(
      counters({{"dram_read", 1e6}, {"global_load_sectors", 400}, {"global_load_requests", 100}}));
  CHECK_THAT(more, Contains("load 12.8 kB, 4.0 sectors"));
}

TEST_CASE("charts of what was not measured are not drawn", "[report]") {
  CHECK(profiler::speedOfLightChart(CounterData()).empty());
  CHECK(profiler::warpStateChart(CounterData()).empty());
  CHECK(profiler::measuredRooflineChart(CounterData()).empty());
}

TEST_CASE("a kernel without arithmetic has no place under a roof", "[report]") {
  CounterData copy = *test::sampleMeasurement().counters;
  for (const auto &[name, value] :
       counters({{"fp32_add", 1}, {"fp32_mul", 1}, {"fp32_fma", 1}}).values)
    copy.values[name] = 0;
  CHECK(profiler::measuredRooflineChart(copy).empty());
  CHECK_FALSE(profiler::measuredRooflineChart(*test::sampleMeasurement().counters).empty());
}

TEST_CASE("each chart says in words what it shows", "[report]") {
  const CounterData data = *test::sampleMeasurement().counters;
  CHECK_THAT(profiler::speedOfLightChart(data),
             Contains("aria-label=\"share of the peak: ") && Contains("DRAM 86.2 %"));
  CHECK_THAT(profiler::warpStateChart(data), Contains("Waits for global memory 42.10 (92.9 %)"));
  CHECK_THAT(profiler::memoryChart(data), Contains("aria-label=\"memory traffic of a launch, "));
  CHECK_THAT(profiler::measuredRooflineChart(data), Contains("operations per byte of DRAM"));
}
