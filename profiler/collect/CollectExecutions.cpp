// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/CollectExecutions.h"

#include "profiler/collect/PackageRun.h"

#include <map>
#include <optional>
#include <string_view>

namespace tilescope::profiler {

// CUPTI's names.
static constexpr std::string_view kExecuted = "smsp__sass_inst_executed";
static constexpr std::string_view kThreads = "smsp__sass_thread_inst_executed";
static constexpr std::string_view kThreadsOn = "smsp__sass_thread_inst_executed_pred_on";
static constexpr std::string_view kSectors = "smsp__sass_sectors_mem_global";
static constexpr std::string_view kIdealSectors = "smsp__sass_sectors_mem_global_ideal";
static constexpr std::string_view kWavefronts = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared";
static constexpr std::string_view kIdealWavefronts =
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal";

static std::vector<std::string> metricNames() {
  std::vector<std::string> names;
  for (const std::string_view name :
       {kExecuted, kThreads, kThreadsOn, kSectors, kIdealSectors, kWavefronts, kIdealWavefronts})
    names.emplace_back(name);
  return names;
}

static void take(const InstructionRecord &record, ExecutionCounts &counts) {
  const auto addTo = [&](std::optional<uint64_t> &sum) { sum = sum.value_or(0) + record.value; };
  if (record.metric == kExecuted)
    counts.executed += record.value;
  else if (record.metric == kThreads)
    counts.threads += record.value;
  else if (record.metric == kThreadsOn)
    counts.threadsOn += record.value;
  else if (record.metric == kSectors)
    addTo(counts.sectors);
  else if (record.metric == kIdealSectors)
    addTo(counts.idealSectors);
  else if (record.metric == kWavefronts)
    addTo(counts.wavefronts);
  else if (record.metric == kIdealWavefronts)
    addTo(counts.idealWavefronts);
}

ExecutionData sumExecutions(const std::vector<InstructionRecord> &records,
                            const std::string &function) {
  std::map<uint32_t, ExecutionCounts> byOffset;
  for (const InstructionRecord &record : records)
    if (record.function == function)
      take(record, byOffset[uint32_t(record.offset)]);
  ExecutionData data;
  for (const auto &[offset, counts] : byOffset)
    data.instructions.push_back({offset, counts});
  return data;
}

namespace {
struct Counting {
  InstructionCounter &counter;
  std::optional<DriverRefusal> refusal = std::nullopt;

  Status refuse(const DriverRefusal &reason) {
    refusal = reason;
    return Error{ErrorCode::Environment, reason.words, ""};
  }
  Status begin(int ordinal);
  Result<std::vector<InstructionRecord>> end(PackageRun &run);
};
} // namespace

/// Before the kernel is loaded: code that has been launched once is not counted any more.
Status Counting::begin(int ordinal) {
  if (Granted opened = counter.open(ordinal, metricNames()); !opened)
    return refuse(opened.refusal());
  if (Granted started = counter.start(); !started)
    return refuse(started.refusal());
  return {};
}

Result<std::vector<InstructionRecord>> Counting::end(PackageRun &run) {
  if (Status status = run.driver().synchronize(); !status)
    return run.inKernel(status.error());
  auto taken = counter.take();
  if (!taken)
    return refuse(taken.refusal()).error();
  // The counts are there; the process ends soon in any case.
  (void)counter.close();
  return *std::move(taken);
}

Result<Grant<ExecutionData>> collectExecutions(CudaDriver &driver, InstructionCounter &counter,
                                               const KernelPackage &package,
                                               const RunOptions &options) {
  PackageRun run(driver, package, options);
  Counting counting{counter};
  // The first launch is the counted one.
  const Status status = run.start([&] { return counting.begin(options.device); });
  if (status && run.isEmpty())
    return Grant<ExecutionData>(
        DriverRefusal{RefusalKind::Other, "an empty grid has nothing to count"});
  auto records =
      status ? counting.end(run) : Result<std::vector<InstructionRecord>>(status.error());
  if (counting.refusal)
    return Grant<ExecutionData>(*counting.refusal);
  if (!records)
    return records.error();
  ExecutionData data = sumExecutions(*records, package.symbol);
  if (data.instructions.empty())
    return Grant<ExecutionData>(
        DriverRefusal{RefusalKind::Other, "CUPTI counted no instruction of the kernel"});
  return Grant<ExecutionData>(std::move(data));
}

} // namespace tilescope::profiler
