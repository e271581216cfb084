// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Memory accesses in a report: the table, and the picture of the most wasteful one.
#include "app/report/AccessReport.h"

#include "tests/support/BulkSample.h"
#include "tests/unit/app/report/ReportTexts.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::app::test;
using compiler::AccessFacts;
using compiler::MemoryAction;

namespace {

AccessFacts facts(MemoryAction action, const std::string &argument, uint32_t line, uint64_t used,
                  uint64_t fetched) {
  AccessFacts access;
  access.range = {{line, 4}, {line, 20}, 0};
  access.operation = "tt.load";
  access.action = action;
  access.argument = argument;
  access.elementBytes = access.vectorBytes = 4;
  access.limit = compiler::WidthLimit{compiler::WidthReason::Contiguity, "", 0, 1};
  access.executions = 1;
  access.counts.instructions = access.counts.requests = 1;
  access.counts.bytesUsed = access.counts.bytesAsked = used;
  access.counts.bytesFetched = fetched;
  access.counts.sectors = fetched / 32;
  return access;
}

/// A store in one piece, and a load with 4096 bytes between the lanes.
ReportInputs inputsWithAccesses() {
  ReportInputs inputs = sampleInputs();
  compiler::MemoryFacts &memory = inputs.memory.emplace();
  memory.grid = {4, 1, 1};
  memory.programs = 4;
  memory.accesses = {facts(MemoryAction::GlobalStore, "out_ptr", 11, 128, 128),
                     facts(MemoryAction::GlobalLoad, "x_<ptr>", 9, 128, 1024)};
  memory.uncounted = {{{{8, 0}, {8, 4}, 0}, "ttng.async_tma_copy", "carried out in boxes"}};
  compiler::RecordedAccess recorded;
  recorded.lanes.lanes = {1, 2, 4, 8, 16};
  recorded.lanes.numWarps = 1;
  recorded.shape = {32};
  recorded.numExecutions = 1;
  constexpr int64_t kBase = int64_t(1) << 43;
  recorded.executions = {{0, kBase, {4}, {}, {}}};
  inputs.record.accesses = {recorded, recorded};
  inputs.record.accesses[1].executions[0].step = {4096};
  inputs.record.arguments = {{"x_<ptr>", kBase, {32, 1024}, 4}};
  return inputs;
}

} // namespace

TEST_CASE("a report lists accesses, the worst first, and draws it", "[app]") {
  const profiler::ReportData data = reportOf(inputsWithAccesses());
  const profiler::ReportKernel &kernel = data.kernels.at(0);
  REQUIRE(kernel.accesses.size() == 3);
  CHECK(kernel.accessesOf == "all 4 programs");
  CHECK(kernel.accesses[0].title == "global load of x_<ptr>");
  CHECK(kernel.accesses[0].line == 10);
  CHECK(kernel.accesses[0].efficiency == 0.125);
  CHECK_FALSE(kernel.accesses[2].isCounted);
  REQUIRE(kernel.accessDiagram);
  CHECK(kernel.accessDiagram->title == "global load of x_<ptr>, line 10");
  CHECK(kernel.accessDiagram->caption.find("32 sectors in 32 lines, 4 would do") !=
        std::string::npos);
  // 32 rows with four sectors each; of each row 28 bytes are fetched and not used.
  const std::string &svg = kernel.accessDiagram->svg;
  size_t numUnused = 0;
  for (size_t at = svg.find("url(#unused)"); at != std::string::npos;
       at = svg.find("url(#unused)", at + 1))
    ++numUnused;
  CHECK(numUnused == 32);
  CHECK(svg.find("x_&lt;ptr&gt;[31, 0]") != std::string::npos);
  CHECK(svg.find("<ptr>") == std::string::npos);
}

TEST_CASE("every form of a report has the accesses", "[app]") {
  const profiler::ReportData data = reportOf(inputsWithAccesses());
  const std::string page = profiler::htmlReport(data);
  CHECK(page.find("<h3>Memory accesses</h3>") != std::string::npos);
  CHECK(page.find("x_&lt;ptr&gt;") != std::string::npos);
  CHECK(page.find("<td class=\"num\">13 %</td>") != std::string::npos);
  CHECK(page.find("not counted: carried out in boxes") != std::string::npos);
  const auto memory =
      nlohmann::json::parse(profiler::jsonReport(data)).at("kernels").at(0).at("memory");
  CHECK(memory.at("of") == "all 4 programs");
  CHECK(memory.at("accesses").at(0).at("bytes_fetched") == 1024);
  CHECK(memory.at("accesses").at(0).at("sectors") == 32);
  const std::string text = profiler::markdownReport(data);
  CHECK(text.find("### Memory accesses") != std::string::npos);
  CHECK(text.find("| 10 | global load of x\\_\\<ptr\\> | 4 B | 1 | 32 sectors, 1 KiB | 13 % |") !=
        std::string::npos);
  // Without a launch there is no such section.
  CHECK(profiler::htmlReport(reportOf(sampleInputs())).find("Memory accesses") ==
        std::string::npos);
}

TEST_CASE("a report draws what a bulk copy moves", "[app]") {
  ReportInputs inputs = sampleInputs();
  compiler::MemoryFacts &memory = inputs.memory.emplace();
  memory.grid = {4, 1, 1};
  memory.programs = 4;
  memory.uncounted = {{{{8, 0}, {8, 4}, 0}, "ttng.async_tma_copy", "carried out in boxes"}};
  inputs.record = tests::sampleBulkRecord();
  const profiler::ReportData data = reportOf(inputs);
  const profiler::ReportKernel &kernel = data.kernels.at(0);
  REQUIRE(kernel.accesses.size() == 1);
  CHECK(kernel.accesses[0].title == "bulk load of a_<ptr>");
  CHECK(kernel.accesses[0].reason == "not counted: carried out in boxes");
  REQUIRE(kernel.bulkDiagram);
  CHECK(kernel.bulkDiagram->title == "bulk load of a_<ptr>, line 9");
  const std::string &caption = kernel.bulkDiagram->caption;
  CHECK(caption.starts_with("Program 1, 0, 0, its first execution that moves something: 1 box of 4 "
                            "× 16 · 48 B of 128 B inside, 80 B outside become zeros · 3 sectors in "
                            "3 lines. a_<ptr> has 5 × 24 elements of 2 bytes"));
  CHECK(caption.find("Shown are") == std::string::npos);
  // Eight chunks, of which three are inside; the rows by their place in the tensor.
  const std::string &svg = kernel.bulkDiagram->svg;
  CHECK(count(svg, "<title>a_&lt;ptr&gt;[") == 8);
  CHECK(count(svg, "class=\"cell\"") == 3);
  CHECK(svg.find(">[2, 16]</text>") != std::string::npos);
  CHECK(svg.find("<ptr>") == std::string::npos);
  // One edge between sectors lies inside: in the second row.
  CHECK(count(svg, "stroke-width=\"1.5\"") == 1);
  const std::string page = profiler::htmlReport(data);
  CHECK(page.find("bulk load of a_&lt;ptr&gt;, line 9") != std::string::npos);
  CHECK(page.find("rows of the block that a bulk copy moves") != std::string::npos);
  // A high block is cut.
  inputs.record.bulkCopies[0].block = inputs.record.bulkCopies[0].box = {64, 16};
  const profiler::ReportData cut = reportOf(inputs);
  CHECK(cut.kernels.at(0).bulkDiagram->caption.ends_with("Shown are the first 32 of 64 rows."));
  // Without a record it has a row in the table alone.
  inputs.record = {};
  CHECK_FALSE(reportOf(inputs).kernels.at(0).bulkDiagram);
}
