// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Profiles that were recorded on an H100 (tests/support/recorded), read and shown as new ones are.
#include "profiler/analysis/ProfileFigures.h"
#include "profiler/analysis/ProfilePictures.h"
#include "profiler/runner/TextOutput.h"
#include "tests/unit/profiler/RecordedMeasurement.h"

using namespace tilescope;
using namespace tilescope::profiler;
using Catch::Matchers::Contains;
using tilescope::profiler::test::recorded;

TEST_CASE("an addition moves what it must, and no more", "[profiler]") {
  const Measurement measurement = recorded("vector_add");
  constexpr double kElements = 67108864;
  const CounterData &counters = *measurement.counters;
  CHECK(metricValue(counters, "fp32_add") == kElements);
  CHECK(metricValue(counters, "global_load_sectors") == 2 * kElements * 4 / 32);
  CHECK(metricValue(counters, "global_store_sectors") == kElements * 4 / 32);
  CHECK(metricValue(counters, "fp32_fma") == 0);
  const MemoryFlow flow = memoryFlow(counters);
  CHECK(flow.dramReadBytes == Approx(2 * kElements * 4).epsilon(0.01));
  CHECK(flow.l2ToL1Bytes == Approx(2 * kElements * 4).epsilon(0.01));
  CHECK(flow.l1HitRate == 0);
  // Loads of 16 bytes in each lane.
  CHECK(flow.sectorsPerLoad == Approx(16));
  const auto roofline = measuredRoofline(counters);
  REQUIRE(roofline);
  CHECK(roofline->bound == "DRAM");
  CHECK(roofline->boundShare == Approx(0.9).margin(0.02));
  // As the data sheet says.
  CHECK(roofline->roofs[0].peakBytesPerS == Approx(3.35e12).epsilon(0.01));
  CHECK(warpStates(counters).front().metric->id == "stall_long_scoreboard");
}

TEST_CASE("copies into shared memory are no loads to registers", "[profiler]") {
  const Measurement measurement = recorded("matmul");
  CounterData counters = *measurement.counters;
  // The recording has no counter of its own for `cp.async.cg`.
  const MemoryFlow flow = memoryFlow(counters);
  CHECK(flow.hasUncountedCopies);
  CHECK_FALSE(flow.globalLoadBytes);
  CHECK_FALSE(flow.asyncCopyBytes);
  const auto picture = memoryPicture(counters);
  REQUIRE(picture);
  CHECK(picture->summary().find("load: not measured") != std::string::npos);
  CHECK(picture->summary().find("cp.async: not measured") != std::string::npos);
  const auto roofline = measuredRoofline(counters);
  REQUIRE(roofline);
  const auto l1 = std::ranges::find(roofline->roofs, "L1", &RooflineRoof::name);
  REQUIRE(l1 != roofline->roofs.end());
  CHECK(l1->text() == "not measured");
  // With it, the two are told apart.
  const double all = *metricValue(counters, "global_load_sectors");
  for (const Metric &metric : metricTable())
    if (metric.id == "async_bypass_sectors")
      counters.values.emplace(metric.name, all - 100);
  const MemoryFlow told = memoryFlow(counters);
  CHECK_FALSE(told.hasUncountedCopies);
  CHECK(told.asyncCopyBytes == (all - 100) * 32);
  CHECK(told.globalLoadBytes == 3200);
  CHECK(memoryPicture(counters)->summary().find("cp.async 2.15 GB") != std::string::npos);
  // Kernels without copies have both.
  for (const char *name : {"vector_add", "fused_softmax"}) {
    const CounterData others = *recorded(name).counters;
    CHECK_FALSE(memoryFlow(others).hasUncountedCopies);
    CHECK(memoryFlow(others).globalLoadBytes);
    CHECK(measuredRoofline(others)->roofs.back().unmeasured.empty());
  }
}

TEST_CASE("a product does its operations in tensor cores", "[profiler]") {
  const Measurement measurement = recorded("matmul");
  const CounterData &counters = *measurement.counters;
  CHECK(metricValue(counters, "tensor_fp16") == 2.0 * 4096 * 4096 * 4096);
  const auto roofline = measuredRoofline(counters);
  REQUIRE(roofline);
  const auto units = std::ranges::find(roofline->units, "fp16 tensor", &RooflineUnits::name);
  REQUIRE(units != roofline->units.end());
  // 1024 multiply-adds of a multiprocessor in a cycle for each of its four tensor cores.
  const double dense = 132 * 4 * 512 * 2 * *metricValue(counters, "sm_clock");
  CHECK(units->peakPerS == Approx(dense));
  // The share of that peak is the tensor cores' own, but for the time at both ends.
  CHECK(units->perS / units->peakPerS ==
        Approx(*metricValue(counters, "tensor_active") / 100).epsilon(0.1));
}

TEST_CASE("recorded samples and counters agree on why warps wait", "[profiler]") {
  for (const char *name : {"vector_add", "fused_softmax"}) {
    const Measurement measurement = recorded(name);
    std::map<std::string, uint64_t> sums;
    for (const StallSample &stall : measurement.samples->stalls)
      sums[measurement.samples->reasons[stall.reason]] += stall.samples;
    const auto all = double(measurement.samples->kernelSamples());
    for (const WarpState &state : warpStates(*measurement.counters)) {
      if (state.share < 0.05)
        continue;
      const std::string reason(state.metric->id.substr(6));
      INFO(name << " " << reason);
      CHECK(double(sums[reason]) / all == Approx(state.share).margin(0.03));
    }
  }
}

TEST_CASE("recorded profiles are shown in full", "[profiler]") {
  for (const char *name : {"vector_add", "fused_softmax", "matmul"}) {
    const Measurement measurement = recorded(name);
    const std::string text = describeMeasurement(measurement);
    INFO(name);
    for (const char *part : {"profile   hardware counters (full set, 24 passes, GH100) and samples",
                             "Overview", "Memory chart", "Compute pipes and tensor cores",
                             "Scheduler", "Warp states", "Occupancy", "Roofline", "Samples"})
      CHECK_THAT(text, Contains(part));
    // The product has copies into shared memory.
    CHECK(memoryPicture(*measurement.counters)->arrows.size() ==
          (std::string(name) == "matmul" ? 11 : 10));
    // The product's copies pass L1 by.
    CHECK(rooflinePicture(*measurement.counters)->points.size() ==
          (std::string(name) == "matmul" ? 2 : 3));
    CHECK(speedOfLightBars(*measurement.counters).rows.size() == 5);
  }
}

TEST_CASE("what is no number among the outputs is counted in words", "[profiler]") {
  Measurement measurement;
  OutputResult output;
  output.name = "out";
  output.dtype = "fp32";
  output.shape = {1000};
  const auto shown = [&](int64_t numNan, int64_t numInfinite) {
    output.numNan = numNan;
    output.numInfinite = numInfinite;
    measurement.outputs = {output};
    return describeMeasurement(measurement);
  };
  CHECK_THAT(shown(3, 1), Contains("; 3 of 1000 elements are NaN, 1 is infinite"));
  CHECK_THAT(shown(1, 0), Contains("; 1 of 1000 elements is NaN\n"));
  CHECK_THAT(shown(0, 20), Contains("; 20 of 1000 elements are infinite\n"));
  CHECK_THAT(shown(0, 0), !Contains("NaN") && !Contains("infinite"));
}
