// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/Interleave.h"

#include "tests/unit/profiler/collect/FakeCudaDriver.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::profiler;
using namespace tilescope::profiler::test;

namespace {

/// A device whose launches take as long as their number of warps says, in µs, and which writes that
/// number.
struct TimingDevice {
  FakeCudaDriver driver;
  std::vector<KernelRecord> pending;
  std::vector<uint32_t> order;
  uint64_t clock = 1000;
  /// Of which launches, by threads, fail.
  uint32_t faultyThreads = 0;

  TimingDevice();
};

} // namespace

TimingDevice::TimingDevice() {
  driver.onLaunch = [this] {
    const uint32_t threads = driver.launches.back().shape.threads;
    order.push_back(threads);
    // The flush is recorded, too.
    pending.push_back({"tilescope_read_all", clock, clock + 500, {1, 1, 1}, 0, 0, 0});
    pending.push_back({"k", clock + 600, clock + 600 + threads * 1000, {1, 1, 1}, 0, 0, 0});
    clock += 1000 + threads * 1000;
    if (threads == faultyThreads)
      driver.faults[int(driver.launches.size())] = {ErrorCode::InvalidInput, "ILLEGAL_ADDRESS", ""};
  };
  driver.kernelBody = [this](void **parameters) {
    **static_cast<float **>(parameters[0]) = float(driver.launches.back().shape.threads);
  };
}

/// A kernel that takes `warps` · 32 µs and writes a number of its own.
static KernelPackage package(int warps) {
  KernelPackage package;
  package.symbol = "k";
  package.target = "cuda:90";
  package.numWarps = warps;
  package.parameters = {{"x_ptr", "*fp32"}};
  package.plan.kernel = "k";
  package.plan.args = {{"x_ptr", PlanTensor{Dtype::Fp32, {4}, {}}}};
  package.plan.bytes = 1e6;
  package.cubin = "cubin";
  return package;
}

static InterleaveOptions quick(int rounds) {
  InterleaveOptions options;
  options.run.warmUpTime = std::chrono::milliseconds(0);
  options.maxRounds = rounds;
  return options;
}

TEST_CASE("kernels alternate in rounds, in an order that is drawn", "[profiler]") {
  TimingDevice device;
  PendingCupti cupti(device.pending);
  auto run = interleave(device.driver, &cupti, "", {package(1), package(2)}, quick(20));
  REQUIRE(run);
  REQUIRE(run->kernels.size() == 2);
  CHECK_FALSE(run->fault);
  for (size_t i = 0; i < 2; ++i) {
    const InterleavedKernel &kernel = run->kernels[i];
    CHECK_FALSE(kernel.error);
    REQUIRE(kernel.rounds.size() == 20);
    for (const std::vector<double> &round : kernel.rounds)
      CHECK(round == std::vector<double>(5, 32 * double(i + 1)));
    CHECK(kernel.measurement.timeUs->median == 32 * double(i + 1));
    CHECK(kernel.measurement.timeUs->n == 100);
    CHECK(kernel.measurement.timeSource == TimeSource::Cupti);
    CHECK(kernel.measurement.gbPerS == Approx(1e6 / (32 * double(i + 1)) / 1e3));
  }
  // First launches, one to warm up, one that is not counted; then the rounds of ten.
  const size_t before = device.order.size() - 200;
  CHECK(before == 6);
  std::vector<std::vector<uint32_t>> orders;
  for (size_t round = 0; round < 20; ++round) {
    const auto begin = device.order.begin() + int(before + round * 10);
    orders.emplace_back(begin, begin + 10);
    CHECK(std::ranges::count(orders.back(), 32u) == 5);
  }
  // Two of 252 orders would rarely be alike twenty times.
  std::ranges::sort(orders);
  orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
  CHECK(orders.size() > 10);
  CHECK(device.driver.flushes >= 200);
}

TEST_CASE("equal arguments are one tensor, and outputs are compared", "[profiler]") {
  TimingDevice device;
  PendingCupti cupti(device.pending);
  std::vector<void *> addresses;
  const auto body = device.driver.kernelBody;
  device.driver.kernelBody = [&](void **parameters) {
    addresses.push_back(*static_cast<void **>(parameters[0]));
    body(parameters);
  };
  KernelPackage other = package(1);
  std::get<PlanTensor>(other.plan.args[0].value).shape = {8};
  auto run =
      interleave(device.driver, &cupti, "", {package(1), package(1), package(2), other}, quick(2));
  REQUIRE(run);
  CHECK(addresses[0] == addresses[1]);
  CHECK(addresses[0] == addresses[2]);
  CHECK(addresses[0] != addresses[3]);
  const auto comparison = [&](size_t i) {
    return run->kernels[i].measurement.outputs.at(0).comparison;
  };
  CHECK_FALSE(comparison(0));
  REQUIRE(comparison(1));
  CHECK(comparison(1)->ok());
  REQUIRE(comparison(2));
  CHECK(comparison(2)->mismatches == 1);
  CHECK_FALSE(comparison(3));
}

TEST_CASE("a kernel that leaves an output alone differs from one that writes it", "[profiler]") {
  TimingDevice device;
  PendingCupti cupti(device.pending);
  const auto body = device.driver.kernelBody;
  device.driver.kernelBody = [&](void **parameters) {
    if (device.driver.launches.back().shape.threads == 32)
      body(parameters);
  };
  auto run = interleave(device.driver, &cupti, "", {package(1), package(2)}, quick(2));
  REQUIRE(run);
  REQUIRE(run->kernels[1].measurement.outputs.at(0).comparison);
  CHECK(run->kernels[1].measurement.outputs[0].comparison->mismatches == 1);
}

TEST_CASE("what cannot be launched has a reason, and the others are measured", "[profiler]") {
  TimingDevice device;
  PendingCupti cupti(device.pending);
  KernelPackage large = package(4);
  large.sharedBytes = 300000;
  KernelPackage empty = package(4);
  empty.plan.grid = {0, 1, 1};
  auto run = interleave(device.driver, &cupti, "", {large, package(1), empty}, quick(3));
  REQUIRE(run);
  REQUIRE(run->kernels.size() == 3);
  REQUIRE(run->kernels[0].error);
  CHECK(run->kernels[0].error->message.find("shared memory") != std::string::npos);
  CHECK(run->kernels[1].rounds.size() == 3);
  REQUIRE(run->kernels[2].error);
  CHECK(run->kernels[2].error->message.find("grid is empty") != std::string::npos);
}

TEST_CASE("a fault names its kernel and ends the measurement", "[profiler]") {
  TimingDevice device;
  PendingCupti cupti(device.pending);
  device.faultyThreads = 64;
  auto run = interleave(device.driver, &cupti, "", {package(1), package(2), package(3)}, quick(3));
  REQUIRE(run);
  REQUIRE(run->fault);
  CHECK(*run->fault == 1);
  CHECK(run->kernels.size() == 2);
  CHECK(run->kernels[1].error->message.find("ILLEGAL_ADDRESS") != std::string::npos);
  CHECK(device.order == std::vector<uint32_t>{32, 64});
}

TEST_CASE("hopeless kernels are given up after a few rounds", "[profiler]") {
  TimingDevice device;
  PendingCupti cupti(device.pending);
  InterleaveOptions options = quick(20);
  options.hopeless = 1.5;
  auto run = interleave(device.driver, &cupti, "", {package(8), package(4), package(5)}, options);
  REQUIRE(run);
  CHECK(run->kernels[0].isStoppedEarly);
  CHECK(run->kernels[0].rounds.size() == 3);
  CHECK(run->kernels[0].measurement.timeUs->median == 256);
  CHECK_FALSE(run->kernels[1].isStoppedEarly);
  CHECK_FALSE(run->kernels[2].isStoppedEarly);
  CHECK(run->kernels[2].rounds.size() == 20);
}

TEST_CASE("records that do not fit the launches give way to events", "[profiler]") {
  FakeCudaDriver driver;
  RecordedCupti silent(driver, {});
  auto run = interleave(driver, &silent, "", {package(1), package(2)}, quick(9));
  REQUIRE(run);
  CHECK(run->kernels[0].measurement.timeSource == TimeSource::Events);
  CHECK(run->kernels[0].rounds.size() == 9);
  CHECK(run->kernels[1].rounds[0] == std::vector<double>(5, 9.0));
  CHECK(run->kernels[0].measurement.notes.at(0).find("not those of the launches") !=
        std::string::npos);
  auto without = interleave(driver, nullptr, "libcupti is not here", {package(1)}, quick(9));
  REQUIRE(without);
  CHECK(without->kernels[0].measurement.notes.at(0).find("libcupti is not here") !=
        std::string::npos);
}

TEST_CASE("long launches are made once in a round, for at least a few rounds", "[profiler]") {
  TimingDevice device;
  PendingCupti cupti(device.pending);
  // 64 ms each by the device's clock.
  InterleaveOptions options = quick(30);
  options.maxTime = std::chrono::milliseconds(0);
  device.driver.kernelAttributes.maxThreadsPerBlock = 1 << 20;
  auto run = interleave(device.driver, &cupti, "", {package(2000)}, options);
  REQUIRE(run);
  // Four times no time at all is over after the first round that counts.
  CHECK(run->kernels[0].rounds == TimeRounds{{64000}});
}

TEST_CASE("a run that travels arrives as it was", "[profiler]") {
  TimingDevice device;
  PendingCupti cupti(device.pending);
  KernelPackage large = package(4);
  large.sharedBytes = 300000;
  auto run = interleave(device.driver, &cupti, "", {package(1), large}, quick(2));
  REQUIRE(run);
  const nlohmann::json sent = interleavedToJson(*run);
  const InterleavedRun received = interleavedFromJson(sent);
  CHECK(received.kernels[0].rounds == run->kernels[0].rounds);
  CHECK(received.kernels[0].measurement.timeUs->median == 32);
  CHECK(received.kernels[1].error->message == run->kernels[1].error->message);
  nlohmann::json later = sent;
  later["protocol"] = 2;
  CHECK_THROWS(interleavedFromJson(later));
  later = sent;
  later["fault"] = 5;
  CHECK_THROWS(interleavedFromJson(later));
}
