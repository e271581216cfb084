// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Programs in a report: a row for each argument, what waves share, and the picture of a program.
#include "app/report/ProgramsReport.h"

#include "tests/support/TouchTraces.h"
#include "tests/unit/app/report/ReportTexts.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::app::test;

static profiler::ReportData reportOf(compiler::TouchTrace trace) {
  ReportInputs inputs = sampleInputs();
  inputs.touches = std::move(trace);
  return test::reportOf(inputs);
}

TEST_CASE("a report has a row for each argument and what all waves fetch", "[report]") {
  const profiler::ReportData data = reportOf(tests::productTrace({16, 64, 4}));
  const profiler::ReportKernel &kernel = data.kernels.front();
  REQUIRE(kernel.arrays.size() == 3);
  CHECK(kernel.arrays[0].title == "a_ptr [1024, 1024]");
  // The program in the middle: the third band of groups, the first column.
  CHECK(kernel.arrays[0].touched == "reads rows 512 to 575, columns 0 to 1023");
  CHECK(kernel.arrays[0].programs == "read by 16 programs");
  CHECK(kernel.arrays[2].programs == "written by 1 program");
  CHECK(
      kernel.programsNote.starts_with("The grid has 256 programs. With 132 of them at once, and a "
                                      "cache that keeps what they read: All 2 waves together "
                                      "fetch "));
  const std::string html = htmlReport(data);
  CHECK(html.find("<h3>Programs</h3>") != std::string::npos);
  CHECK(html.find("reads rows 512 to 575") != std::string::npos);
  const auto json = nlohmann::json::parse(jsonReport(data));
  CHECK(json["kernels"][0]["programs"]["arguments"][1]["argument"] == "b_ptr [1024, 1024]");
}

TEST_CASE("the program that a report shows touches something, and one wave is not several",
          "[report]") {
  compiler::TouchTrace trace = tests::productTrace({4, 64, 1});
  std::erase_if(trace.runs, [](const compiler::TouchRun &run) { return run.program > 2; });
  const profiler::ReportData data = reportOf(std::move(trace));
  const profiler::ReportKernel &kernel = data.kernels.front();
  CHECK(kernel.programsDiagram->title == "Program 2");
  CHECK(kernel.arrays[0].touched.starts_with("reads rows "));
  CHECK_THAT(kernel.programsNote, Catch::Contains("what they read: The only wave fetches "));
}

TEST_CASE("the picture of a program marks reads and writes, in its iteration and in others",
          "[report]") {
  const compiler::access::TouchedArrays arrays(tests::productTrace({4, 64, 1}));
  const profiler::ReportDiagram middle = programDiagram(arrays, 5, 2);
  CHECK(middle.title == "Program 5");
  CHECK(count(middle.svg, "url(#reads)") == 2);
  CHECK(count(middle.svg, "url(#writes)") == 0);
  // Two factors and the result, in any iteration.
  CHECK(count(middle.svg, "stroke-dasharray") == 3);
  CHECK(middle.caption.find("iteration 2 of 0–7;") != std::string::npos);
  const profiler::ReportDiagram last = programDiagram(arrays, 5, 7);
  CHECK(count(last.svg, "url(#writes)") == 1);
}

TEST_CASE("names of arguments are text in the picture", "[report]") {
  compiler::TouchTrace trace = tests::productTrace({4, 64, 1});
  trace.arguments[0].name = "a_<b>";
  const profiler::ReportDiagram diagram =
      programDiagram(compiler::access::TouchedArrays(std::move(trace)), 0, 0);
  CHECK(diagram.svg.find("a_&lt;b&gt;") != std::string::npos);
  CHECK(diagram.svg.find("a_<b>") == std::string::npos);
}
