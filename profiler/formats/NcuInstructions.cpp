// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/NcuInstructions.h"

#include <algorithm>
#include <cmath>

namespace tilescope::profiler {

// More than any kernel's code has.
static constexpr uint64_t kMostCodeBytes = UINT32_MAX;

std::optional<double> ncuValue(const ncu::Value &value) {
  if (value.has_real())
    return std::isfinite(value.real()) ? std::optional(value.real()) : std::nullopt;
  if (value.has_single())
    return std::isfinite(value.single()) ? std::optional<double>(value.single()) : std::nullopt;
  if (value.has_integer())
    return static_cast<double>(value.integer());
  if (value.has_word())
    return value.word();
  return std::nullopt;
}

static const ncu::Metric *find(const NcuMetrics &metrics, std::string_view name) {
  const auto found = metrics.find(name);
  return found == metrics.end() ? nullptr : found->second;
}

static uint64_t countOf(const ncu::Value &value) {
  constexpr double kMost = 1e18;
  const std::optional<double> number = ncuValue(value);
  return number && *number > 0 ? static_cast<uint64_t>(std::min(*number, kMost)) : 0;
}

/// Where the kernel's function begins; nothing where the report does not say it.
static std::optional<uint64_t> beginOfFunction(const NcuMetrics &metrics) {
  const ncu::Metric *begins = find(metrics, "launch__function_pcs");
  if (!begins || begins->instances().empty())
    return std::nullopt;
  return countOf(begins->instances(0).value());
}

/// The numbers of a metric by the offset of the instruction, zeros left out. `elsewhere` counts what
/// lies outside of the function.
static std::map<uint32_t, uint64_t> byOffset(const NcuMetrics &metrics, std::string_view name,
                                             uint64_t *elsewhere = nullptr) {
  std::map<uint32_t, uint64_t> counts;
  const std::optional<uint64_t> begin = beginOfFunction(metrics);
  const ncu::Metric *metric = find(metrics, name);
  if (!metric || !begin)
    return counts;
  for (const ncu::Instance &instance : metric->instances()) {
    const uint64_t address = instance.place().integer();
    const uint64_t count = countOf(instance.value());
    if (count == 0)
      continue;
    if (address >= *begin && address - *begin < kMostCodeBytes)
      counts[static_cast<uint32_t>(address - *begin)] += count;
    else if (elsewhere)
      *elsewhere += count;
  }
  return counts;
}

std::optional<SampleData> ncuSamples(const NcuMetrics &metrics) {
  static constexpr std::string_view kReason = "smsp__pcsamp_warps_issue_stalled_";
  static constexpr std::string_view kNotIssued = "_not_issued";
  const ncu::Metric *all = find(metrics, "smsp__pcsamp_sample_count");
  if (!all)
    return std::nullopt;
  SampleData samples;
  samples.launches = 1;
  samples.total = countOf(all->value());
  if (const ncu::Metric *period = find(metrics, "smsp__pcsamp_interval_cycles"))
    samples.periodCycles = countOf(period->value());
  for (auto each = metrics.lower_bound(kReason);
       each != metrics.end() && each->first.starts_with(kReason); ++each) {
    if (each->first.ends_with(kNotIssued))
      continue;
    const std::string lost = std::string(each->first) + std::string(kNotIssued);
    const auto numLost = byOffset(metrics, lost);
    const uint32_t reason = static_cast<uint32_t>(samples.reasons.size());
    samples.reasons.emplace_back(each->first.substr(kReason.size()));
    for (const auto &[offset, count] : byOffset(metrics, each->first, &samples.otherFunctions)) {
      const auto found = numLost.find(offset);
      const uint64_t notIssued = found == numLost.end() ? 0 : std::min(found->second, count);
      samples.stalls.push_back({offset, reason, count, notIssued});
    }
  }
  std::ranges::sort(samples.stalls, {},
                    [](const StallSample &stall) { return std::pair(stall.offset, stall.reason); });
  return samples;
}

std::optional<ExecutionData> ncuExecutions(const NcuMetrics &metrics) {
  const auto executed = byOffset(metrics, "inst_executed");
  if (executed.empty())
    return std::nullopt;
  const auto threads = byOffset(metrics, "thread_inst_executed");
  const auto threadsOn = byOffset(metrics, "thread_inst_executed_true");
  const auto sectors = byOffset(metrics, "memory_l2_theoretical_sectors_global");
  const auto idealSectors = byOffset(metrics, "memory_l2_theoretical_sectors_global_ideal");
  const auto wavefronts = byOffset(metrics, "memory_l1_wavefronts_shared");
  const auto idealWavefronts = byOffset(metrics, "memory_l1_wavefronts_shared_ideal");
  const auto at = [](const std::map<uint32_t, uint64_t> &counts, uint32_t offset) {
    const auto found = counts.find(offset);
    return found == counts.end() ? std::optional<uint64_t>() : found->second;
  };
  ExecutionData data;
  for (const auto &[offset, count] : executed)
    data.instructions.push_back(
        {offset,
         {count, at(threads, offset).value_or(0), at(threadsOn, offset).value_or(0),
          at(sectors, offset), at(idealSectors, offset), at(wavefronts, offset),
          at(idealWavefronts, offset)}});
  return data;
}

} // namespace tilescope::profiler
