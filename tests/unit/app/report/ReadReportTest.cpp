// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Reports that are read back: what they hold, of which version, and what is wrong with others.
#include "profiler/report/ReadReport.h"

#include "tests/unit/app/report/SampleInputs.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::app::test;
using Catch::Matchers::Contains;
using nlohmann::json;
using profiler::ReportData;
using profiler::ReportKernel;

/// The sample with a part of each kind.
static ReportData fullReport() {
  ReportData data = sampleReport();
  data.environment = {{"system", "Linux"}};
  ReportKernel &kernel = data.kernels.at(0);
  kernel.assumptions = {"`n` is i32"};
  kernel.launchTitle = "launch `small`, line 5: n = 208";
  kernel.launchesLeftOut = {"rms_bwd, line 28"};
  kernel.measuredAt = "2026-01-30T09:30:00Z";
  kernel.hints = {{9, 1, "narrow-access", "2 bytes a lane", {"1 of 8"}, "2x", "use more"}};
  kernel.accesses = {
      {10, "global load of x_ptr", "16 bytes", true, false, 16, 32, 128, 4096, 4096, 0, 0, 1.0},
      {11, "shared store", "conflict", true, true, 4, 32, 0, 512, 0, 64, 32},
      {12, "atomic", "not counted", false}};
  kernel.accessesOf = "all 4 programs";
  kernel.sharedBuffers = {{12, "a: 2 slots", 0, 4096, "lines 1-2", "b"}};
  kernel.sharedOf = "4 KiB";
  kernel.loops = {{13, "3 slots", "loads ahead", true, std::nullopt}};
  kernel.liveValues = {{14, "acc", 32, "R24-R55"}};
  kernel.liveOf = "at most 58";
  kernel.conversions = {{15, "mma to blocked", "8 wavefronts", "all", "for a store", true, 12}};
  kernel.arrays = {{"a_ptr [4]", "1 element", "each once"}};
  kernel.programsNote = "a note";
  profiler::OutputComparison comparison;
  comparison.mismatches = 3;
  comparison.firstMismatch = {7};
  comparison.firstActual = 1;
  comparison.firstExpected = 2;
  comparison.worst = {9};
  comparison.isWithExpected = true;
  kernel.cpuRun =
      profiler::ReportCpuRun{true, true, 1.5, 4, "printed", {{"out", "fp32", {4}, {}, comparison}}};
  return data;
}

/// The same in both forms.
static void checkRead(const std::string &text, const ReportData &written) {
  const Result<ReportData> read = profiler::readReport(text);
  if (!read)
    FAIL(read.error().message);
  CHECK(read->title == written.title);
  CHECK(read->created == written.created);
  CHECK(read->environment == written.environment);
  REQUIRE(read->kernels.size() == written.kernels.size());
  const ReportKernel &a = written.kernels.at(0), &b = read->kernels.at(0);
  CHECK(b.source == a.source);
  CHECK(b.isPython == a.isPython);
  CHECK(b.plan == a.plan);
  CHECK(b.measurement == a.measurement);
  CHECK(b.measuredAt == a.measuredAt);
  CHECK(b.launchTitle == a.launchTitle);
  CHECK(b.launchesLeftOut == a.launchesLeftOut);
  CHECK(b.registers == a.registers);
  CHECK(a.occupancy);
  CHECK(b.occupancy == a.occupancy);
  CHECK(b.stages.at(1).text == a.stages.at(1).text);
  CHECK(b.stages.at(1).sources == a.stages.at(1).sources);
  CHECK(b.cpuRun->outputs.at(0).comparison == a.cpuRun->outputs.at(0).comparison);
}

TEST_CASE("what a report holds can be read back, from its page and from JSON", "[app]") {
  const ReportData data = fullReport();
  checkRead(profiler::htmlReport(data), data);
  checkRead(profiler::jsonReport(data), data);
}

TEST_CASE("a report that was read makes the same report again", "[app]") {
  const std::string text = profiler::jsonReport(fullReport());
  const Result<ReportData> read = profiler::readReport(text);
  REQUIRE(read);
  CHECK(profiler::jsonReport(*read) == text);
  CHECK(profiler::csvReport(*read) == profiler::csvReport(fullReport()));
}

TEST_CASE("resources that no device has give no occupancy", "[app]") {
  for (const char *name : {"registers", "shared_bytes", "threads"})
    for (const int64_t number : {int64_t(-1), int64_t(1) << 40, INT64_MAX}) {
      json document = json::parse(profiler::jsonReport(fullReport()));
      json &resources = document.at("kernels").at(0).at("resources");
      REQUIRE(resources.contains(name));
      resources[name] = number;
      INFO(name << " " << number);
      const Result<ReportData> read = profiler::readReport(document.dump());
      CHECK((!read || !read->kernels.at(0).occupancy));
    }
}

TEST_CASE("the source of a report comes back byte for byte", "[app]") {
  for (const std::string &source :
       {std::string("a\r\nb"), std::string("</script><!-- id=\"report-data\">"),
        std::string("caf\xe9 \xff\xfe"), std::string("\0z", 2), std::string()}) {
    ReportData data = sampleReport();
    data.kernels.at(0).source = source;
    CHECK(profiler::readReport(profiler::htmlReport(data))->kernels.at(0).source == source);
    CHECK(profiler::readReport(profiler::jsonReport(data))->kernels.at(0).source == source);
  }
}

TEST_CASE("a report states the version of its format", "[app]") {
  const json document = json::parse(profiler::jsonReport(sampleReport()));
  CHECK(document.at("schema").at("name") == "tilescope.report");
  CHECK(document.at("schema").at("version") == 2);
}

TEST_CASE("a report of the first version, which states none, is read", "[app]") {
  json document = json::parse(profiler::jsonReport(fullReport()));
  document.erase("schema");
  json &kernel = document.at("kernels").at(0);
  kernel.erase("is_python");
  for (json &stage : kernel.at("stages"))
    stage.erase("title");
  // As the first version wrote what is not a number.
  kernel.at("interpreter").at("outputs").at(0)["mean"] = nullptr;
  const Result<ReportData> read = profiler::readReport(document.dump());
  REQUIRE(read);
  CHECK(read->kernels.at(0).source == kSource);
  CHECK(read->kernels.at(0).isPython);
  CHECK(read->kernels.at(0).stages.at(1).title == "ttir");
  CHECK(read->kernels.at(0).measurement == fullReport().kernels.at(0).measurement);
}

static std::string errorOf(const std::string &text) {
  const Result<ReportData> read = profiler::readReport(text);
  return read ? "" : read.error().message;
}

TEST_CASE("a report of a later version is refused with both versions", "[app]") {
  json document = json::parse(profiler::jsonReport(sampleReport()));
  document.at("schema").at("version") = 3;
  const Result<ReportData> read = profiler::readReport(document.dump());
  REQUIRE_FALSE(read);
  CHECK(read.error().message == "the report has version 3 of its format, and this program reads "
                                "versions up to 2");
  CHECK(read.error().hint == "open it with the Tilescope that wrote it, or a newer one");
}

TEST_CASE("what is wrong with a report is said with its place", "[app]") {
  const json document = json::parse(profiler::jsonReport(sampleReport()));
  const auto with = [&](const char *pointer, const json &value) {
    json changed = document;
    changed[json::json_pointer(pointer)] = value;
    return errorOf(changed.dump());
  };
  CHECK_THAT(errorOf(document.dump().substr(0, 5000)), Contains("not JSON"));
  CHECK_THAT(with("/kernels/1/source", 5), Contains("kernel 2: "));
  CHECK_THAT(with("/kernels/1", json::array()), Contains("kernel 2: expected an object"));
  CHECK_THAT(with("/kernels", "x"), Contains("`kernels` is not a list"));
  CHECK_THAT(with("/kernels/0/launch/grid", {1, 2}), Contains("expected a list of 3"));
  CHECK_THAT(with("/kernels/0/launch/grid", {-1, 1, 1}), Contains("grid extent -1"));
  CHECK_THAT(with("/kernels/0/registers", nullptr), !Contains("kernel"));
  CHECK_THAT(with("/kernels/0/source_base64", "?"), Contains("`source_base64` is not base64"));
  CHECK_THAT(with("/schema/version", "two"), Contains("the report cannot be read"));
  CHECK_THAT(with("/schema/version", 1e300), Contains("is not an integer that fits here"));
  CHECK_THAT(errorOf("{}"), Contains("is not a report of Tilescope"));
  CHECK_THAT(errorOf(R"({"schema": {"name": "tilescope.report", "version": 2}})"),
             Contains("key 'kernels' not found"));
}
