// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/Predict.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace tilescope::compiler;
using namespace tilescope::compiler::estimate;

/// A device with round numbers: a thousand cycles are a microsecond.
static DeviceRates roundDevice() {
  DeviceRates device;
  device.target = "cuda:90";
  device.name = "a test's";
  device.multiprocessors = 10;
  device.clockGhz = 1;
  device.dramGbPerS = 1000;
  device.l2Bytes = 1e6;
  device.l2BytesPerCycle = 50;
  return device;
}

/// What is added has no part, so that each number below is one of the model's.
static ModelConstants roundConstants() {
  ModelConstants constants;
  constants.dramEfficiency = 0.5;
  constants.writesKept = 0.5;
  constants.startUs = 2;
  constants.cyclesBetweenPrograms = 10;
  constants.exponent = 2;
  return constants;
}

static const EstimatePart &partOf(const Estimate &estimate, Bottleneck what) {
  for (const EstimatePart &part : estimate.parts)
    if (part.what == what)
      return part;
  FAIL("no such part");
  return estimate.parts.front();
}

TEST_CASE("each resource is given the time that it alone would take", "[compiler]") {
  EstimateFacts facts;
  facts.programs = 95;
  facts.warps = 8;
  facts.programsPerSm = 4;
  facts.instructions = 600;
  facts.aloneCycles = 1000;
  facts.pipeCycles[static_cast<size_t>(MachinePipe::Tensor)] = 900;
  facts.wavefronts = 400;
  facts.l2ReadBytes = 1e6;
  facts.dramReadBytes = 4e6;
  facts.dramWriteBytes = 1e6;
  const Estimate estimate = predict(facts, roundDevice(), roundConstants());
  REQUIRE(estimate.isKnown());
  // Of 95 programs, the busiest of 10 multiprocessors has 10: 20 warps in each quarter.
  CHECK(partOf(estimate, Bottleneck::IssueSlots).us == Approx(12));
  CHECK(partOf(estimate, Bottleneck::TensorPipe).us == Approx(18));
  CHECK(partOf(estimate, Bottleneck::L1).us == Approx(4));
  // Four at a time: three times one after the other.
  CHECK(partOf(estimate, Bottleneck::Latency).us == Approx(3));
  CHECK(partOf(estimate, Bottleneck::L2).us == Approx(2));
  // Half of the rate; of what is written, half a megabyte stays in L2.
  CHECK(partOf(estimate, Bottleneck::Dram).us == Approx(9));
  CHECK(estimate.bottleneck == Bottleneck::TensorPipe);
  // The start of 95 programs takes 0.95 µs, and that of the kernel 2 µs before all.
  CHECK(estimate.us ==
        Approx(2 + std::sqrt(12.0 * 12 + 18 * 18 + 4 * 4 + 3 * 3 + 2 * 2 + 9 * 9 + 0.95 * 0.95)));
}

TEST_CASE("a small grid cannot use all of a device", "[compiler]") {
  EstimateFacts facts;
  facts.programs = 1;
  facts.warps = 1;
  facts.programsPerSm = 8;
  facts.instructions = 100;
  facts.aloneCycles = 5000;
  facts.l2ReadBytes = 50000;
  const Estimate estimate = predict(facts, roundDevice(), roundConstants());
  CHECK(partOf(estimate, Bottleneck::Latency).us == Approx(5));
  // One warp is in one quarter.
  CHECK(partOf(estimate, Bottleneck::IssueSlots).us == Approx(0.1));
  // One multiprocessor gets what one can take.
  CHECK(partOf(estimate, Bottleneck::L2).us == Approx(1));
  CHECK(estimate.bottleneck == Bottleneck::Latency);
}

TEST_CASE("rates give the peaks of the data sheets", "[compiler]") {
  struct Sheet {
    const char *target, *device;
    /// TFLOP/s of fp32 outside tensor cores, and of dense fp16 products that are summed in fp32.
    double fp32, fp16;
    double gbPerS;
  };
  const Sheet sheets[] = {
      {"cuda:80", "NVIDIA A100-SXM4-40GB", 19.5, 312, 1555},
      {"cuda:80", "NVIDIA A100-SXM4-80GB", 19.5, 312, 2039},
      {"cuda:86", "NVIDIA GeForce RTX 3090", 35.6, 71, 936},
      {"cuda:89", "NVIDIA GeForce RTX 4090", 82.6, 165.2, 1008},
      {"cuda:89", "NVIDIA L40S", 91.6, 362.05, 864},
      {"cuda:100", "NVIDIA B200", 75, 0, 7700},
      {"cuda:120", "NVIDIA GeForce RTX 5090", 104.8, 209.5, 1792},
  };
  for (const Sheet &sheet : sheets) {
    INFO(sheet.device);
    const auto rates = deviceRates(sheet.target, sheet.device);
    REQUIRE(rates);
    const double quarters = 4.0 * rates->multiprocessors * rates->clockGhz / 1000;
    CHECK(2 * quarters * rates->fmaLanes == Approx(sheet.fp32).epsilon(0.01));
    // The products of the B200's sheet are those in tensor memory.
    if (sheet.fp16 > 0)
      CHECK(quarters * rates->warpTensorFlops == Approx(sheet.fp16).epsilon(0.02));
    CHECK(rates->dramGbPerS == Approx(sheet.gbPerS).epsilon(0.005));
  }
}

TEST_CASE("rates are those of the named device, or none", "[compiler]") {
  CHECK(deviceRates("cuda:80")->name == "A100 SXM");
  CHECK(deviceRates("cuda:100")->name == "B200");
  CHECK(deviceRates("cuda:120")->name == "RTX 5090");
  CHECK(deviceRates("cuda:90")->name == "H100 SXM");
  CHECK(deviceRates("cuda:90", "NVIDIA H200")->name == "H200");
  CHECK(deviceRates("cuda:90", "NVIDIA H100 80GB HBM3")->name == "H100 SXM");
  CHECK_FALSE(deviceRates("cuda:90", "NVIDIA GH200 480GB").has_value());
  CHECK(deviceRates("cuda:89", "NVIDIA L40S")->name == "L40S");
  CHECK_FALSE(deviceRates("cuda:75").has_value());
  CHECK_FALSE(deviceRates("cpu").has_value());
}
