// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/CollectCounters.h"

#include "tests/unit/profiler/collect/FakeCudaDriver.h"
#include "tests/unit/profiler/collect/FakeProfilers.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::profiler;
using namespace tilescope::profiler::test;

static Result<Grant<CounterData>> collect(FakeCudaDriver &driver, FakeRangeProfiler &profiler,
                                          bool full = false) {
  return collectCounters(driver, profiler, profiledPackage(), RunOptions(), full);
}

TEST_CASE("counters take a launch per pass, each on the same data and with a cold cache",
          "[profiler]") {
  FakeCudaDriver driver;
  std::vector<float> sums;
  driver.kernelBody = [&](void **parameters) {
    sums.push_back(**static_cast<float **>(parameters[1]));
    addOne(parameters);
  };
  FakeRangeProfiler profiler;
  profiler.measured = {{"gpu__time_duration.sum", 4000}, {"dram__bytes_read.sum", 0}};
  const auto collected = collect(driver, profiler);
  REQUIRE(collected);
  REQUIRE(*collected);
  const CounterData *counters = &**collected;
  CHECK(counters->chip == "GH100");
  CHECK(counters->passes == 3);
  CHECK(counters->coldL2);
  CHECK_FALSE(counters->isFull);
  // Zero is a value; what has none is absent.
  CHECK(counters->values == profiler.measured);
  CHECK(driver.launches.size() == 1 + 3);
  CHECK(driver.flushes == 3);
  CHECK(sums == std::vector<float>{0, 0, 0, 0});
  CHECK(profiler.refusals.log == std::vector<std::string>{"open", "configure", "start", "stop",
                                                          "start", "stop", "start", "stop",
                                                          "values", "close"});
}

TEST_CASE("the full set asks for more", "[profiler]") {
  FakeCudaDriver driver;
  FakeRangeProfiler quick, full;
  REQUIRE(collect(driver, quick, false));
  const auto collected = collect(driver, full, true);
  REQUIRE(collected);
  CHECK(full.asked.size() > 5 * quick.asked.size());
  CHECK((**collected).isFull);
}

TEST_CASE("whatever call refuses, its reason is returned and nothing is launched behind it",
          "[profiler]") {
  const DriverRefusal permission{RefusalKind::NotPermitted, "cuptiX failed: 35"};
  const std::pair<const char *, size_t> calls[] = {
      {"open", 0}, {"configure", 0}, {"start", 1}, {"stop", 2}, {"values", 4}};
  for (const auto &[call, launches] : calls) {
    FakeCudaDriver driver;
    FakeRangeProfiler profiler;
    profiler.refusals.byCall[call] = {1, permission};
    const auto collected = collect(driver, profiler);
    INFO(call);
    REQUIRE(collected);
    REQUIRE_FALSE(*collected);
    const DriverRefusal *refusal = &collected->refusal();
    CHECK(refusal->kind == RefusalKind::NotPermitted);
    CHECK(refusal->words == "cuptiX failed: 35");
    CHECK(driver.launches.size() == launches);
  }
}

TEST_CASE("counters that another tool takes in the middle are a refusal", "[profiler]") {
  FakeCudaDriver driver;
  FakeRangeProfiler profiler;
  profiler.passes = 19;
  profiler.refusals.byCall["start"] = {7, {RefusalKind::Busy, "cuptiX failed: 26"}};
  const auto collected = collect(driver, profiler, true);
  REQUIRE(collected);
  CHECK(collected->refusal().kind == RefusalKind::Busy);
  CHECK(driver.launches.size() == 1 + 6);
}

TEST_CASE("a fault of the kernel in a pass is an error that names it", "[profiler]") {
  FakeCudaDriver driver;
  driver.faults[3] = {ErrorCode::InvalidInput,
                      "cuCtxSynchronize failed: CUDA_ERROR_ILLEGAL_ADDRESS", ""};
  FakeRangeProfiler profiler;
  const auto collected = collect(driver, profiler);
  REQUIRE_FALSE(collected);
  CHECK(collected.error().message ==
        "kernel `scale`: cuCtxSynchronize failed: CUDA_ERROR_ILLEGAL_ADDRESS");
}

TEST_CASE("a fault in pass 7 of 19 ends the passes there", "[profiler]") {
  FakeCudaDriver driver;
  // The first launch comes before the passes.
  driver.faults[1 + 7] = {ErrorCode::InvalidInput,
                          "cuCtxSynchronize failed: CUDA_ERROR_ILLEGAL_ADDRESS", ""};
  FakeRangeProfiler profiler;
  profiler.passes = 19;
  RunOptions options;
  RunState last;
  options.progress = [&](const RunState &state) { last = state; };
  const auto collected = collectCounters(driver, profiler, profiledPackage(), options, true);
  REQUIRE_FALSE(collected);
  CHECK(collected.error().message ==
        "kernel `scale`: cuCtxSynchronize failed: CUDA_ERROR_ILLEGAL_ADDRESS");
  CHECK(last.step == 7);
  CHECK(last.numSteps == 19);
  CHECK(profiler.refusals.calls["start"] == 7);
  CHECK(profiler.refusals.calls["stop"] == 6);
}

TEST_CASE("counters without memory to empty the cache are said to be warm", "[profiler]") {
  FakeCudaDriver driver;
  driver.freeBytes = 1 << 20;
  FakeRangeProfiler profiler;
  const auto collected = collect(driver, profiler);
  REQUIRE(collected);
  CHECK_FALSE((**collected).coldL2);
  CHECK(driver.flushes == 0);
}

TEST_CASE("passes that never end are ended", "[profiler]") {
  FakeCudaDriver driver;
  FakeRangeProfiler profiler;
  profiler.passes = 3;
  profiler.refusals.calls["stop"] = -1000;
  REQUIRE(collect(driver, profiler));
  CHECK(driver.launches.size() <= 1 + 8);
}

TEST_CASE("an empty grid has nothing to count", "[profiler]") {
  FakeCudaDriver driver;
  FakeRangeProfiler profiler;
  KernelPackage package = profiledPackage();
  package.plan.grid = {0, 1, 1};
  const auto collected = collectCounters(driver, profiler, package, RunOptions(), false);
  REQUIRE(collected);
  CHECK(collected->refusal().words == "an empty grid has nothing to count");
}
