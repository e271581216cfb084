// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/CollectSamples.h"

#include "profiler/collect/ClockWatch.h"
#include "tests/unit/profiler/collect/FakeCudaDriver.h"
#include "tests/unit/profiler/collect/FakeProfilers.h"

#include <catch2/catch.hpp>
#include <thread>

using namespace tilescope;
using namespace tilescope::profiler;
using namespace tilescope::profiler::test;

/// Numbers in an order of their own, as CUPTI's.
static std::map<uint32_t, std::string> reasonNames() {
  return {{7, "smsp__pcsamp_warps_issue_stalled_long_scoreboard"},
          {3, "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued"},
          {5, "smsp__pcsamp_warps_issue_stalled_selected"},
          {9, "smsp__pcsamp_sample_buffer_full"}};
}

static PcRecords recorded() {
  PcRecords records;
  records.total = 1200;
  records.dropped = 50;
  records.nonUser = 30;
  records.records = {{"scale", 32, {{5, 40}, {7, 500}, {3, 300}, {9, 1000}}},
                     {"other", 32, {{7, 20}, {3, 10}}},
                     {"scale", 16, {{7, 60}}},
                     {"scale", 32, {{7, 100}, {3, 100}}}};
  return records;
}

TEST_CASE("samples are summed by instruction and reason, parts of reasons apart", "[profiler]") {
  const SampleData data = sumSamples(recorded(), reasonNames(), "scale");
  CHECK(data.reasons == std::vector<std::string>{"long_scoreboard", "selected"});
  CHECK(data.stalls == std::vector<StallSample>{{16, 0, 60, 0}, {32, 0, 600, 400}, {32, 1, 40, 0}});
  CHECK(data.kernelSamples() == 700);
  CHECK(data.total == 1200);
  CHECK(data.dropped == 50);
  CHECK(data.nonUser == 30);
  CHECK(data.otherFunctions == 20);
}

TEST_CASE("a plan samples long kernels rarely and short ones often", "[profiler]") {
  DeviceInfo device;
  device.numSms = 132;
  device.smClockKHz = 1980000;
  const SamplingPlan shortKernel = samplingPlan(2, device), longKernel = samplingPlan(1e6, device);
  CHECK(shortKernel.launches == 500);
  CHECK(longKernel.launches == 5);
  CHECK(shortKernel.periodExponent < longKernel.periodExponent);
  CHECK(shortKernel.periodExponent >= 5);
  CHECK(longKernel.periodExponent <= 20);
  // Of every multiprocessor one in a period.
  const SamplingPlan plan = samplingPlan(180, device);
  const double samples =
      plan.launches * 180 * 1980.0 * 132 / double(uint64_t(1) << plan.periodExponent);
  CHECK(samples <= 4e5);
  CHECK(samples > 1e5);
}

TEST_CASE("samples are taken from launches alone, the cache cold before each", "[profiler]") {
  FakeCudaDriver driver;
  FakePcSampler sampler;
  sampler.names = reasonNames();
  sampler.records = recorded();
  const auto collected = collectSamples(driver, sampler, profiledPackage(), RunOptions());
  REQUIRE(collected);
  REQUIRE(*collected);
  const SampleData *samples = &**collected;
  CHECK(samples->coldL2);
  CHECK(samples->launches == 500);
  CHECK(samples->periodCycles == uint64_t(1) << sampler.periods.at(0));
  CHECK(sampler.refusals.calls["start"] == 500);
  CHECK(sampler.refusals.calls["stop"] == 500);
  CHECK(driver.flushes == 2 + 500);
}

TEST_CASE("a buffer that overflows leads to a longer period", "[profiler]") {
  FakeCudaDriver driver;
  FakePcSampler sampler;
  sampler.names = reasonNames();
  sampler.records = recorded();
  sampler.overflows = 2;
  const auto collected = collectSamples(driver, sampler, profiledPackage(), RunOptions());
  REQUIRE(collected);
  REQUIRE(*collected);
  REQUIRE(sampler.periods.size() == 3);
  CHECK(sampler.periods[1] == sampler.periods[0] + 2);
  CHECK(sampler.periods[2] == sampler.periods[0] + 4);
  CHECK(sampler.refusals.calls["close"] == 3);

  FakePcSampler full;
  full.names = reasonNames();
  full.overflows = 100;
  const auto refused = collectSamples(driver, full, profiledPackage(), RunOptions());
  REQUIRE(refused);
  CHECK(refused->refusal().kind == RefusalKind::OutOfMemory);
  CHECK(full.periods.size() == 4);
}

TEST_CASE("whatever call of the sampler refuses, its reason is returned", "[profiler]") {
  for (const char *call : {"open", "start", "stop", "take"}) {
    FakeCudaDriver driver;
    FakePcSampler sampler;
    sampler.refusals.byCall[call] = {1, {RefusalKind::NotPermitted, "cuptiX failed: 35"}};
    const auto collected = collectSamples(driver, sampler, profiledPackage(), RunOptions());
    INFO(call);
    REQUIRE(collected);
    CHECK(collected->refusal().kind == RefusalKind::NotPermitted);
    CHECK(sampler.periods.size() == 1);
  }
}

TEST_CASE("a fault of a sampled launch is an error that names the kernel", "[profiler]") {
  FakeCudaDriver driver;
  driver.faults[5] = {ErrorCode::InvalidInput, "cuCtxSynchronize failed: X", ""};
  FakePcSampler sampler;
  const auto collected = collectSamples(driver, sampler, profiledPackage(), RunOptions());
  REQUIRE_FALSE(collected);
  CHECK(collected.error().message == "kernel `scale`: cuCtxSynchronize failed: X");
}

TEST_CASE("readings of the device become extremes, missing ones stay missing", "[profiler]") {
  FakeNvml nvml;
  nvml.theLimits.maxSmClockMhz = 1980;
  NvmlReading fast, slow;
  fast.smClockMhz = 1980;
  fast.powerW = 300;
  fast.throttleBits = 1;
  slow.smClockMhz = 1700;
  slow.powerW = 690;
  slow.throttleBits = 0x4 | 0x20;
  nvml.readings = {fast, slow};
  ClockWatch watch(nvml);
  watch.read();
  // Too soon.
  watch.read();
  CHECK(watch.conditions().readings == 1);
  CHECK(conditionNotes(watch.conditions()).empty());
  std::this_thread::sleep_for(ClockWatch::kInterval);
  watch.read();
  const DeviceConditions &conditions = watch.conditions();
  CHECK(conditions.readings == 2);
  CHECK(conditions.smClockMhz == ValueRange{1700, 1980});
  CHECK(conditions.powerW == ValueRange{300, 690});
  CHECK(conditions.maxSmClockMhz == 1980);
  CHECK_FALSE(conditions.memoryClockMhz);
  CHECK_FALSE(conditions.temperatureC);
  CHECK(conditions.throttleReasons == std::vector<std::string>{"power limit", "temperature limit"});
  const auto notes = conditionNotes(conditions);
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].find("unstable: 1700 to 1980 MHz") != std::string::npos);
  CHECK(notes[1].find("power limit, temperature limit") != std::string::npos);
}

TEST_CASE("an idle device holds nothing back", "[profiler]") {
  CHECK(throttleReasons(0).empty());
  CHECK(throttleReasons(1).empty());
  CHECK(throttleReasons(0x80) == std::vector<std::string>{"power brake"});
}
