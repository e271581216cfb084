// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/CollectTrace.h"

#include "profiler/analysis/DecodeTrace.h"
#include "profiler/collect/ColdCache.h"
#include "profiler/collect/Interleave.h"
#include "profiler/collect/PackageRun.h"

#include <cmath>
#include <fmt/format.h>

namespace tilescope::profiler {

namespace {
struct Outputs {
  /// Of the two kernels.
  std::vector<RunTensor> plain, traced;
  /// Of another launch of the plain one.
  std::vector<RunTensor> repeated;
};
} // namespace

/// Of the tensors after the launch, each bit.
static bool areEqual(const std::vector<RunTensor> &a, const std::vector<RunTensor> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const RunTensor &x, const RunTensor &y) {
                      return x.name == y.name && x.after.data == y.after.data;
                    });
}

/// Nothing where the plain kernel does not repeat its own outputs.
static std::optional<bool> outputsEqual(const Outputs &outputs) {
  if (areEqual(outputs.plain, outputs.traced))
    return true;
  if (!areEqual(outputs.plain, outputs.repeated))
    return std::nullopt;
  return false;
}

namespace {
/// Of kernels that were measured in turn, the plain one first.
struct TurnTimes {
  std::vector<double> mediansUs;
  bool coldL2 = true;

  double slowdown(size_t kernel) const {
    return mediansUs[0] > 0 ? mediansUs[kernel] / mediansUs[0] - 1 : 0;
  }
};
} // namespace

static Result<TurnTimes> measureInTurn(CudaDriver &driver, Cupti *cupti,
                                       const std::string &cuptiReason, const TracedKernels &kernels,
                                       const RunOptions &options) {
  InterleaveOptions interleaved;
  interleaved.run = options;
  interleaved.progress = [&options](const RunState &state, size_t) {
    if (options.progress)
      options.progress(state);
  };
  interleaved.maxRounds = 40;
  interleaved.maxTime = std::chrono::milliseconds(2000);
  std::vector<KernelPackage> packages{kernels.plain};
  packages.insert(packages.end(), kernels.traced.begin(), kernels.traced.end());
  const auto run = interleave(driver, cupti, cuptiReason, packages, interleaved);
  if (!run)
    return run.error();
  for (const InterleavedKernel &kernel : run->kernels)
    if (kernel.error)
      return *kernel.error;
  TurnTimes times;
  for (const InterleavedKernel &kernel : run->kernels) {
    if (!kernel.measurement.timeUs)
      return Error{ErrorCode::Environment, "the kernels' times could not be measured", ""};
    times.mediansUs.push_back(kernel.measurement.timeUs->median);
    times.coldL2 = kernel.measurement.coldL2;
  }
  return times;
}

/// The outputs of a package's first launch.
static Result<std::vector<RunTensor>> outputsOf(CudaDriver &driver, const KernelPackage &package,
                                                const RunOptions &options, TensorPool &pool) {
  PackageRun run(driver, package, options, &pool);
  if (Status status = run.start(); !status)
    return status.error();
  return run.takeTensors();
}

/// One launch of the traced kernel, on the data that the first one began with.
static Result<std::vector<uint8_t>> record(PackageRun &run, const RunOptions &options) {
  CudaDriver &driver = run.driver();
  ColdCache cache(driver, run.device());
  if (options.coldL2)
    (void)cache.prepare();
  for (const Status &status : {run.restore(), run.clearTrace(), cache.flush()})
    if (!status)
      return status.error();
  if (Status status = run.launch(); !status)
    return status.error();
  if (Status status = driver.synchronize(); !status)
    return run.inKernel(status.error());
  return run.readTrace();
}

static std::string slowdownText(const TurnTimes &times, double most) {
  const size_t last = times.mediansUs.size() - 1;
  const double slowdown = times.slowdown(last);
  return fmt::format("reading clocks makes the kernel {:.0f} % {} ({:.2f} instead of {:.2f} us), "
                     "and above {:.0f} % a trace says little about the kernel as it is",
                     std::abs(slowdown) * 100, slowdown < 0 ? "faster" : "slower",
                     times.mediansUs[last], times.mediansUs[0], most * 100);
}

/// The trace itself, where the kernel is still the one that was to be traced.
static Result<Grant<TraceData>> takeTrace(CudaDriver &driver, const KernelPackage &plain,
                                          const KernelPackage &traced, const RunOptions &options,
                                          TraceData trace) {
  TensorPool pool(options.inputFolder);
  Outputs outputs;
  for (std::vector<RunTensor> *each : {&outputs.plain, &outputs.repeated}) {
    auto tensors = outputsOf(driver, plain, options, pool);
    if (!tensors)
      return tensors.error();
    *each = std::move(*tensors);
  }
  PackageRun run(driver, traced, options, &pool);
  if (Status status = run.start(); !status)
    return status.error();
  const auto scratch = record(run, options);
  if (!scratch)
    return scratch.error();
  outputs.traced = run.takeTensors();
  trace.outputsEqual = outputsEqual(outputs);
  if (trace.outputsEqual == false)
    return Grant<TraceData>(DriverRefusal{RefusalKind::Distorted,
                                          "the kernel's outputs are others when it reads clocks"});
  auto decoded = decodeTrace(*traced.trace, *scratch);
  if (!decoded)
    return Grant<TraceData>(DriverRefusal{RefusalKind::Other, decoded.error().message});
  if (decoded->warps.empty())
    return Grant<TraceData>(DriverRefusal{
        RefusalKind::Other, "the grid has none of the programs that were to be traced"});
  trace.table = *traced.trace;
  trace.warps = std::move(decoded->warps);
  trace.clockMhz = decoded->clockMhz;
  return Grant<TraceData>(std::move(trace));
}

Result<Grant<CollectedTrace>> collectTrace(CudaDriver &driver, Cupti *cupti,
                                           const std::string &cuptiReason,
                                           const TracedKernels &kernels,
                                           const RunOptions &options) {
  using Refused = Grant<CollectedTrace>;
  for (const KernelPackage &traced : kernels.traced)
    if (!traced.trace || traced.trace->scopes.empty())
      return Refused(
          DriverRefusal{RefusalKind::Other, "the kernel has no operations that a trace shows"});
  const auto &grid = kernels.plain.plan.grid;
  if (grid[0] * grid[1] * grid[2] == 0)
    return Refused(DriverRefusal{RefusalKind::Other, "an empty grid has nothing to trace"});
  const auto times = measureInTurn(driver, cupti, cuptiReason, kernels, options);
  if (!times)
    return times.error();
  size_t chosen = 1;
  // One that is much faster is another kernel, too.
  while (chosen <= kernels.traced.size() &&
         std::abs(times->slowdown(chosen)) > options.mostTraceSlowdown)
    ++chosen;
  if (chosen > kernels.traced.size())
    return Refused(
        DriverRefusal{RefusalKind::Distorted, slowdownText(*times, options.mostTraceSlowdown)});
  TraceData trace;
  trace.plainUs = times->mediansUs[0];
  trace.tracedUs = times->mediansUs[chosen];
  trace.slowdown = times->slowdown(chosen);
  trace.coldL2 = times->coldL2;
  auto taken =
      takeTrace(driver, kernels.plain, kernels.traced[chosen - 1], options, std::move(trace));
  if (!taken)
    return taken.error();
  if (!*taken)
    return Refused(taken->refusal());
  return Refused(CollectedTrace{**taken, chosen - 1, times->slowdown(1)});
}

} // namespace tilescope::profiler
