// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/CollectSamples.h"

#include "profiler/collect/ColdCache.h"
#include "profiler/collect/PackageRun.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace tilescope::profiler {

static constexpr uint32_t kShortestPeriod = 5, kLongestPeriod = 31;

SamplingPlan samplingPlan(double durationUs, const DeviceInfo &device) {
  constexpr double kSampledUs = 20'000, kWantedSamples = 4e5;
  constexpr int kFewest = 5, kMost = 500;
  SamplingPlan plan;
  const double duration = std::max(durationUs, 1.0);
  plan.launches = std::clamp(int(kSampledUs / duration), kFewest, kMost);
  const double clockMhz = device.smClockKHz > 0 ? double(device.smClockKHz) / 1000 : 1500;
  const double multiprocessors = std::max(device.numSms, 1);
  // In each period one of a multiprocessor's schedulers is looked at.
  const double cycles = plan.launches * duration * clockMhz * multiprocessors;
  const double exponent = std::ceil(std::log2(std::max(cycles / kWantedSamples, 1.0)));
  plan.periodExponent = uint32_t(std::clamp(exponent, double(kShortestPeriod), 20.0));
  return plan;
}

namespace {
/// Where the samples of a reason go.
struct ReasonName {
  std::string name;
  bool isNotIssued = false;
};
} // namespace

/// Of `smsp__pcsamp_warps_issue_stalled_wait_not_issued` that is `wait`; nothing for what is no
/// reason.
static std::optional<ReasonName> reasonName(std::string_view name) {
  constexpr std::string_view kBegin = "smsp__pcsamp_warps_issue_stalled_", kEnd = "_not_issued";
  if (!name.starts_with(kBegin))
    return std::nullopt;
  name.remove_prefix(kBegin.size());
  const bool isNotIssued = name.ends_with(kEnd);
  if (isNotIssued)
    name.remove_suffix(kEnd.size());
  return ReasonName{std::string(name), isNotIssued};
}

SampleData sumSamples(const PcRecords &records, const std::map<uint32_t, std::string> &names,
                      const std::string &function) {
  std::map<std::pair<uint32_t, std::string>, StallSample> sums;
  SampleData data;
  data.total = records.total;
  data.dropped = records.dropped;
  data.nonUser = records.nonUser;
  for (const PcRecord &record : records.records)
    for (const auto &[number, count] : record.reasons) {
      const auto found = names.find(number);
      const auto reason = found == names.end() ? std::nullopt : reasonName(found->second);
      if (!reason || count == 0)
        continue;
      if (record.function != function) {
        data.otherFunctions += reason->isNotIssued ? 0 : count;
        continue;
      }
      StallSample &sum = sums[{uint32_t(record.offset), reason->name}];
      (reason->isNotIssued ? sum.notIssued : sum.samples) += count;
    }
  for (const auto &[key, sum] : sums)
    if (std::ranges::find(data.reasons, key.second) == data.reasons.end())
      data.reasons.push_back(key.second);
  std::ranges::sort(data.reasons);
  for (const auto &[key, sum] : sums) {
    const auto reason = std::ranges::find(data.reasons, key.second) - data.reasons.begin();
    data.stalls.push_back({key.first, uint32_t(reason), sum.samples, sum.notIssued});
  }
  return data;
}

namespace {
struct Sampling {
  PackageRun &run;
  PcSampler &sampler;
  ColdCache cache;
  std::optional<DriverRefusal> refusal = std::nullopt;

  Status refuse(const DriverRefusal &reason) {
    refusal = reason;
    return Error{ErrorCode::Environment, reason.words, ""};
  }
  Result<double> durationUs();
  Status sampleLaunch(const RunState &state);
  Status sampleAll(const SamplingPlan &plan, SampleData &data);
};
} // namespace

/// Of one launch, after a first one that warms up.
Result<double> Sampling::durationUs() {
  CudaDriver &driver = run.driver();
  const auto begin = driver.createEvent(), end = driver.createEvent();
  if (!begin || !end)
    return begin ? end.error() : begin.error();
  double duration = 0;
  for (int i = 0; i < 2; ++i) {
    for (const Status &status :
         {cache.flush(), driver.recordEvent(*begin), run.launch(), driver.recordEvent(*end)})
      if (!status)
        return run.inKernel(status.error());
    const auto elapsed = driver.elapsedUs(*begin, *end);
    if (!elapsed)
      return run.inKernel(elapsed.error());
    duration = *elapsed;
  }
  for (const EventHandle event : {*begin, *end})
    if (Status status = driver.releaseEvent(event); !status)
      return status.error();
  return duration;
}

Status Sampling::sampleLaunch(const RunState &state) {
  run.announce(state);
  CudaDriver &driver = run.driver();
  if (Status status = cache.flush(); !status)
    return status;
  if (Status status = driver.synchronize(); !status)
    return run.inKernel(status.error());
  if (Granted started = sampler.start(); !started)
    return refuse(started.refusal());
  if (Status status = run.launch(); !status)
    return status;
  if (Status status = driver.synchronize(); !status)
    return run.inKernel(status.error());
  if (Granted stopped = sampler.stop(); !stopped)
    return refuse(stopped.refusal());
  return {};
}

Status Sampling::sampleAll(const SamplingPlan &plan, SampleData &data) {
  PcSamplerSetup setup;
  setup.periodExponent = plan.periodExponent;
  const auto names = sampler.open(setup);
  if (!names)
    return refuse(names.refusal());
  if (Status status = run.restore(); !status)
    return status;
  for (int i = 0; i < plan.launches; ++i)
    if (Status status = sampleLaunch({"measure", i + 1, plan.launches}); !status)
      return status;
  const auto records = sampler.take();
  // Whatever happened, the next attempt begins with an open.
  (void)sampler.close();
  if (!records)
    return refuse(records.refusal());
  data = sumSamples(*records, *names, run.package().symbol);
  data.launches = plan.launches;
  data.periodCycles = uint64_t(1) << plan.periodExponent;
  return {};
}

Result<Grant<SampleData>> collectSamples(CudaDriver &driver, PcSampler &sampler,
                                         const KernelPackage &package, const RunOptions &options) {
  constexpr int kAttempts = 4;
  constexpr uint32_t kLonger = 2;
  PackageRun run(driver, package, options);
  if (Status status = run.start(); !status)
    return status.error();
  if (run.isEmpty())
    return Grant<SampleData>(
        DriverRefusal{RefusalKind::Other, "an empty grid has nothing to sample"});
  Sampling sampling{run, sampler, ColdCache(driver, run.device())};
  const bool isCold = options.coldL2 && sampling.cache.prepare();
  const auto duration = sampling.durationUs();
  if (!duration)
    return duration.error();
  SamplingPlan plan = samplingPlan(*duration, run.device());
  SampleData data;
  Status status;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    sampling.refusal.reset();
    status = sampling.sampleAll(plan, data);
    if (!sampling.refusal || sampling.refusal->kind != RefusalKind::OutOfMemory)
      break;
    plan.periodExponent = std::min(plan.periodExponent + kLonger, kLongestPeriod);
  }
  if (sampling.refusal)
    return Grant<SampleData>(*sampling.refusal);
  if (!status)
    return status.error();
  data.coldL2 = isCold;
  return Grant<SampleData>(std::move(data));
}

} // namespace tilescope::profiler
