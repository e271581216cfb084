// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/ReportComparison.h"

#include "profiler/report/ReadReport.h"
#include "profiler/report/StageDifference.h"
#include "tests/unit/app/report/SampleInputs.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using profiler::ComparedFigure;
using profiler::ReportData;
using profiler::ReportKernel;

static ReportData twoKernels() {
  ReportData data = sampleReport();
  data.kernels.at(1) = data.kernels.at(0);
  data.isComparison = true;
  return data;
}

static ComparedFigure figure(const ReportData &data, const std::string &name) {
  const auto comparison = compareKernels(data.kernels.at(0), data.kernels.at(1));
  const auto found = std::ranges::find(comparison.figures, name, &ComparedFigure::name);
  REQUIRE(found != comparison.figures.end());
  return *found;
}

TEST_CASE("a kernel does not differ from itself", "[app]") {
  const ReportData data = twoKernels();
  CHECK(compareKernels(data.kernels[0], data.kernels[1]).facts == "no figure differs");
}

TEST_CASE("what changed between two kernels is said in one line", "[app]") {
  ReportData data = twoKernels();
  ReportKernel &after = data.kernels.at(1);
  after.measurement->timeUs->median = 45.45;
  after.registers = 32;
  after.options.emplace_back("num_warps", "8");
  CHECK(figure(data, "time").change == "−10.0 %");
  CHECK(figure(data, "registers").after == "32");
  const std::string facts = compareKernels(data.kernels[0], after).facts;
  CHECK_THAT(facts, Contains("time 50.50 µs → 45.45 µs (−10.0 %)"));
  CHECK_THAT(facts, Contains("registers 24 → 32 (+33.3 %)"));
  CHECK_THAT(profiler::htmlReport(data), Contains("<h2>Comparison</h2><p>time 50.50 µs → 45.45"));
  CHECK_THAT(profiler::markdownReport(data), Contains("| time | 50.50 µs | 45.45 µs | −10.0 % |"));
}

TEST_CASE("a difference of times that is less than what is uncertain is none", "[app]") {
  ReportData data = twoKernels();
  // Each is known to 0.2 %.
  data.kernels.at(1).measurement->timeUs->median = 50.6;
  CHECK(figure(data, "time").change == "+0.2 %, less than what is uncertain");
  CHECK(compareKernels(data.kernels[0], data.kernels[1]).facts == "no figure differs");
}

TEST_CASE("a figure that one kernel lacks is not compared", "[app]") {
  ReportData data = twoKernels();
  data.kernels.at(1).measurement.reset();
  const ComparedFigure time = figure(data, "time");
  CHECK(time.before == "50.50 µs");
  CHECK(time.after.empty());
  CHECK(time.change.empty());
  CHECK_FALSE(time.isChanged);
}

TEST_CASE("a comparison is one again when it is read back", "[app]") {
  const auto read = profiler::readReport(profiler::jsonReport(twoKernels()));
  REQUIRE(read);
  CHECK(read->isComparison);
  CHECK(profiler::comparisonHtml(*read) == profiler::comparisonHtml(twoKernels()));
  CHECK(profiler::comparisonHtml(sampleReport()).empty());
}

/// `sampleReport`'s kernel with another operation in its TTIR, which changes the numbers behind it.
static ReportData otherTtir() {
  ReportData data = twoKernels();
  for (ReportKernel &kernel : data.kernels)
    kernel.stages = {{"ttir", "TTIR", true, 1, "%0 = load\n%1 = exp %0\nstore %1\n", {}, 1},
                     {"ptx", "PTX", true, 1, ".loc 1 4 2\nld.global %f1;\n", {}, 1}};
  data.kernels[1].stages[0].text = "%0 = load\n%1 = neg %0\n%2 = exp %1\nstore %2\n";
  // Only its place in the source differs.
  data.kernels[1].stages[1].text = ".loc 1 5 2\nld.global %f1;\n";
  return data;
}

TEST_CASE("stages that differ are listed line by line", "[app]") {
  const ReportData data = otherTtir();
  const auto differences = profiler::stageDifferences(data.kernels[0], data.kernels[1]);
  REQUIRE(differences.size() == 1);
  CHECK(differences[0].id == "ttir");
  CHECK(profiler::differenceCount(differences[0].diff) == "2 lines added, 1 removed");
  const std::string patch = profiler::patchText(differences[0].diff, 100);
  INFO(patch);
  CHECK(patch == " %0 = load\n+%1 = neg %0\n-%1 = exp %0\n+%2 = exp %1\n store %2\n");
  CHECK_THAT(profiler::patchText(differences[0].diff, 2), EndsWith("… 3 lines more\n"));
  const std::string html = profiler::htmlReport(data);
  CHECK_THAT(html, Contains("<summary>TTIR: 2 lines added, 1 removed</summary>"));
  CHECK_THAT(html, Contains("<span class=\"add\">+%1 = neg %0</span>"));
  CHECK_THAT(html, !Contains("<summary>PTX: "));
  CHECK_THAT(profiler::markdownReport(data), Contains("\n+%1 = neg %0\n"));
  CHECK_THAT(profiler::jsonReport(data), Contains("\"removed\": 1"));
}

TEST_CASE("addresses of instructions are not differences", "[app]") {
  const auto difference =
      profiler::stageDifference("sass", "SASS", "/*0000*/ NOP ;\n/*0010*/ EXIT ;\n",
                                "/*0000*/ NOP ;\n/*0010*/ NOP ;\n/*0020*/ EXIT ;\n");
  CHECK(difference.diff.numAdded == 1);
  CHECK(difference.diff.numRemoved == 0);
  CHECK(profiler::stageDifference("sass", "SASS", "/*0010*/ EXIT ;", "/*0020*/ EXIT ;").isSame());
}
