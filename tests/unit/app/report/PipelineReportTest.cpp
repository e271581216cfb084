// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loops in a report: the table, and the pictures of those that are pipelined.
#include "app/report/PipelineReport.h"

#include "tests/support/LoopSample.h"
#include "tests/unit/app/report/ReportTexts.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::app::test;

static ReportInputs inputsWithLoops() {
  ReportInputs inputs = sampleInputs();
  compiler::LoopFacts other;
  other.range = {{20, 4}, {20, 9}, 0};
  other.obstacle = compiler::PipelineObstacle::NoProduct;
  inputs.loops = {tests::sampleLoop(), other};
  return inputs;
}

TEST_CASE("a report has a picture of each pipelined loop", "[app]") {
  const profiler::ReportKernel kernel = reportOf(inputsWithLoops()).kernels.at(0);
  REQUIRE(kernel.loops.size() == 2);
  CHECK(kernel.loops[0].line == 9);
  CHECK(kernel.loops[0].title == "line 9: 2 slots, 1 copy an iteration, 1 iteration ahead");
  REQUIRE(kernel.loops[0].diagram);
  const std::string &svg = kernel.loops[0].diagram->svg;
  // Two bars in two parts each, a copy that is left out, two waits and two products.
  CHECK(count(svg, "<title>") == 9);
  CHECK(count(svg, "fill=\"none\" stroke=\"#8a93a3\" stroke-dasharray=\"2 2\"") == 1);
  // Two arrows with their heads.
  CHECK(count(svg, " C") == 2);
  CHECK(svg.find("copy of `x&lt;1&gt;` for iteration 1 into slot 1") != std::string::npos);
  CHECK(svg.find("x<1>") == std::string::npos);
  CHECK_FALSE(kernel.loops[1].isPipelined);
  CHECK_FALSE(kernel.loops[1].diagram);
  CHECK(kernel.loops[1].text.starts_with("Not pipelined: only what a product of blocks uses"));
}

TEST_CASE("every form of a report has the loops", "[app]") {
  const profiler::ReportData data = reportOf(inputsWithLoops());
  CHECK(profiler::htmlReport(data).find("<h3>Loops</h3>") != std::string::npos);
  const auto loops =
      nlohmann::json::parse(profiler::jsonReport(data)).at("kernels").at(0).at("loops");
  CHECK(loops.at(0).at("pipelined") == true);
  CHECK(loops.at(1).at("line") == 21);
  CHECK(profiler::markdownReport(data).find("### Loops") != std::string::npos);
  // A kernel without any has no such section.
  CHECK(profiler::htmlReport(reportOf(sampleInputs())).find("<h3>Loops") == std::string::npos);
}
