// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/CollectTrace.h"

#include "tests/unit/profiler/TraceScratch.h"
#include "tests/unit/profiler/collect/FakeCudaDriver.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::profiler;
using namespace tilescope::profiler::test;

namespace {

/// A device on which the kernel with a profile scratch records, and takes a little longer.
struct TracingDevice {
  FakeCudaDriver driver;
  std::vector<KernelRecord> pending;
  uint64_t clock = 1000;
  TraceTable table = sampleTable();
  uint64_t tracedNs = 10400;
  /// What the kernels write: the traced one's, and the other's from launch to launch.
  float tracedOutput = 5, plainOutput = 5, plainStep = 0;
  bool recordsNothing = false;

  TracingDevice();
};

} // namespace

TracingDevice::TracingDevice() {
  driver.kernelBody = [this](void **parameters) {
    auto *scratch = *static_cast<uint8_t **>(parameters[2]);
    // What has more warps in this test costs more.
    const uint64_t ns = tracedNs + (driver.launches.back().shape.threads - 128) * 100;
    pending.push_back({"k", clock, clock + (scratch ? ns : 10000), {1, 1, 1}, 0, 0, 0});
    clock += 20000;
    **static_cast<float **>(parameters[0]) = scratch ? tracedOutput : plainOutput;
    if (!scratch)
      plainOutput += plainStep;
    if (scratch && !recordsNothing)
      writeWarp(table, scratch, 1, {3, 1000, 50, 21000, 40050, {{150, 0, 1}, {162, 1, 0}}});
  };
}

static KernelPackage package(bool isTraced) {
  KernelPackage package;
  package.symbol = "k";
  package.target = "cuda:90";
  package.numWarps = 4;
  package.parameters = {{"x_ptr", "*fp32"}};
  package.plan.kernel = "k";
  package.plan.args = {{"x_ptr", PlanTensor{Dtype::Fp32, {4}, {}}}};
  package.cubin = "cubin";
  if (isTraced)
    package.trace = sampleTable();
  return package;
}

static Grant<CollectedTrace> collectFirst(TracingDevice &device,
                                          const std::vector<KernelPackage> &traced) {
  PendingCupti cupti(device.pending);
  RunOptions options;
  options.warmUpTime = std::chrono::milliseconds(0);
  auto collected = collectTrace(device.driver, &cupti, "", {package(false), traced}, options);
  REQUIRE(collected);
  return *collected;
}

static Grant<TraceData> collect(TracingDevice &device, const KernelPackage &traced) {
  const auto collected = collectFirst(device, {traced});
  if (!collected)
    return Grant<TraceData>(collected.refusal());
  CHECK(collected->kernel == 0);
  return Grant<TraceData>(collected->trace);
}

TEST_CASE("both kernels are measured in turn, and the traced one is decoded", "[profiler]") {
  TracingDevice device;
  const auto trace = collect(device, package(true));
  REQUIRE(trace);
  CHECK(trace->plainUs == Approx(10));
  CHECK(trace->tracedUs == Approx(10.4));
  CHECK(trace->slowdown == Approx(0.04));
  CHECK(trace->outputsEqual == true);
  CHECK(trace->coldL2);
  CHECK(trace->table == sampleTable());
  REQUIRE(trace->warps.size() == 1);
  CHECK(trace->warps[0].warp == 2);
  CHECK(trace->warps[0].spans == std::vector<TraceSpan>{{1, 100, 112}});
  // The scratch is cleared when it is made, twice, and before the launch that counts; what the cache
  // is emptied with is filled twice.
  CHECK(device.driver.fills == 5);
}

TEST_CASE("a trace that slows the kernel down by more than 15 % is refused", "[profiler]") {
  TracingDevice device;
  device.tracedNs = 11600;
  const auto trace = collect(device, package(true));
  REQUIRE_FALSE(trace);
  CHECK(trace.refusal().kind == RefusalKind::Distorted);
  CHECK(trace.refusal().words == "reading clocks makes the kernel 16 % slower (11.60 instead of "
                                 "10.00 us), and above 15 % a trace says little about the kernel "
                                 "as it is");
  device.tracedNs = 11400;
  CHECK(collect(device, package(true)));
  // Much faster is not the same kernel, either.
  device.tracedNs = 8000;
  const auto faster = collect(device, package(true));
  REQUIRE_FALSE(faster);
  CHECK(faster.refusal().words.starts_with("reading clocks makes the kernel 20 % faster (8.00"));
}

TEST_CASE("of several kernels with clock reads, the first that costs little enough counts",
          "[profiler]") {
  TracingDevice device;
  KernelPackage dear = package(true);
  dear.numWarps = 5;
  const auto collected = collectFirst(device, {dear, dear, package(true)});
  REQUIRE(collected);
  CHECK(collected->kernel == 2);
  CHECK(collected->firstSlowdown == Approx(0.36));
  CHECK(collected->trace.slowdown == Approx(0.04));
  const auto refused = collectFirst(device, {dear, dear});
  REQUIRE_FALSE(refused);
  CHECK(refused.refusal().kind == RefusalKind::Distorted);
}

TEST_CASE("a trace that changes the outputs is refused", "[profiler]") {
  TracingDevice device;
  device.tracedOutput = 5.000001f;
  const auto trace = collect(device, package(true));
  REQUIRE_FALSE(trace);
  CHECK(trace.refusal().kind == RefusalKind::Distorted);
  CHECK(trace.refusal().words == "the kernel's outputs are others when it reads clocks");
}

TEST_CASE("where a kernel does not repeat its outputs, nothing is said of them", "[profiler]") {
  TracingDevice device;
  device.plainStep = 1;
  const auto trace = collect(device, package(true));
  REQUIRE(trace);
  CHECK_FALSE(trace->outputsEqual.has_value());
}

TEST_CASE("what cannot be traced is refused with the reason", "[profiler]") {
  TracingDevice device;
  SECTION("no operations") {
    KernelPackage bare = package(true);
    bare.trace->scopes.clear();
    CHECK(collect(device, bare).refusal().words ==
          "the kernel has no operations that a trace shows");
  }
  SECTION("a package without clock reads") {
    CHECK(collect(device, package(false)).refusal().words ==
          "the kernel has no operations that a trace shows");
  }
  SECTION("programs that the grid does not have") {
    device.recordsNothing = true;
    CHECK(collect(device, package(true)).refusal().words ==
          "the grid has none of the programs that were to be traced");
  }
  SECTION("another table than the kernel's") {
    device.table.scopes[0].id = 9;
    KernelPackage other = package(true);
    other.trace->scopes[0].id = 9;
    const auto trace = collect(device, other);
    REQUIRE_FALSE(trace);
    CHECK(trace.refusal().words == "the trace of program 0, warp 2 is broken: it has no scope 1");
  }
}

TEST_CASE("a kernel that faults while it is traced is an error", "[profiler]") {
  TracingDevice device;
  PendingCupti cupti(device.pending);
  device.driver.faults[2] = {ErrorCode::InvalidInput, "ILLEGAL_ADDRESS", ""};
  RunOptions options;
  options.warmUpTime = std::chrono::milliseconds(0);
  const auto trace =
      collectTrace(device.driver, &cupti, "", {package(false), {package(true)}}, options);
  REQUIRE_FALSE(trace);
  CHECK(trace.error().message == "kernel `k`: ILLEGAL_ADDRESS");
}
