// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/ReportComparison.h"

#include "profiler/report/ReadReport.h"
#include "tests/unit/app/report/SampleInputs.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app::test;
using Catch::Matchers::Contains;
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
