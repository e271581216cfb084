// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Occupancy.h"
#include "profiler/analysis/Throughput.h"

#include <catch2/catch.hpp>

using namespace tilescope::profiler;

TEST_CASE("the worked example of the header holds", "[profiler]") {
  Occupancy result = occupancy(*smLimits(90), {64, 40 * 1024, 128});
  CHECK(result.blocksByLimit == std::array<int32_t, 4>{16, 32, 8, 5});
  CHECK(result.blocksPerSm == 5);
  CHECK(result.warpsPerSm == 20);
  CHECK(result.limiter == "shared memory");
  CHECK(result.fraction == Approx(20.0 / 64));
}

TEST_CASE("each resource can be the limit", "[profiler]") {
  auto limiter = [](int capability, KernelResources kernel) {
    return occupancy(*smLimits(capability), kernel).limiter;
  };
  CHECK(limiter(90, {32, 0, 128}) == "warps, registers");
  CHECK(limiter(90, {16, 0, 256}) == "warps");
  CHECK(limiter(90, {16, 0, 32}) == "blocks");
  CHECK(limiter(90, {255, 0, 128}) == "registers");
  CHECK(limiter(86, {16, 99 * 1024, 128}) == "shared memory");
}

TEST_CASE("registers are counted in the units that devices give", "[profiler]") {
  // 33 registers take 40 per thread's share of a warp: 1280 instead of 1056, so 51 warps, in
  // fours 48.
  CHECK(occupancy(*smLimits(90), {33, 0, 128}).blocksByLimit[2] == 12);
  CHECK(occupancy(*smLimits(90), {32, 0, 128}).blocksByLimit[2] == 16);
  CHECK(occupancy(*smLimits(90), {255, 0, 1024}).blocksPerSm == 0);
}

TEST_CASE("limits come from the device when it tells them", "[profiler]") {
  DeviceInfo device;
  device.computeMajor = 9;
  CHECK(smLimits(device)->warps == 64);
  device.threadsPerSm = 1024;
  device.blocksPerSm = 8;
  device.registersPerSm = 1000;
  device.sharedBytesPerSm = 2000;
  CHECK(smLimits(device)->warps == 32);
  CHECK_FALSE(smLimits(13));
}

TEST_CASE("the median and its confidence come from the order of the times", "[profiler]") {
  TimeStats stats = timeStats({5, 1, 3});
  CHECK(stats.median == 3);
  CHECK(stats.min == 1);
  CHECK(stats.max == 5);
  CHECK(stats.n == 3);
  CHECK(stats.samples == std::vector<double>{5, 1, 3});
  CHECK(timeStats({2, 4}).median == 3);
  CHECK(timeStats(std::vector<double>(50, 7.0)).spread == 0);
  std::vector<double> ramp;
  for (int i = 0; i < 100; ++i)
    ramp.push_back(100 + i);
  // Ranks 50 - 9.8 and 50 + 9.8: values 140 and 160 around the median 149.5.
  CHECK(timeStats(ramp).spread == Approx(10 / 149.5));
}

TEST_CASE("throughput and peaks follow from work, time and clocks", "[profiler]") {
  Measurement measurement;
  measurement.device.memoryClockKHz = 2619000;
  measurement.device.memoryBusBits = 5120;
  measurement.device.smClockKHz = 1980000;
  measurement.device.numSms = 132;
  measurement.device.computeMajor = 9;
  measurement.bytes = 3.35e6;
  measurement.flops = 1e6;
  measurement.timeUs = timeStats({2.0});
  deriveThroughput(measurement);
  CHECK(*measurement.peakGbPerS == Approx(3352.3).epsilon(1e-4));
  CHECK(*measurement.gbPerS == Approx(1675));
  CHECK(*measurement.peakFraction == Approx(0.49965).epsilon(1e-3));
  CHECK(*measurement.tflopPerS == Approx(0.5));
  CHECK(*measurement.peakFp32TflopPerS == Approx(66.9).epsilon(1e-3));
  auto point = rooflinePoint(measurement);
  REQUIRE(point);
  CHECK(point->memoryBound);
  CHECK(point->attainableTflopPerS == Approx(1.0007).epsilon(1e-3));
}

TEST_CASE("what is not known stays absent", "[profiler]") {
  Measurement measurement;
  measurement.timeUs = timeStats({2.0});
  measurement.bytes = 1e6;
  deriveThroughput(measurement);
  CHECK(measurement.gbPerS);
  CHECK_FALSE(measurement.peakFraction);
  CHECK_FALSE(measurement.tflopPerS);
  CHECK_FALSE(rooflinePoint(measurement));
}
