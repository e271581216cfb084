// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/CollectDeviceWide.h"

#include "tests/unit/profiler/collect/FakeCudaDriver.h"
#include "tests/unit/profiler/collect/FakeProfilers.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::profiler;
using namespace tilescope::profiler::test;

static constexpr std::chrono::milliseconds kShort{5};

static Result<Grant<DeviceWideData>> collect(FakeCudaDriver &driver, FakeNvml &nvml,
                                             const KernelPackage &package = profiledPackage()) {
  return collectDeviceWide(driver, nvml, package, RunOptions(), kShort);
}

TEST_CASE("the device is looked at while the kernel is launched again and again", "[profiler]") {
  FakeCudaDriver driver;
  FakeNvml nvml;
  nvml.counted = {{"sm_active", 0.97}, {"dram_active", 0.84}};
  const auto collected = collect(driver, nvml);
  REQUIRE(collected);
  REQUIRE(*collected);
  const DeviceWideData &data = **collected;
  CHECK(data.values == nvml.counted);
  CHECK(data.launches > 1);
  CHECK(data.seconds >= 0.005);
  CHECK(nvml.refusals.log == std::vector<std::string>{"begin", "activity"});
  // The cache stays as launches leave it: emptying it would keep the device busy, too.
  CHECK(driver.flushes == 0);
}

TEST_CASE("whatever NVML does not count, its reason is returned", "[profiler]") {
  for (const char *call : {"begin", "activity"}) {
    FakeCudaDriver driver;
    FakeNvml nvml;
    nvml.refusals.byCall[call] = {1, {RefusalKind::DeviceUnsupported, "not on this device"}};
    const auto collected = collect(driver, nvml);
    INFO(call);
    REQUIRE(collected);
    REQUIRE_FALSE(*collected);
    CHECK(collected->refusal().kind == RefusalKind::DeviceUnsupported);
    CHECK(collected->refusal().words == "not on this device");
  }
  // A device may have the functions and none of the counters.
  FakeCudaDriver driver;
  FakeNvml empty;
  const auto nothing = collect(driver, empty);
  REQUIRE(nothing);
  REQUIRE_FALSE(*nothing);
  CHECK(nothing->refusal().kind == RefusalKind::DeviceUnsupported);
}

TEST_CASE("an empty grid keeps nothing busy", "[profiler]") {
  FakeCudaDriver driver;
  FakeNvml nvml;
  KernelPackage package = profiledPackage();
  package.plan.grid = {0, 1, 1};
  const auto collected = collect(driver, nvml, package);
  REQUIRE(collected);
  CHECK_FALSE(*collected);
  CHECK(nvml.refusals.log.empty());
}

TEST_CASE("a fault while the device is looked at is an error that names the kernel", "[profiler]") {
  FakeCudaDriver driver;
  driver.faults[2] = {ErrorCode::InvalidInput, "cuCtxSynchronize failed: X", ""};
  FakeNvml nvml;
  nvml.counted = {{"sm_active", 0.97}};
  const auto collected = collect(driver, nvml);
  REQUIRE_FALSE(collected);
  CHECK(collected.error().message.find("scale") != std::string::npos);
}
