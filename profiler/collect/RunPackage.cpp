// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/RunPackage.h"

#include "profiler/analysis/Throughput.h"
#include "profiler/collect/LaunchCost.h"
#include "profiler/collect/MeasureTimes.h"
#include "profiler/collect/PackageRun.h"

namespace tilescope::profiler {

static Status measure(PackageRun &run, Cupti *cupti, const std::string &cuptiReason) {
  run.announce({"measure"});
  Measurement &measurement = run.measurement();
  TimedLaunch timed{run.package().symbol, [&run] { return run.launch(); }};
  auto runs =
      measureTimes(run.driver(), cupti, cuptiReason, measurement.device, timed, run.options());
  if (!runs)
    return run.inKernel(runs.error());
  measurement.launches += runs->launches;
  measurement.timeSource = runs->source;
  measurement.coldL2 = runs->coldL2;
  measurement.notes.insert(measurement.notes.end(), runs->notes.begin(), runs->notes.end());
  measurement.timeUs = timeStats(std::move(runs->samplesUs));
  if (cupti)
    if (Status status = cupti->disable(); !status)
      return status;
  if (runs->source == TimeSource::Cupti) {
    const auto cost = measureLaunchCost(run, measurement.timeUs->median, runs->coldL2);
    if (!cost)
      return cost.error();
    measurement.launchOverhead = *cost;
  }
  // The ceiling is a comfort: without it (no memory for two buffers) the measurement still stands.
  if (auto copy = measureCopy(run.driver(), measurement.device); copy && *copy > 0)
    measurement.copyGbPerS = *copy;
  return {};
}

Result<RunOutcome> runPackage(CudaDriver &driver, Cupti *cupti, const std::string &cuptiReason,
                              const KernelPackage &package, const RunOptions &options) {
  if (cupti)
    if (Status status = cupti->enable(); !status)
      return status.error();
  PackageRun run(driver, package, options);
  if (Status status = run.start(); !status)
    return status.error();
  if (Status status = run.findUnwritten(); !status)
    return status.error();
  if (options.measure && !run.isEmpty())
    if (Status status = measure(run, cupti, cuptiReason); !status)
      return status.error();
  run.announce({"outputs"});
  deriveThroughput(run.measurement());
  return run.takeOutcome();
}

} // namespace tilescope::profiler
