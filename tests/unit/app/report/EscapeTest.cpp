// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Names, paths, arguments and messages that mean something to HTML, Markdown and spreadsheets.
#include "profiler/data/Base64.h"
#include "tests/unit/app/report/ReportTexts.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::app::test;
using profiler::ReportData;
using profiler::ReportKernel;

static constexpr const char *kHostile =
    "</td></script><script>alert('1')</script>\"'&<!--|`x`|[a](b)\n# forged\n=1+1\x1b[2J";

/// The sample with `text` in every place that holds words.
static ReportData everywhere(const std::string &text) {
  ReportData data = sampleReport();
  data.title = data.generator = data.created = text;
  data.environment = {{text, text}};
  ReportKernel &kernel = data.kernels.at(0);
  kernel.kernel = kernel.path = kernel.source = kernel.target = text;
  kernel.signature = kernel.constexprs = kernel.options = {{text, text}};
  kernel.assumptions = {text};
  for (profiler::ReportStage &stage : kernel.stages)
    stage.title = stage.text = text;
  kernel.stages.at(1).id = text;
  kernel.passes = {{text, text, 1.0, true}};
  kernel.messages = {{text, text, 1, 1, text, {text}}};
  for (profiler::ReportDiagram &diagram : kernel.diagrams)
    diagram.title = diagram.caption = text;
  for (profiler::PlanArgument &argument : kernel.plan.value().args)
    argument.name = text;
  kernel.cpuRun = profiler::ReportCpuRun{true, false, 1, 1, text, {{text, text, {1}, {}}}};
  kernel.measurementMissing = text;
  profiler::Measurement &measurement = kernel.measurement.value();
  measurement.kernel = measurement.device.name = text;
  measurement.notes = {text};
  if (measurement.occupancy)
    measurement.occupancy->limiter = text;
  for (profiler::OutputResult &output : measurement.outputs) {
    output.name = output.dtype = text;
    if (output.comparison)
      output.comparison->fault = text;
  }
  return data;
}

TEST_CASE("no text of a report becomes markup of its page", "[app]") {
  const std::string page = profiler::htmlReport(everywhere(kHostile));
  const std::string plain = profiler::htmlReport(everywhere("plain"));
  for (const char *mark : {"<script", "</script", "</td", "<td", "<!--", "\"", "<h"}) {
    CAPTURE(mark);
    // JSON escapes its quotes: of them the page's data has more.
    if (std::string(mark) != "\"")
      CHECK(count(page, mark) == count(plain, mark));
  }
  CHECK(page.find("<script>alert") == std::string::npos);
  CHECK(page.find('\x1b') == std::string::npos);
  // A class or id in quotes does not end early.
  CHECK(page.find("data-stage=\"</td>") == std::string::npos);
}

TEST_CASE("the page runs its own script and loads nothing", "[app]") {
  const std::string page = profiler::htmlReport(sampleReport());
  const std::string policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                             "'none'; script-src 'nonce-";
  const size_t at = page.find(policy);
  REQUIRE(at != std::string::npos);
  CHECK(at < page.find("<title>"));
  const std::string nonce = page.substr(at + policy.size(), 24);
  CHECK(profiler::decodeBase64(nonce)->size() == 16);
  CHECK(count(page, "<script nonce=\"" + nonce + "\">") == 1);
  CHECK(count(page, "<script") == 2);
  CHECK(profiler::htmlReport(sampleReport()).find(nonce) == std::string::npos);
}

/// The source that a page or a JSON report holds.
static std::string embeddedSource(const std::string &text) {
  const std::string begin = "id=\"report-data\">";
  std::string document = text;
  if (const size_t at = text.find(begin); at != std::string::npos) {
    document = text.substr(at + begin.size());
    document = document.substr(0, document.find("</script>"));
  }
  const auto kernel = nlohmann::json::parse(document).at("kernels").at(0);
  if (kernel.contains("source_base64"))
    return profiler::decodeBase64(kernel.at("source_base64").get<std::string>()).value();
  return kernel.at("source");
}

TEST_CASE("a report holds its source byte for byte", "[app]") {
  for (const std::string &source :
       {std::string("a\r\nb"), std::string("</script><!-- <!- <<</ \\u002f \\"),
        std::string("caf\xe9 \xff\xfe"), std::string("\x01\x1b\x7f\0z", 5),
        std::string("\xe2\x80\xa8\xe2\x80\xa9"), std::string("\xef\xbb\xbfx"), std::string()}) {
    ReportData data = sampleReport();
    data.kernels.at(0).source = source;
    CHECK(embeddedSource(profiler::htmlReport(data)) == source);
    CHECK(embeddedSource(profiler::jsonReport(data)) == source);
  }
}

TEST_CASE("no text of a report becomes markup of Markdown", "[app]") {
  ReportData data = everywhere(kHostile);
  for (profiler::ReportStage &stage : data.kernels.at(0).stages)
    stage.text = "plain";
  data.kernels.at(0).source = "'''\n```\n# forged\n'''";
  const std::string text = profiler::markdownReport(data);
  CHECK(text.find("````python\n'''\n```\n# forged\n'''\n````\n") != std::string::npos);
  // The remaining lines are those inside code.
  CHECK(count(text, "\n# forged") == 1);
  CHECK(text.find("\\<script\\>") != std::string::npos);
  CHECK(text.find("\\|\\`x\\`\\|\\[a\\](b)") != std::string::npos);
}

TEST_CASE("no field of CSV is a formula or ends early", "[app]") {
  for (const std::string &name : {"=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", "\tx", "\rx"}) {
    ReportData data = everywhere(name);
    const std::string text = profiler::csvReport(data);
    CAPTURE(name);
    CHECK(text.find("'" + name) != std::string::npos);
    CHECK(text.find("\n" + name) == std::string::npos);
    CHECK(text.find("," + name) == std::string::npos);
  }
  ReportData data = everywhere("a\"b,c\nd");
  const std::string text = profiler::csvReport(data);
  CHECK(text.find("\n\"a\"\"b,c\nd\",\"a\"\"b,c\nd\",\"a\"\"b,c\nd\",") != std::string::npos);
}
