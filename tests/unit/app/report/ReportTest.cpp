// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/LayoutGroups.h"
#include "app/report/LayoutSvg.h"
#include "profiler/data/Npy.h"
#include "profiler/report/Highlight.h"
#include "profiler/report/LaunchWords.h"
#include "tests/unit/app/report/ReportTexts.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::app::test;

TEST_CASE("a diagram has one rectangle for each run that a lane holds", "[app]") {
  auto diagram = layoutDiagram(vectorLayout());
  REQUIRE(diagram);
  // 1024 elements in runs of four, and one swatch for each of four warps.
  // Those of warps 1 to 3 are hatched as well, for readers without color.
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
  CHECK_FALSE(layoutDiagram(compiler::LayoutFacts()));
  // Elements that the layout does not hold are gray.
  compiler::LayoutFacts part = vectorLayout();
  part.layout[2].bases.clear();
  CHECK(count(layoutDiagram(part)->svg, "not held by any lane") == 192);
}

TEST_CASE("a large tensor's diagram is bounded and says what it leaves out", "[app]") {
  compiler::LayoutFacts large = matrixLayout();
  CHECK(layoutDiagram(large)->caption.find("shown are") == std::string::npos);
  large.shape = {4096, 4096};
  for (int32_t bit = 5; bit < 12; ++bit) {
    large.layout[0].bases.push_back({0, 1 << bit});
    large.layout[0].bases.push_back({1 << bit, 0});
  }
  // An operand that 128 lanes hold: 2^31 places.
  for (int bit = 0; bit < 7; ++bit)
    large.layout[1].bases.push_back({0, 0});
  const auto diagram = layoutDiagram(large);
  REQUIRE(diagram);
  CHECK(diagram->svg.size() < 400'000);
  CHECK(diagram->svg.find("held 128 times") != std::string::npos);
  CHECK(diagram->caption.find("shown are the first 32 × 64 of 4096 × 4096 elements") !=
        std::string::npos);
  compiler::LayoutFacts vector = vectorLayout();
  vector.shape = {int64_t(1) << 20};
  for (int32_t bit = 10; bit < 20; ++bit)
    vector.layout[0].bases.push_back({1 << bit});
  CHECK(layoutDiagram(vector)->caption.find("shown are the first 4096 of 1048576 elements") !=
        std::string::npos);
}

TEST_CASE("a report says how many layouts it does not draw", "[app]") {
  ReportInputs inputs = sampleInputs();
  inputs.result.layouts.clear();
  for (int64_t extent = 2; extent <= 1024; extent *= 2) {
    inputs.result.layouts.push_back(vectorLayout());
    inputs.result.layouts.back().shape = {extent, 1024};
    for (compiler::LayoutBases &input : inputs.result.layouts.back().layout)
      for (std::vector<int32_t> &basis : input.bases)
        basis.insert(basis.begin(), 0);
  }
  profiler::ReportData data;
  data.kernels.push_back(buildReportKernel(inputs));
  CHECK(data.kernels[0].diagrams.size() == 8);
  CHECK(data.kernels[0].numDiagramsLeftOut == 2);
  CHECK(profiler::htmlReport(data).find("2 more layouts are not drawn") != std::string::npos);
  CHECK(profiler::htmlReport(sampleReport()).find("not drawn") == std::string::npos);
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

TEST_CASE("what the machine lacks is not listed as a problem of the kernel", "[app]") {
  ReportInputs inputs = sampleInputs();
  const size_t before = buildReportKernel(inputs).messages.size();
  compiler::Diagnostic lack;
  lack.kind = compiler::DiagnosticKind::ToolMissing;
  lack.severity = compiler::Severity::Note;
  lack.message = "no SASS: `nvdisasm` was not found";
  inputs.result.diagnostics.push_back(lack);
  CHECK(buildReportKernel(inputs).messages.size() == before);
  // Where the kernel could not be compiled for that reason, it is said.
  inputs.result.diagnostics.back().severity = compiler::Severity::Error;
  CHECK(buildReportKernel(inputs).messages.size() == before + 1);
}

TEST_CASE("only source lines that another column came from are tinted", "[app]") {
  ReportInputs inputs = sampleInputs();
  // The tree has a place for every line, and is not on the page.
  compiler::Stage &tree = inputs.result.stages.at(0);
  REQUIRE(tree.id == compiler::StageId::Ast);
  tree.text = "Module\n";
  tree.sourceMap.lines = {{0, {{{0, 0}, {0, 13}, 0}, {{5, 0}, {5, 60}, 0}}}};
  profiler::ReportData data;
  data.kernels.push_back(buildReportKernel(inputs));
  const std::string page = profiler::htmlReport(data);
  const std::string source = page.substr(page.find("data-stage=\"source\""));
  CHECK(source.find("<div class=\"ln\"><i>1</i>") != std::string::npos);
  CHECK(source.find("<div class=\"ln\"><i>6</i>") != std::string::npos);
  CHECK(source.find("data-s=\"10\" tabindex=\"0\"><i>10</i>") != std::string::npos);
}

TEST_CASE("values whose pictures are equal share one, led by a load", "[app]") {
  ReportInputs inputs = sampleInputs();
  const auto value = [](const char *name, const char *op, const char *type, int bits,
                        compiler::LayoutFacts facts) {
    facts.value = name;
    facts.op = op;
    facts.elementType = type;
    facts.elementBits = bits;
    return facts;
  };
  compiler::LayoutFacts other = vectorLayout();
  std::swap(other.layout[0], other.layout[1]);
  std::swap(other.layout[0].input, other.layout[1].input);
  inputs.result.layouts = {value("%cst", "arith.constant", "i32", 32, other),
                           value("%p", "tt.addptr", "!tt.ptr<f32>", 64, vectorLayout()),
                           value("%mask", "arith.cmpi", "i1", 1, vectorLayout()),
                           value("%x", "tt.load", "f32", 32, vectorLayout()),
                           value("%half", "ttg.local_alloc", "f16", 16, sharedLayout()),
                           value("%word", "ttg.local_alloc", "f32", 32, sharedLayout())};
  const profiler::ReportKernel kernel = buildReportKernel(inputs);
  // Elements of another size lie in other banks; in registers they do not differ.
  REQUIRE(kernel.diagrams.size() == 4);
  CHECK(kernel.diagrams[0].title == "f32[1024], !tt.ptr<f32>[1024], i1[1024]");
  CHECK(kernel.diagrams[0].caption.starts_with(
      "Values: %x (tt.load), %p (tt.addptr), %mask (arith.cmpi). #ttg.blocked"));
  CHECK(kernel.diagrams[3].title == "i32[1024]");
  CHECK(kernel.diagrams[3].caption.starts_with("Value: %cst (arith.constant). "));
}

TEST_CASE("a name that several values have is listed once, with how many", "[app]") {
  LayoutGroup group;
  compiler::LayoutFacts x = vectorLayout(), y = vectorLayout();
  x.value = "%x_10";
  y.value = "%y";
  x.op = y.op = "tt.load";
  group.values = {&x, &y, &x};
  CHECK(groupValues(group) == "Values: 2 × %x_10 (tt.load), %y (tt.load).");
}

TEST_CASE("a legend explains patterns where there are some", "[app]") {
  // Runs of four elements name their lanes alone.
  const auto narrow = layoutDiagram(vectorLayout());
  CHECK(narrow->caption.find("colors and patterns are warps") != std::string::npos);
  compiler::LayoutFacts facts = vectorLayout();
  facts.shape = {64};
  facts.layout = {{"register", {{1}, {2}}}, {"lane", {{4}, {8}, {16}}}, {"warp", {{32}}}};
  const auto wide = layoutDiagram(facts);
  CHECK(wide->svg.find("w1 L0") != std::string::npos);
  CHECK(wide->svg.find("hatch") == std::string::npos);
  CHECK(wide->caption.find("Labels are lanes, colors are warps;") != std::string::npos);
}

TEST_CASE("the page escapes what comes from the user's text", "[app]") {
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
  REQUIRE(profiler::writeNpy(folder / "x_ptr.npy",
                             profiler::makeTensor(profiler::Dtype::Fp32, {4}, ones)));
  REQUIRE(profiler::writeNpy(folder / "out_ptr.npy",
                             profiler::makeTensor(profiler::Dtype::Fp32, {3}, {})));
  auto outputs = reportOutputs(*sampleInputs().plan, folder);
  REQUIRE(outputs.size() == 2);
  CHECK(outputs[0].name == "x_ptr");
  CHECK(outputs[0].summary.mean == 1);
  CHECK(outputs[1].summary.numUnwritten == 3);
  fs::remove_all(folder);
  CHECK(reportOutputs(*sampleInputs().plan, folder).empty());
}

TEST_CASE("a report says whether outputs are what the launch block expects", "[app]") {
  ReportInputs inputs = sampleInputs();
  profiler::OutputComparison comparison;
  comparison.isWithExpected = true;
  comparison.maxAbsError = 0.25;
  const auto report = [&] {
    inputs.cpuRun->outputs[1].comparison = comparison;
    profiler::ReportData data;
    data.kernels.push_back(buildReportKernel(inputs));
    return data;
  };
  CHECK(profiler::htmlReport(report()).find("agrees (largest error 0.25; equal values pass)") !=
        std::string::npos);
  const std::string match = "<small>with what is expected</small>";
  CHECK(profiler::htmlReport(report()).find(match) != std::string::npos);
  // Faults outweigh outputs that are right by luck.
  inputs.cpuRun->ok = false;
  CHECK(profiler::htmlReport(report()).find("✗ failed") != std::string::npos);
  CHECK(profiler::htmlReport(report()).find(match) == std::string::npos);
  inputs.cpuRun->ok = true;
  comparison.mismatches = 3;
  comparison.firstMismatch = {7};
  comparison.firstActual = 1;
  comparison.firstExpected = 2;
  comparison.worst = {9};
  comparison.worstActual = 5;
  comparison.worstExpected = 2;
  const std::string differs =
      "3 elements differ, first [7]: 1 instead of 2, worst [9]: 5 instead of 2";
  CHECK(profiler::htmlReport(report()).find(differs) != std::string::npos);
  CHECK(profiler::htmlReport(report()).find("✗ 3") != std::string::npos);
  const std::string output = inputs.cpuRun->outputs[1].name;
  const std::string markdown = profiler::markdownReport(report());
  CHECK(markdown.find("but differs from what is expected: ") != std::string::npos);
  CHECK(markdown.find("3 elements differ, first \\[7\\]: 1 instead of 2, worst \\[9\\]: 5 ") !=
        std::string::npos);
  CHECK(profiler::csvReport(report()).find(output + " bad_ptr," + output +
                                           "[9]: 5 instead of 2\n") != std::string::npos);
  const auto json = nlohmann::json::parse(profiler::jsonReport(report()));
  const nlohmann::json &outputs = json["kernels"][0]["interpreter"]["outputs"];
  CHECK(outputs[1]["expected"]["mismatches"] == 3);
  CHECK(outputs[1]["expected"]["worst"]["at"] == nlohmann::json::array({9}));
  CHECK_FALSE(outputs[0].contains("expected"));
  comparison.fault = "no such <file>";
  CHECK(profiler::htmlReport(report()).find("no such &lt;file&gt;") != std::string::npos);
}

TEST_CASE("a report says which launch it is of, and what it leaves out", "[app]") {
  ReportInputs inputs = sampleInputs();
  inputs.source =
      "# /// tilescope\n# kernel = \"f\"\n# [args]\n# x_ptr = { dtype = \"fp32\", shape = [4] }\n"
      "# out_ptr = { dtype = \"fp32\", shape = [4] }\n# ///\n"
      "# /// tilescope\n# kernel = \"f\"\n# name = \"small\"\n# ///\n";
  inputs.result.launch.block = 0;
  inputs.plan->sizes = {{"n", "208"}};
  inputs.cpuRun->outputs[1].shape = {4};
  inputs.cpuRun->outputs[1].summary.numUnwritten = 1;
  profiler::ReportData data;
  data.kernels.push_back(buildReportKernel(inputs));
  CHECK(data.kernels[0].launchTitle == "launch in line 1: n = 208");
  CHECK(data.kernels[0].launchesLeftOut == std::vector<std::string>{"small, line 7"});
  const std::string html = profiler::htmlReport(data);
  CHECK(html.find("launch in line 1: n = 208</small></h2>") != std::string::npos);
  const std::string leftOut = "The file's other launch is not in this report: small, line 7";
  CHECK(profiler::launchesLeftOut(data.kernels[0]) == leftOut);
  CHECK(profiler::markdownReport(data).find("not in this report: small, line 7") !=
        std::string::npos);
  const profiler::ReportMessage &unwritten = data.kernels[0].messages.back();
  CHECK(unwritten.text ==
        "1 of 4 elements of `" + inputs.cpuRun->outputs[1].name + "` was never written (25 %)");
  inputs.result.launch.block = 1;
  const profiler::ReportKernel named = buildReportKernel(inputs);
  CHECK(named.launchTitle == "launch `small`, line 7: n = 208");
  CHECK(named.launchesLeftOut == std::vector<std::string>{"f, line 1"});
  // Nothing else on the page tells two configurations of one text apart.
  inputs.result.configurations = {{{{"B", "32"}}, {{"num_warps", "2"}}},
                                  {{{"B", "64"}}, {{"num_warps", "8"}}}};
  inputs.result.constexprs["B"] = "64";
  inputs.result.options["num_warps"] = "8";
  CHECK(buildReportKernel(inputs).launchTitle ==
        "launch `small`, line 7: n = 208; configuration B=64 num_warps=8");
  inputs.result.options["num_warps"] = "2";
  CHECK(buildReportKernel(inputs).launchTitle == "launch `small`, line 7: n = 208");
}

TEST_CASE("links to kernels of one name say what tells them apart", "[app]") {
  const auto links = [](std::vector<std::array<const char *, 3>> kernels) {
    profiler::ReportData data;
    for (const auto &[name, launch, path] : kernels) {
      profiler::ReportKernel &kernel = data.kernels.emplace_back();
      kernel.kernel = name;
      kernel.launchTitle = launch;
      kernel.path = path;
    }
    const std::string html = profiler::htmlReport(data);
    std::vector<std::string> words;
    const size_t end = html.find("</nav>");
    for (size_t at = html.find("<nav>"); (at = html.find("</a>", at + 1)) < end;)
      words.push_back(html.substr(html.rfind('>', at) + 1, at - html.rfind('>', at) - 1));
    return words;
  };
  using Words = std::vector<std::string>;
  CHECK(links({{"f", "launch `a`, line 1", "k.py"}, {"g", "launch `b`, line 9", "k.py"}}) ==
        Words{"f", "g"});
  CHECK(links({{"f", "launch `a`, line 1", "k.py"},
               {"f", "launch `b`, line 9", "k.py"},
               {"g", "", "k.py"}}) == Words{"f, launch `a`, line 1", "f, launch `b`, line 9", "g"});
  CHECK(links({{"f", "", "old/k.py"}, {"f", "", "new/l.py"}}) == Words{"f, k.py", "f, l.py"});
  CHECK(links({{"f", "", "k.py"}, {"f", "", "k.py"}}) == Words{"f, k.py (1)", "f, k.py (2)"});
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
