// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/CollectCapabilities.h"

#include "tests/unit/profiler/collect/FakeCudaDriver.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::profiler;

namespace {
struct FakeNvml : Nvml {
  std::string opened;
  Status open(const std::string &pciBusId) override {
    opened = pciBusId;
    return {};
  }
  NvmlReading read() override {
    NvmlReading reading;
    reading.temperatureC = 41;
    return reading;
  }
  NvmlLimits limits() override { return {}; }
  NvmlUse use() override { return {12, 0x1p30}; }
};
} // namespace

static CounterSurroundings surroundings(bool adminOnly) {
  CounterSurroundings surroundings;
  surroundings.adminOnly = adminOnly;
  return surroundings;
}

TEST_CASE("a machine says what it can do, and the same arrives as JSON", "[collect]") {
  test::FakeCudaDriver driver;
  driver.devices = 2;
  driver.info.pciBusId = "0000:3b:00.0";
  driver.info.uuid = "GPU-1";
  driver.info.driverVersion = 12080;
  FakeNvml nvml;
  Capabilities capabilities = machineCapabilities();
  CHECK_FALSE(capabilities.host.empty());
  CHECK(capabilities.system.starts_with("Linux "));
  CHECK(capabilities.numProcessors > 0);
  REQUIRE(addDevices(driver, &nvml, capabilities));
  REQUIRE(capabilities.devices.size() == 2);
  CHECK(nvml.opened == "0000:3b:00.0");
  CHECK(capabilities.devices[1].busyPercent == 12);
  CHECK(capabilities.devices[1].temperatureC == 41);
  addCounters(surroundings(true), capabilities);
  REQUIRE(capabilities.counters);
  CHECK(capabilities.counters->kind == RefusalKind::NotPermitted);
  CHECK(capabilitiesFromJson(capabilitiesToJson(capabilities)) == capabilities);
  const std::string text = capabilitiesText(capabilities);
  INFO(text);
  CHECK(text.find("CUDA      12.8\n") != std::string::npos);
  CHECK(text.find("(1.0 in use), busy 12 %, 41 °C, GPU-1") != std::string::npos);
  CHECK(text.find("counters  the driver lets only administrators") != std::string::npos);
  CHECK(capabilitiesLine(capabilities).find("2 × Fake; no counters: ") != std::string::npos);
}

TEST_CASE("counters are allowed unless something is known to hold them", "[collect]") {
  const auto refused = [](const CounterSurroundings &surroundings) {
    Capabilities capabilities;
    addCounters(surroundings, capabilities);
    return capabilities.counters ? std::optional(capabilities.counters->kind) : std::nullopt;
  };
  CounterSurroundings permitted = surroundings(true), held;
  permitted.hasPerfmon = true;
  held.holders = {"nv-hostengine"};
  CHECK_FALSE(refused({}));
  CHECK_FALSE(refused(surroundings(false)));
  CHECK_FALSE(refused(permitted));
  CHECK(refused(surroundings(true)) == RefusalKind::NotPermitted);
  CHECK(refused(held) == RefusalKind::Busy);
}

TEST_CASE("the driver's release is read from /proc", "[collect]") {
  CHECK(
      parseDriverRelease("NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.86.15  Thu Jan\nGCC "
                         "version: 12.2.0\n") == "570.86.15");
  CHECK(parseDriverRelease("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  "
                           "Release Build") == "580.95.05");
  CHECK(parseDriverRelease("").empty());
}
