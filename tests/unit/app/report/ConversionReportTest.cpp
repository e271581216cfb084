// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Conversions between layouts in a report: the table, and the picture of the dearest one.
#include "app/report/ConversionReport.h"

#include "tests/unit/app/report/ReportTexts.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::app::test;
using compiler::ConversionFacts;
using compiler::ConversionMoves;

namespace {

/// Rows over the registers of 4 lanes, and columns; the lanes of both are in one warp.
ConversionFacts rowsToColumns(uint32_t line) {
  ConversionFacts facts;
  facts.range = {{line, 4}, {line, 20}, 0};
  facts.moves = ConversionMoves::Lanes;
  facts.shape = {4, 4};
  facts.elementType = "f32";
  facts.elementBits = 32;
  facts.bytes = 64;
  facts.shuffles = 16;
  facts.from = "#ttg.blocked<{order = [1, 0]}>";
  facts.to = "#ttg.blocked<{order = [0, 1]}>";
  facts.fromLayout = {{"register", {{0, 1}, {0, 2}}}, {"lane", {{1, 0}, {2, 0}}}, {"warp", {}}};
  facts.toLayout = {{"register", {{1, 0}, {2, 0}}}, {"lane", {{0, 1}, {0, 2}}}, {"warp", {}}};
  facts.source = {"tt.load", {{line - 1, 0}, {line - 1, 9}, 0}, 0};
  facts.destination = {"tt.store", {{line, 4}, {line, 20}, 0}, 1};
  facts.pass = "tilescope-<pass>";
  facts.executions = 4;
  return facts;
}

ReportInputs inputsWithConversions() {
  ReportInputs inputs = sampleInputs();
  compiler::MemoryFacts &memory = inputs.memory.emplace();
  memory.programs = 4;
  ConversionFacts free = rowsToColumns(20);
  free.moves = ConversionMoves::Registers;
  memory.conversions = {free, rowsToColumns(9)};
  return inputs;
}

} // namespace

TEST_CASE("a report lists conversions, the dearest first, and draws it", "[app]") {
  const profiler::ReportData data = reportOf(inputsWithConversions());
  const profiler::ReportKernel &kernel = data.kernels.at(0);
  REQUIRE(kernel.conversions.size() == 2);
  CHECK(kernel.conversions[0].line == 10);
  CHECK(kernel.conversions[0].title == "fp32[4, 4] · blocked → blocked");
  CHECK(kernel.conversions[0].moves == "25 % stay where they are, 75 % come from another lane");
  CHECK(kernel.conversions[1].cost.starts_with("no instruction"));
  REQUIRE(kernel.conversionDiagram);
  CHECK(kernel.conversionDiagram->title == "fp32[4, 4] · blocked → blocked, line 10");
  // Lane 0 keeps one element and gets three from three lanes: arrows of two kinds.
  const std::string &svg = kernel.conversionDiagram->svg;
  CHECK(count(svg, "stroke-dasharray=\"1 3\"") == 1);
  CHECK(count(svg, "stroke-dasharray=\"5 3\"") >= 1);
  CHECK(svg.find("before: blocked") != std::string::npos);
}

TEST_CASE("every form of a report has the conversions", "[app]") {
  const profiler::ReportData data = reportOf(inputsWithConversions());
  const std::string page = profiler::htmlReport(data);
  CHECK(page.find("<h3>Conversions between layouts</h3>") != std::string::npos);
  CHECK(page.find("tilescope-&lt;pass&gt;") != std::string::npos);
  CHECK(page.find("<pass>") == std::string::npos);
  const auto kernel = nlohmann::json::parse(profiler::jsonReport(data)).at("kernels").at(0);
  CHECK(kernel.at("conversions").at(0).at("executions") == 4);
  const std::string text = profiler::markdownReport(data);
  CHECK(text.find("### Conversions between layouts") != std::string::npos);
  CHECK(text.find("16 shuffles by the warps of a program") != std::string::npos);
  CHECK(profiler::htmlReport(reportOf(sampleInputs())).find("Conversions between layouts") ==
        std::string::npos);
}
