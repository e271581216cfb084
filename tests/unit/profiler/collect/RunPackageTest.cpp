// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/RunPackage.h"

#include "profiler/collect/MeasureTimes.h"
#include "tests/unit/profiler/collect/FakeCudaDriver.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace tilescope;
using namespace tilescope::profiler;
using namespace tilescope::profiler::test;

/// out[i] = x[i] * factor for i < n.
static KernelPackage scalePackage() {
  KernelPackage package;
  package.symbol = "scale";
  package.target = "cuda:90";
  package.numWarps = 4;
  // Another order than the plan's: the kernel's counts.
  package.parameters = {{"out_ptr", "*fp32"}, {"x_ptr", "*fp32"}, {"factor", "fp32"}, {"n", "i64"}};
  package.plan.kernel = "scale";
  package.plan.grid = {3, 2, 1};
  TensorInit randn;
  randn.kind = TensorInit::Kind::Randn;
  package.plan.args = {{"x_ptr", PlanTensor{Dtype::Fp32, {50}, randn}},
                       {"out_ptr", PlanTensor{Dtype::Fp32, {60}, {}}},
                       {"n", PlanScalar{"i32", int64_t(50)}},
                       {"factor", PlanScalar{"fp32", 3.0}}};
  package.plan.bytes = 4000;
  package.cubin = "cubin";
  package.ptx = "ptx";
  return package;
}

static void scaleBody(void **parameters) {
  auto *out = *static_cast<float **>(parameters[0]);
  auto *x = *static_cast<float **>(parameters[1]);
  float factor = *static_cast<float *>(parameters[2]);
  int64_t n = *static_cast<int64_t *>(parameters[3]);
  REQUIRE(*static_cast<void **>(parameters[4]) == nullptr);
  REQUIRE(*static_cast<void **>(parameters[5]) == nullptr);
  for (int64_t i = 0; i < n; ++i)
    out[i] = x[i] * factor;
}

static RunOptions quick() {
  RunOptions options;
  options.warmUpTime = std::chrono::milliseconds(1);
  options.maxMeasureTime = std::chrono::milliseconds(200);
  return options;
}

/// Records as a device gave them: another kernel's among them.
static std::vector<KernelRecord> recording() {
  std::vector<KernelRecord> records;
  for (uint64_t i = 0; i < 9; ++i)
    records.push_back(
        {"scale", 1000 + i * 10000, 1000 + i * 10000 + 4000 + i % 3, {3, 2, 1}, 32, 0, 0});
  return records;
}

TEST_CASE("a run returns outputs, times and throughput", "[profiler]") {
  FakeCudaDriver driver;
  driver.kernelBody = scaleBody;
  RecordedCupti cupti(driver, recording());
  auto outcome = runPackage(driver, &cupti, "", scalePackage(), quick());
  REQUIRE(outcome);
  const Measurement &measurement = outcome->measurement;
  CHECK(measurement.kernel == "scale");
  CHECK(measurement.timeSource == TimeSource::Cupti);
  REQUIRE(measurement.timeUs);
  CHECK(measurement.timeUs->median == Approx(4.001));
  CHECK(measurement.timeUs->n >= 30);
  CHECK(*measurement.gbPerS == Approx(4000 / 4.001 / 1e3));
  CHECK(measurement.launches == int64_t(driver.launches.size()));
  CHECK(measurement.registers == 32);
  CHECK(measurement.occupancy->blocksPerSm == 16);
  REQUIRE(outcome->tensors.size() == 2);
  CHECK(outcome->tensors[1].after.at(7) == Approx(outcome->tensors[0].before.at(7) * 3));
  CHECK(std::isnan(outcome->tensors[1].after.at(55)));
  CHECK_FALSE(measurement.outputs[0].changed);
  CHECK(measurement.outputs[1].changed);
  CHECK(driver.launches[0].shape.threads == 128);
  CHECK(driver.launches[0].shape.grid == std::array<uint32_t, 3>{3, 2, 1});
  CHECK(driver.loadedImage == "cubin");
  CHECK(measurement.coldL2);
  // The cache is emptied by reads: of lines that were written, the kernel would pay for the way back.
  CHECK(driver.flushes >= measurement.timeUs->n);
  CHECK(driver.flushedBytes >= uint64_t(2 * driver.info.l2Bytes));
  CHECK(driver.fills == 2);
}

TEST_CASE("a warm cache is left alone", "[profiler]") {
  FakeCudaDriver driver;
  RecordedCupti cupti(driver, recording());
  RunOptions options = quick();
  options.coldL2 = false;
  auto outcome = runPackage(driver, &cupti, "", scalePackage(), options);
  REQUIRE(outcome);
  CHECK(driver.flushes == 0);
  CHECK_FALSE(outcome->measurement.coldL2);
}

TEST_CASE("without memory to flush the cache the run goes on and says so", "[profiler]") {
  FakeCudaDriver driver;
  driver.freeBytes = 1 << 20;
  RecordedCupti cupti(driver, recording());
  auto outcome = runPackage(driver, &cupti, "", scalePackage(), quick());
  REQUIRE(outcome);
  CHECK_FALSE(outcome->measurement.coldL2);
  CHECK(outcome->measurement.notes.at(0).find("CUDA_ERROR_OUT_OF_MEMORY") != std::string::npos);
  CHECK_FALSE(outcome->measurement.copyGbPerS);
}

TEST_CASE("without CUPTI or its records the times come from events and say so", "[profiler]") {
  FakeCudaDriver driver;
  auto outcome = runPackage(driver, nullptr, "libcupti is not here", scalePackage(), quick());
  REQUIRE(outcome);
  CHECK(outcome->measurement.timeSource == TimeSource::Events);
  CHECK(outcome->measurement.timeUs->median == 9);
  REQUIRE(outcome->measurement.notes.size() == 1);
  CHECK(outcome->measurement.notes[0].find("libcupti is not here") != std::string::npos);

  RecordedCupti silent(driver, {});
  auto fallback = runPackage(driver, &silent, "", scalePackage(), quick());
  REQUIRE(fallback);
  CHECK(fallback->measurement.timeSource == TimeSource::Events);
  CHECK(fallback->measurement.notes[0].find("no records") != std::string::npos);
}

TEST_CASE("records of other kernels do not count", "[profiler]") {
  std::vector<KernelRecord> records = recording();
  records.push_back({"memset", 0, 99000000, {1, 1, 1}, 0, 0, 0});
  CHECK(durationsUs(records, "scale").size() == 9);
  CHECK(durationsUs(records, "scale")[1] == Approx(4.001));
}

TEST_CASE("a kernel's fault ends in an error that names both", "[profiler]") {
  FakeCudaDriver driver;
  driver.faults[1] = {ErrorCode::InvalidInput,
                      "cuCtxSynchronize failed: CUDA_ERROR_ILLEGAL_ADDRESS", ""};
  auto outcome = runPackage(driver, nullptr, "", scalePackage(), quick());
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().message ==
        "kernel `scale`: cuCtxSynchronize failed: CUDA_ERROR_ILLEGAL_ADDRESS");
}

TEST_CASE("tensors that do not fit end in an error that names the size", "[profiler]") {
  FakeCudaDriver driver;
  driver.freeBytes = 220;
  auto outcome = runPackage(driver, nullptr, "", scalePackage(), quick());
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().message.find("OUT_OF_MEMORY, allocating 240 bytes for `out_ptr`") !=
        std::string::npos);
}

TEST_CASE("resources beyond the device's are refused before the launch", "[profiler]") {
  FakeCudaDriver driver;
  KernelPackage package = scalePackage();
  package.sharedBytes = 300000;
  auto outcome = runPackage(driver, nullptr, "", package, quick());
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().message.find("shared memory") != std::string::npos);
  package.sharedBytes = 100000;
  REQUIRE(runPackage(driver, nullptr, "", package, quick()));
  CHECK(driver.allowedShared == 100000);
  driver.kernelAttributes.maxThreadsPerBlock = 64;
  CHECK_FALSE(runPackage(driver, nullptr, "", package, quick()));
}

TEST_CASE("the PTX serves devices that the machine code does not fit", "[profiler]") {
  FakeCudaDriver driver;
  driver.info.computeMajor = 10;
  auto outcome = runPackage(driver, nullptr, "", scalePackage(), quick());
  REQUIRE(outcome);
  CHECK(driver.loadedImage == "ptx");
  KernelPackage package = scalePackage();
  package.ptx.clear();
  auto refused = runPackage(driver, nullptr, "", package, quick());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().hint.find("cuda:100") != std::string::npos);
}

TEST_CASE("clusters multiply the grid", "[profiler]") {
  FakeCudaDriver driver;
  KernelPackage package = scalePackage();
  package.numCtas = 2;
  REQUIRE(runPackage(driver, nullptr, "", package, quick()));
  CHECK(driver.launches[0].shape.grid[0] == 6);
  CHECK(driver.launches[0].shape.clusterBlocks == 2);
}

TEST_CASE("an empty grid launches nothing, and outputs alone take one launch", "[profiler]") {
  FakeCudaDriver driver;
  KernelPackage package = scalePackage();
  package.plan.grid = {0, 1, 1};
  auto empty = runPackage(driver, nullptr, "", package, quick());
  REQUIRE(empty);
  CHECK(driver.launches.empty());
  CHECK_FALSE(empty->measurement.timeUs);
  RunOptions options = quick();
  options.measure = false;
  REQUIRE(runPackage(driver, nullptr, "", scalePackage(), options));
  CHECK(driver.launches.size() == 1);
}

TEST_CASE("a plan that does not fit the kernel is refused", "[profiler]") {
  FakeCudaDriver driver;
  auto check = [&](const KernelPackage &package, const std::string &message) {
    auto outcome = runPackage(driver, nullptr, "", package, quick());
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().message.find(message) != std::string::npos);
  };
  KernelPackage missing = scalePackage();
  missing.parameters.push_back({"extra", "i32"});
  check(missing, "no value for parameter `extra`");
  KernelPackage swapped = scalePackage();
  swapped.parameters[3] = {"n", "*fp32"};
  check(swapped, "passes a scalar");
  KernelPackage real = scalePackage();
  real.parameters[2] = {"factor", "i32"};
  check(real, "`factor` is of type `i32`");
  driver.devices = 0;
  check(scalePackage(), "no device 0");
}

TEST_CASE("progress is told in order", "[profiler]") {
  FakeCudaDriver driver;
  std::string told;
  RunOptions options = quick();
  options.progress = [&](const RunState &state) { told += state.state + " "; };
  REQUIRE(runPackage(driver, nullptr, "", scalePackage(), options));
  CHECK(told == "prepare launch outputs measure outputs ");
}

/// A kernel that writes four numbers of one byte.
static KernelPackage bytesPackage(Dtype dtype) {
  KernelPackage package;
  package.symbol = "bytes";
  package.target = "cuda:90";
  package.numWarps = 1;
  package.parameters = {{"out_ptr", "*i8"}};
  package.plan.kernel = "bytes";
  package.plan.grid = {1, 1, 1};
  package.plan.args = {{"out_ptr", PlanTensor{dtype, {4}, {}}}};
  package.cubin = "cubin";
  return package;
}

TEST_CASE("a number that is poison counts as written where a kernel has written it", "[profiler]") {
  FakeCudaDriver driver;
  const auto run = [&](const KernelPackage &package, const std::vector<int8_t> &numbers) {
    driver.kernelBody = [numbers](void **parameters) {
      auto *out = *static_cast<int8_t **>(parameters[0]);
      for (size_t i = 0; i < numbers.size(); ++i)
        if (i != 2)
          out[i] = numbers[i];
    };
    RunOptions options = quick();
    options.measure = false;
    auto outcome = runPackage(driver, nullptr, "", package, options);
    REQUIRE(outcome);
    return std::move(*outcome);
  };
  const auto unwritten = [](const RunTensor &tensor) {
    std::vector<bool> each;
    for (int64_t i = 0; i < tensor.after.numElements(); ++i)
      each.push_back(tensor.unwritten.has(tensor.after, i));
    return each;
  };
  const RunOutcome some = run(bytesPackage(Dtype::Int8), {-91, 5, 0, -91});
  CHECK(unwritten(some.tensors[0]) == std::vector<bool>{false, false, true, false});
  // What is fetched is what the launch on poison left.
  CHECK(some.tensors[0].after.at(2) == -91);
  CHECK(some.measurement.launches == 2);
  KernelPackage three = bytesPackage(Dtype::Int8);
  three.plan.args = {{"out_ptr", PlanTensor{Dtype::Int8, {2}, {}}}};
  const RunOutcome all = run(three, {-91, 5});
  CHECK(unwritten(all.tensors[0]) == std::vector<bool>{false, false});
  KernelPackage one = bytesPackage(Dtype::Int8);
  one.plan.args = {{"out_ptr", PlanTensor{Dtype::Int8, {1}, {}}}};
  CHECK(run(one, {-91}).measurement.outputs[0].changed);
  CHECK_FALSE(run(one, {}).measurement.outputs[0].changed);
  // Nothing is in doubt without poison.
  CHECK(run(three, {4, 5}).measurement.launches == 1);
  const RunOutcome flags = run(bytesPackage(Dtype::Int1), {1, 0, 0, 1});
  CHECK(unwritten(flags.tensors[0]) == std::vector<bool>{false, false, true, false});
}
