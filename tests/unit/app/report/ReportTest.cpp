// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/LayoutSvg.h"
#include "profiler/data/Npy.h"
#include "profiler/report/Highlight.h"
#include "tests/unit/app/report/SampleInputs.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::app::test;

static size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST_CASE("owners follow the bases", "[app]") {
  compiler::LayoutFacts facts;
  facts.shape = {8};
  facts.layout = {{"register", {{1}}}, {"lane", {{2}, {4}}}, {"warp", {}}};
  std::vector<ElementOwner> owners = elementOwners(facts);
  REQUIRE(owners.size() == 8);
  CHECK(owners[5].reg == 1);
  CHECK(owners[5].lane == 2);
  CHECK(owners[5].warp == 0);
  CHECK(owners[5].copies == 1);
}

TEST_CASE("replication is counted", "[app]") {
  compiler::LayoutFacts facts = vectorLayout();
  facts.layout[2].bases = {{0}, {128}};
  std::vector<ElementOwner> owners = elementOwners(facts);
  CHECK(owners[0].copies == 2);
  CHECK(owners[256].copies == 0);
  CHECK(owners[256].lane == -1);
}

TEST_CASE("every element of the matrix accumulator has one owner", "[app]") {
  for (const ElementOwner &owner : elementOwners(matrixLayout()))
    REQUIRE(owner.copies == 1);
  // The matrix unit's published fragment: lane 5 holds row 1, columns 2 and 3 of the first tile.
  CHECK(elementOwners(matrixLayout())[32 + 2].lane == 5);
  CHECK(elementOwners(matrixLayout())[32 + 3].lane == 5);
}

TEST_CASE("a diagram has one rectangle for each run that a lane holds", "[app]") {
  auto diagram = layoutDiagram(vectorLayout());
  REQUIRE(diagram);
  // 1024 elements in runs of four, and one swatch for each of four warps.
  // Those of warps 1 to 3 are hatched as well, for readers without colour.
  CHECK(count(diagram->svg, "<rect") == 256 + 4 + 192 + 3);
  for (const char *hatch : {"#hatch1)", "#hatch2)", "#hatch3)"})
    CHECK(count(diagram->svg, hatch) == 64 + 1);
  CHECK(diagram->svg.find("warp 1, lane 0, register 0 to 3") != std::string::npos);
  CHECK(diagram->title == "f32[1024]");
  // The window's colors.
  CHECK(diagram->svg.find("fill=\"oklch(62.0% 0.085 250.0)\"") != std::string::npos);
  CHECK(diagram->svg.find("fill=\"oklch(71.0% 0.085 340.0)\"") != std::string::npos);
  auto shared = layoutDiagram(sharedLayout());
  REQUIRE(shared);
  // 16 x 32 halves, two to a bank's word.
  CHECK(count(shared->svg, "<rect") == 256);
  compiler::LayoutFacts large = matrixLayout();
  large.shape = {4096, 4096};
  CHECK_FALSE(layoutDiagram(large));
  CHECK_FALSE(layoutDiagram(compiler::LayoutFacts()));
}

TEST_CASE("stages keep the source lines of the document, not of other files", "[app]") {
  profiler::ReportKernel kernel = buildReportKernel(sampleInputs());
  const profiler::ReportStage &ttir = kernel.stages.at(1);
  CHECK(ttir.id == "ttir");
  CHECK(ttir.sources.at(3) == std::vector<uint32_t>{6});
  CHECK(ttir.sources.at(7) == std::vector<uint32_t>{7});
  CHECK(ttir.sources.at(0).empty());
  // Of 20 lines two hold a brace alone.
  CHECK(ttir.mappedShare == Approx(14.0 / 18));
  CHECK(kernel.stages.at(1).ms == Approx(0.41));
  CHECK(kernel.occupancy->warpsPerSm == 64);
  CHECK(kernel.diagrams.size() == 3);
  CHECK(kernel.messages.at(0).line == 9);
}

TEST_CASE("the page escapes what comes from the person's text", "[app]") {
  std::string page = profiler::htmlReport(sampleReport());
  CHECK(page.find("<b>markup</b>") == std::string::npos);
  CHECK(page.find("&lt;b&gt;markup&lt;/b&gt;") != std::string::npos);
  // Only the page's own two script elements end.
  CHECK(count(page, "</script>") == 2);
  CHECK(count(page, "<article") == 2);
  CHECK(page.find("81 % of peak") != std::string::npos);
  CHECK(page.find("Not measured: no GPU") != std::string::npos);
}

TEST_CASE("what the interpreter wrote is summarized in the plan's order", "[app]") {
  namespace fs = std::filesystem;
  fs::path folder = fs::temp_directory_path() / ("tilescope_report_" + std::to_string(getpid()));
  fs::create_directories(folder);
  profiler::TensorInit ones;
  ones.kind = profiler::TensorInit::Kind::Ones;
  REQUIRE_FALSE(profiler::writeNpy(folder / "x_ptr.npy",
                                   profiler::makeTensor(profiler::Dtype::Fp32, {4}, ones)));
  REQUIRE_FALSE(profiler::writeNpy(folder / "out_ptr.npy",
                                   profiler::makeTensor(profiler::Dtype::Fp32, {3}, {})));
  auto outputs = reportOutputs(*sampleInputs().plan, folder);
  REQUIRE(outputs.size() == 2);
  CHECK(outputs[0].name == "x_ptr");
  CHECK(outputs[0].summary.mean == 1);
  CHECK(outputs[1].summary.numUnwritten == 3);
  fs::remove_all(folder);
  CHECK(reportOutputs(*sampleInputs().plan, folder).empty());
}

TEST_CASE("the JSON form has the fields that scripts rely on", "[app]") {
  auto json = nlohmann::json::parse(profiler::jsonReport(sampleReport()));
  const auto &kernel = json.at("kernels").at(0);
  CHECK(kernel.at("kernel") == "vector_add");
  CHECK(kernel.at("stages").at(1).at("name") == "ttir");
  CHECK(kernel.at("stages").at(1).at("text") == kTtir);
  CHECK(kernel.at("measurement").at("time_us").at("median") == 50.5);
  CHECK(kernel.at("resources").at("registers") == 24);
  CHECK(kernel.at("launch").at("grid").at(0) == 16384);
  CHECK_FALSE(json.at("kernels").at(1).contains("measurement"));
}

TEST_CASE("CSV and Markdown hold the figures", "[app]") {
  std::string csv = profiler::csvReport(sampleReport());
  CHECK(count(csv, "\n") == 3);
  size_t header = size_t(std::count(csv.begin(), csv.begin() + long(csv.find('\n')), ','));
  CHECK(size_t(std::count(csv.begin(), csv.end(), ',')) == 3 * header);
  CHECK(csv.find("50.5,49.9,53,150") != std::string::npos);
  std::string markdown = profiler::markdownReport(sampleReport());
  CHECK(markdown.find("| time | 50.500 us, median of 150 (cold L2) |") != std::string::npos);
  CHECK(markdown.find("3 mismatches, first at \\[17\\]") != std::string::npos);
  CHECK(profiler::renderReport(sampleReport(), "a.csv") == csv);
  CHECK_FALSE(profiler::isReportName("a.docx"));
}

TEST_CASE("code is colored by its kinds of words", "[app]") {
  CHECK(profiler::highlightLine("%x = arith.addf %a : f32") ==
        "<span class=\"v\">%x</span> = <span class=\"k\">arith.addf</span> <span "
        "class=\"v\">%a</span> : "
        "<span class=\"t\">f32</span>");
}

TEST_CASE("a kernel file is colored as its editor reads it", "[app]") {
  ReportInputs inputs = sampleInputs();
  inputs.source = "def f(x):\n"
                  "    \"\"\"What this is\n"
                  "    for\"\"\"\n"
                  "    return x  # 'a'\n";
  profiler::ReportData data;
  data.kernels.push_back(buildReportKernel(inputs));
  const std::string page = profiler::htmlReport(data);
  // All lines of a string are one, whatever words they hold.
  CHECK(page.find("<span class=\"s\">&quot;&quot;&quot;What this is</span>") != std::string::npos);
  CHECK(page.find("<span class=\"s\">    for&quot;&quot;&quot;</span>") != std::string::npos);
  CHECK(page.find("<span class=\"k\">return</span> x  <span class=\"c\"># 'a'</span>") !=
        std::string::npos);
}
