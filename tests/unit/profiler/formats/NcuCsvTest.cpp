// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Tables in the forms of `ncu --csv`; the figures are invented, but for those of recorded profiles.
#include "profiler/formats/NcuCsv.h"

#include "profiler/data/Metric.h"
#include "tests/unit/profiler/formats/Samples.h"

using namespace tilescope;
using namespace tilescope::profiler;
using namespace tilescope::profiler::test;
using Catch::Matchers::Contains;

/// `ncu --csv --page raw`
static const std::string kWide = R"csv(==PROF== Connected to process 7
the program's own output
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","device__attribute_display_name","dram__bytes_read.sum","gpu__time_duration.sum","launch__registers_per_thread","launch__shared_mem_per_block_dynamic","launch__func_cache_config","smsp__pcsamp_sample_buffer_full"
"","","","","","","","","","","","","Mbyte","us","register/thread","Kbyte/block","",""
"0","7","python","host","copy","1","7","(128, 1, 1)","(64, 2, 1)","0","9.0","NVIDIA H100","268.44","1,126.30","32","16.38","CachePreferNone","0"
"1","7","python","host","void add<float, 4>(float *)","1","7","(256, 1, 1)","(32, 1, 1)","0","9.0","NVIDIA H100","1.5","2.5","40","0","CachePreferNone","n/a"
==PROF== Disconnected
)csv";

/// `ncu --csv`
static const std::string kLong =
    R"csv("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type","Rule Description"
"0","7","python","host","copy","1","7","(128, 1, 1)","(64, 1, 1)","0","8.0","GPU Speed Of Light Throughput","Duration","us","12.5","","",""
"0","7","python","host","copy","1","7","(128, 1, 1)","(64, 1, 1)","0","8.0","GPU Speed Of Light Throughput","Memory Throughput","%","81.5","","",""
"0","7","python","host","copy","1","7","(128, 1, 1)","(64, 1, 1)","0","8.0","Memory Workload Analysis","Memory Throughput","Gbyte/second","1,500","","",""
"0","7","python","host","copy","1","7","(128, 1, 1)","(64, 1, 1)","0","8.0","SpeedOfLight","","","","SOLBottleneck","OPT","Memory is ""busy"",
more than others"
"0","7","python","host","copy","1","7","(128, 1, 1)","(64, 1, 1)","0","8.0","Occupancy","Achieved Occupancy","%","50","","",""
"0","7","python","host","copy","1","7","(128, 1, 1)","(64, 1, 1)","0","8.0","Command line profiler metrics","smsp__inst_executed.sum","inst","4,096","","",""
"1","7","python","host","add","1","7","(64, 1, 1)","(8, 1, 1)","0","8.0","Command line profiler metrics","smsp__inst_executed.sum","inst","12","","",""
)csv";

static std::vector<Measurement> read(const std::string &text) {
  const auto measurements = readNcuCsv(text);
  if (!measurements)
    FAIL(measurements.error().message);
  return *measurements;
}

static std::string errorOf(const std::string &text) {
  const auto measurements = readNcuCsv(text);
  return measurements ? "" : measurements.error().message;
}

static std::string replaced(std::string text, const std::string &from, const std::string &to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST_CASE("a wide table of Nsight Compute is a measurement of each launch", "[profiler]") {
  REQUIRE(isNcuCsv(kWide));
  const std::vector<Measurement> launches = read(kWide);
  REQUIRE(launches.size() == 2);
  const Measurement &copy = launches[0];
  CHECK(copy.kernel == "copy");
  CHECK(copy.device.name == "NVIDIA H100");
  CHECK(copy.device.computeMajor == 9);
  CHECK(copy.grid == std::array<int64_t, 3>{64, 2, 1});
  CHECK(copy.threads == 128);
  CHECK(copy.registers == 32);
  CHECK(copy.sharedBytes == 16380);
  CHECK(copy.counters->chip == "GH100");
  CHECK(metricValue(*copy.counters, "dram_read") == Approx(268.44e6));
  CHECK(metricValue(*copy.counters, "duration") == Approx(1126300));
  CHECK(copy.timeUs->median == Approx(1126.3));
  CHECK(copy.timeUs->n == 1);
  CHECK_FALSE(metricValue(*copy.counters, "dram_write").has_value());
  CHECK_THAT(copy.notes.at(1), Contains("2 metrics left out"));
  CHECK(launches[1].kernel == "void add<float, 4>(float *)");
  CHECK(launches[1].timeUs->median == Approx(2.5));
}

TEST_CASE("a long table has a row for each metric, by its name or its label", "[profiler]") {
  REQUIRE(isNcuCsv(kLong));
  const std::vector<Measurement> launches = read(kLong);
  REQUIRE(launches.size() == 2);
  const CounterData &counters = *launches[0].counters;
  CHECK(counters.chip == "GA100");
  CHECK(metricValue(counters, "duration") == Approx(12500));
  // The same label means a rate in another section.
  CHECK(metricValue(counters, "memory_throughput") == 81.5);
  CHECK(metricValue(counters, "achieved_occupancy") == 50);
  CHECK(metricValue(counters, "instructions") == 4096);
  CHECK(metricValue(*launches[1].counters, "instructions") == 12);
  CHECK_FALSE(launches[1].timeUs.has_value());
  CHECK(launches[0].device.name == "GPU of compute capability 8.0");
}

TEST_CASE("what is wrong with a table of Nsight Compute is said with its line", "[profiler]") {
  CHECK(errorOf(replaced(kWide, "\"1,126.30\"", "\"1.126,30\"")) ==
        "line 5: `1.126,30` is not a number of `gpu__time_duration.sum`; numbers are written like "
        "1,234.5 (LC_ALL=C)");
  CHECK(errorOf(replaced(kWide, "\"CachePreferNone\",\"n/a\"", "\"x\"")) ==
        "line 6: 17 fields, where the head of the table has 18");
  CHECK_THAT(errorOf(kLong.substr(0, kLong.find("busy"))),
             Contains("line 5: a quote is never closed"));
  CHECK_THAT(errorOf(kWide.substr(0, kWide.find("\"0\","))), Contains("has no launch"));
  CHECK_THAT(errorOf("a,b\n1,2\n"), Contains("there is no table of Nsight Compute"));
  CHECK_FALSE(isNcuCsv("ID,Name\n1,2\n"));
}

TEST_CASE("a row without an end is refused", "[profiler]") {
  CHECK_THAT(errorOf(kLong + std::string(1 << 20, ',')),
             Contains("line 10: the row has more than"));
  CHECK_THAT(errorOf("\"ID\",\"Kernel Name\"" + std::string(1 << 20, ',')),
             Contains("line 1: the head of the table is cut off, or has no end"));
}

TEST_CASE("a table that is cut off anywhere is read or refused", "[profiler]") {
  for (const std::string &text : {kWide, kLong})
    for (size_t size = 0; size < text.size(); ++size) {
      const auto measurements = readNcuCsv(std::string_view(text).substr(0, size));
      CHECK((measurements || !measurements.error().message.empty()));
    }
}

TEST_CASE("numbers that fit nowhere are left out", "[profiler]") {
  std::string text = replaced(kWide, "\"32\",\"16.38\"", "\"1e300\",\"-5\"");
  text = replaced(text, "(64, 2, 1)", "(99999999999999999999, 2, 1)");
  const Measurement copy = read(text).at(0);
  CHECK_FALSE(copy.registers.has_value());
  CHECK_FALSE(copy.sharedBytes.has_value());
  CHECK(copy.grid == std::array<int64_t, 3>{1, 1, 1});
}

TEST_CASE("counters come back from the table that was written of them", "[profiler]") {
  for (const char *name : {"vector_add", "matmul", "fused_softmax"}) {
    const Measurement written = recorded(name);
    const std::vector<Measurement> launches = read(ncuCsv(reportOf({written})));
    REQUIRE(launches.size() == 1);
    CHECK(launches[0].kernel == written.kernel);
    CHECK(launches[0].grid == written.grid);
    CHECK(launches[0].device.name == written.device.name);
    CHECK(launches[0].registers == written.registers);
    CHECK(launches[0].threads == written.threads);
    CHECK(launches[0].counters->chip == written.counters->chip);
    CHECK(launches[0].counters->isFull);
    CHECK(launches[0].counters->values == written.counters->values);
  }
}

TEST_CASE("a table names metrics as Nsight Compute does, with their units", "[profiler]") {
  const std::string text = ncuCsv(reportOf({recorded("vector_add")}));
  CHECK_THAT(text,
             Contains("\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\""));
  CHECK_THAT(text, Contains("\"gpu__time_duration.sum\""));
  CHECK_THAT(text, Contains("\"(256, 1, 1)\"") || Contains("\"(128, 1, 1)\""));
  CHECK_THAT(text, Contains("\"ns\""));
}

TEST_CASE("a launch without counters has its time in the table", "[profiler]") {
  Measurement measurement = recorded("vector_add");
  const double median = measurement.timeUs->median;
  measurement.counters.reset();
  CHECK(read(ncuCsv(reportOf({measurement}))).at(0).timeUs->median == Approx(median));
}
