// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/CollectCounters.h"

#include "profiler/collect/ColdCache.h"
#include "profiler/collect/PackageRun.h"
#include "profiler/data/Metric.h"

#include <algorithm>

namespace tilescope::profiler {

namespace {
/// A refusal ends the steps as an error does, and is told from one by `refusal`.
struct Collection {
  RangeProfiler &profiler;
  bool isFull;
  CounterData data;
  std::vector<std::string> names;
  int passes = 0;
  std::optional<DriverRefusal> refusal;

  Status refuse(const DriverRefusal &reason) {
    refusal = reason;
    return Error{ErrorCode::Environment, reason.words, ""};
  }
  Status configure(int ordinal);
  Status pass(PackageRun &run, ColdCache &cache, bool &isLast);
  Status collect(PackageRun &run);
};
} // namespace

Status Collection::configure(int ordinal) {
  const auto chip = profiler.open(ordinal);
  if (!chip)
    return refuse(chip.refusal());
  data.chip = *chip;
  data.isFull = isFull;
  for (const Metric *metric : metricsOf(data.chip, isFull))
    names.emplace_back(metric->name);
  const auto needed = profiler.configure(names);
  if (!needed)
    return refuse(needed.refusal());
  passes = *needed;
  return {};
}

Status Collection::pass(PackageRun &run, ColdCache &cache, bool &isLast) {
  // It may take more than it said.
  run.announce({"measure", data.passes + 1, std::max(passes, data.passes + 1)});
  CudaDriver &driver = run.driver();
  if (Status status = run.restore(); !status)
    return status;
  if (Status status = cache.flush(); !status)
    return status;
  if (Status status = driver.synchronize(); !status)
    return run.inKernel(status.error());
  if (Granted started = profiler.startPass(); !started)
    return refuse(started.refusal());
  if (Status status = run.launch(); !status)
    return status;
  if (Status status = driver.synchronize(); !status)
    return run.inKernel(status.error());
  const Grant<bool> stopped = profiler.stopPass();
  if (!stopped)
    return refuse(stopped.refusal());
  isLast = *stopped;
  return {};
}

Status Collection::collect(PackageRun &run) {
  ColdCache cache(run.driver(), run.device());
  // Without memory for it, the cache stays warm, and the result says so.
  data.coldL2 = run.options().coldL2 && cache.prepare();
  bool isLast = false;
  // CUPTI says when it has enough; that it never does would be a defect of its own.
  const int most = 2 * passes + 2;
  while (!isLast && data.passes < most) {
    if (Status status = pass(run, cache, isLast); !status)
      return status;
    ++data.passes;
  }
  const auto values = profiler.values();
  if (!values)
    return refuse(values.refusal());
  for (size_t i = 0; i < names.size(); ++i)
    if ((*values)[i])
      data.values.emplace(names[i], *(*values)[i]);
  return {};
}

Result<Grant<CounterData>> collectCounters(CudaDriver &driver, RangeProfiler &profiler,
                                           const KernelPackage &package, const RunOptions &options,
                                           bool full) {
  Collection collection{profiler, full, {}, {}, 0, {}};
  PackageRun run(driver, package, options);
  Status status = run.start([&] { return collection.configure(options.device); });
  if (status && run.isEmpty())
    return Grant<CounterData>(
        DriverRefusal{RefusalKind::Other, "an empty grid has nothing to count"});
  if (status)
    status = collection.collect(run);
  if (collection.refusal)
    return Grant<CounterData>(*collection.refusal);
  if (!status)
    return status.error();
  // The values are there; the process ends soon in any case.
  (void)profiler.close();
  return Grant<CounterData>(std::move(collection.data));
}

} // namespace tilescope::profiler
