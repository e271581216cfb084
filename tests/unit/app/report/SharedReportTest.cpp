// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Shared memory in a report: the table, the map, and the access that conflicts most.
#include "app/report/SharedReport.h"

#include "tests/support/SharedSample.h"
#include "tests/unit/app/report/ReportTexts.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::app::test;

static ReportInputs inputsWithShared() {
  ReportInputs inputs = sampleInputs();
  inputs.shared = tests::sampleSharedFacts();
  return inputs;
}

TEST_CASE("a report has the map of shared memory and what conflicts most in it", "[app]") {
  const profiler::ReportData data = reportOf(inputsWithShared());
  const profiler::ReportKernel &kernel = data.kernels.at(0);
  REQUIRE(kernel.sharedBuffers.size() == 2);
  CHECK(kernel.sharedBuffers[0].title == "x<1>: 2 slots of fp32[32, 32]");
  CHECK(kernel.sharedBuffers[0].life == "lines 9–10");
  CHECK(kernel.sharedBuffers[1].line == 12);
  CHECK(kernel.sharedOf == "8 KiB of 64 KiB (13 %): 1 buffer, scratch of 1 operation");
  REQUIRE(kernel.sharedMap);
  // Two boxes, and a line between the slots.
  CHECK(count(kernel.sharedMap->svg, "<title>") == 2);
  CHECK(count(kernel.sharedMap->svg, "stroke-dasharray=\"3 3\"") == 1);
  CHECK(kernel.sharedMap->svg.find("x&lt;1&gt;") != std::string::npos);
  CHECK(kernel.sharedMap->svg.find("x<1>") == std::string::npos);
  CHECK(kernel.sharedMap->svg.find("12  tl.store(") != std::string::npos);
  REQUIRE(kernel.sharedDiagram);
  CHECK(kernel.sharedDiagram->title == "shared load by ttg.local_load: 32 wavefronts, at least 1");
}

TEST_CASE("every form of a report has shared memory", "[app]") {
  const profiler::ReportData data = reportOf(inputsWithShared());
  const std::string page = profiler::htmlReport(data);
  CHECK(page.find("<h3>Shared memory</h3>") != std::string::npos);
  CHECK(page.find("At other times its bytes are those of scratch") != std::string::npos);
  const auto shared =
      nlohmann::json::parse(profiler::jsonReport(data)).at("kernels").at(0).at("shared_memory");
  CHECK(shared.at(0).at("bytes") == 8192);
  CHECK(shared.at(1).at("offset") == 0);
  CHECK(profiler::markdownReport(data).find("### Shared memory") != std::string::npos);
  // A kernel without any has no such section.
  ReportInputs none = sampleInputs();
  none.shared.emplace();
  CHECK(profiler::htmlReport(reportOf(none)).find("<h3>Shared memory") == std::string::npos);
}
