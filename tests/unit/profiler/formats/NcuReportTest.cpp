// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A report that Nsight Compute 2025.3 wrote of one launch of a vector addition on an H100, made small
// by tests/support/trim_ncu_report.py: 977 programs of 4 warps, 1,000,003 elements, so that no access
// is wider than an element.
#include "profiler/formats/NcuReport.h"

#include "profiler/data/FileIo.h"
#include "profiler/data/Metric.h"
#include "tests/unit/profiler/formats/Samples.h"

#include <algorithm>

using namespace tilescope;
using namespace tilescope::profiler;
using namespace tilescope::profiler::test;
using Catch::Matchers::Contains;

static std::string reportBytes() {
  const Result<std::string> bytes = readFile(TILESCOPE_RECORDED "/add.ncu-rep");
  REQUIRE(bytes);
  return *bytes;
}

static ReportKernel recordedAdd() {
  const auto recording = readRecording(reportBytes());
  REQUIRE(recording);
  if (!*recording)
    FAIL(recording->error().message);
  REQUIRE((*recording)->kind == RecordingKind::NcuReport);
  REQUIRE((*recording)->data.kernels.size() == 1);
  return (*recording)->data.kernels[0];
}

static std::string errorOf(const std::string &bytes) {
  const auto kernels = readNcuReport(bytes);
  return kernels ? "" : kernels.error().message;
}

TEST_CASE("a report of Nsight Compute is a measurement with its counters", "[profiler]") {
  const ReportKernel kernel = recordedAdd();
  const Measurement &add = *kernel.measurement;
  CHECK(kernel.kernel == "add");
  CHECK(kernel.target == "cuda:90");
  CHECK(kernel.measuredAt.starts_with("2026-11-28T00:1"));
  CHECK(add.grid == std::array<int64_t, 3>{977, 1, 1});
  CHECK(add.threads == 128);
  CHECK(add.registers == 26);
  CHECK(add.sharedBytes == 0);
  CHECK(add.device.name == "NVIDIA H100 80GB HBM3");
  CHECK(add.device.numSms == 132);
  CHECK(add.device.l2Bytes == 52428800);
  CHECK(add.counters->chip == "GH100");
  CHECK(add.counters->passes == 38);
  CHECK(metricValue(*add.counters, "duration") == 6624);
  CHECK(metricValue(*add.counters, "dram_read") == 8003584);
  CHECK(add.timeUs->median == Approx(6.624));
}

TEST_CASE("samples and counts of a report stand at instructions and lines", "[profiler]") {
  const ReportKernel kernel = recordedAdd();
  const Measurement &add = *kernel.measurement;
  const SampleData &samples = *add.samples;
  CHECK(samples.total == 390);
  CHECK(samples.kernelSamples() == 390);
  CHECK(samples.periodCycles == 2048);
  CHECK(samples.mappedShare == 1);
  // The `def`, with the first instruction, and the two lines of the body.
  REQUIRE(samples.lines.size() == 3);
  CHECK(samples.lines[0].line == 2);
  CHECK(samples.lines[0].reasons == std::map<std::string, uint64_t>{{"no_instructions", 8}});
  CHECK(samples.lines[1].line == 3);
  CHECK(samples.lines[2].line == 4);
  CHECK(samples.lines[2].reasons.at("long_scoreboard") == 283);
  CHECK(samples.lines[1].samples + samples.lines[2].samples == 382);

  const ExecutionData &executions = *add.executions;
  CHECK(double(executions.total().executed) == metricValue(*add.counters, "instructions"));
  // 24 accesses of 4 bytes a lane, 16 bytes apart: four times the sectors that are needed.
  CHECK(executions.total().sectors == 1500009);
  CHECK(executions.total().idealSectors == 375009);
  CHECK_FALSE(executions.total().wavefronts.has_value());
  REQUIRE_FALSE(executions.lines.empty());
  CHECK(executions.lines.back().line == 4);
  CHECK(executions.lines.back().counts.sectors == 1500009);
}

TEST_CASE("a report brings the source that was imported", "[profiler]") {
  const ReportKernel kernel = recordedAdd();
  CHECK(kernel.path == "/tmp/a.py");
  CHECK(kernel.isPython);
  CHECK_THAT(kernel.source, Contains("def add(x,y,o,n,B:tl.constexpr):"));
}

TEST_CASE("what is not a whole report says where it ends", "[profiler]") {
  const std::string bytes = reportBytes();
  // Each ends in an error, and none is read as something else.
  for (size_t size = kNcuReportMagic.size(); size < bytes.size(); size += 997)
    CHECK_THAT(errorOf(bytes.substr(0, size)), Contains("byte") || Contains("no launch"));
  CHECK_THAT(errorOf(bytes.substr(0, 5)), Contains("the part at byte 4 cannot be read"));

  std::string newer = bytes;
  REQUIRE(newer[8] == 8);
  newer[9] = 99;
  CHECK_THAT(errorOf(newer), Contains("version 99") && Contains("reads version 7"));

  std::string longer = bytes;
  longer[10] = longer[11] = longer[12] = longer[13] = '\xff';
  CHECK_THAT(errorOf(longer), Contains("byte 10"));
}

TEST_CASE("any byte of a report may be another one", "[profiler]") {
  const std::string bytes = reportBytes();
  size_t numRead = 0, numRefused = 0;
  for (size_t i = 0; i < bytes.size(); i += 61) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0xff);
    const std::string error = errorOf(damaged);
    ++(error.empty() ? numRead : numRefused);
  }
  CHECK(numRead > 0);
  CHECK(numRefused > 0);
}
