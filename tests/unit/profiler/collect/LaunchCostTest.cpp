// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/LaunchCost.h"

#include "tests/unit/profiler/collect/FakeCudaDriver.h"
#include "tests/unit/profiler/collect/FakeProfilers.h"

#include <catch2/catch.hpp>
#include <thread>

using namespace tilescope;
using namespace tilescope::profiler;
using namespace tilescope::profiler::test;

TEST_CASE("a launch costs its call, and what is beyond the kernel's time", "[profiler]") {
  FakeCudaDriver driver;
  driver.kernelBody = [](void **) { std::this_thread::sleep_for(std::chrono::microseconds(200)); };
  const KernelPackage package = profiledPackage();
  const RunOptions options;
  PackageRun run(driver, package, options);
  REQUIRE(run.start());
  const auto cost = measureLaunchCost(run, 50, true);
  REQUIRE(cost);
  REQUIRE(*cost);
  CHECK((*cost)->n == 60);
  CHECK((*cost)->callUs >= 200);
  CHECK((*cost)->aloneUs >= 150);
  CHECK((*cost)->aloneUs >= (*cost)->callUs - 50);
  // Every launch finds the cache cold.
  CHECK(driver.flushes == 70);
  CHECK(run.measurement().launches == 71);
}

TEST_CASE("beside a long kernel, what a launch costs is not known", "[profiler]") {
  FakeCudaDriver driver;
  const KernelPackage package = profiledPackage();
  const RunOptions options;
  PackageRun run(driver, package, options);
  REQUIRE(run.start());
  const auto cost = measureLaunchCost(run, 5000, true);
  REQUIRE(cost);
  CHECK_FALSE(*cost);
  CHECK(driver.launches.size() == 1);
  // A kernel whose time is all that there is.
  const auto none = measureLaunchCost(run, 1999, true);
  REQUIRE(none);
  CHECK_FALSE(*none);
}

TEST_CASE("a launch that fails is an error with the kernel's name", "[profiler]") {
  FakeCudaDriver driver;
  const KernelPackage package = profiledPackage();
  const RunOptions options;
  PackageRun run(driver, package, options);
  REQUIRE(run.start());
  driver.faults[5] = {ErrorCode::InvalidInput, "ILLEGAL_ADDRESS", ""};
  const auto cost = measureLaunchCost(run, 5, false);
  REQUIRE_FALSE(cost);
  CHECK(cost.error().message == "kernel `scale`: ILLEGAL_ADDRESS");
}
