// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/GraphTimeline.h"

#include <algorithm>

namespace tilescope::profiler {

/// The last of these is told: caches and clocks are then as they stay.
static constexpr int kLaunches = 3;

std::optional<std::vector<GraphSpan>> graphSpans(std::vector<KernelRecord> records,
                                                 const std::vector<std::string> &symbols) {
  // Kernels that do not wait for each other begin in any order.
  std::ranges::stable_sort(records, {}, &KernelRecord::graphNode);
  if (records.empty() || !std::ranges::equal(symbols, records, {}, {}, &KernelRecord::name))
    return std::nullopt;
  const uint64_t begin = std::ranges::min(records, {}, &KernelRecord::startNs).startNs;
  std::vector<GraphSpan> spans;
  for (const KernelRecord &record : records)
    spans.push_back(
        {double(record.startNs - begin) / 1e3, double(record.endNs - record.startNs) / 1e3});
  return spans;
}

static Result<std::vector<KernelRecord>> lastRecords(CudaDriver &driver, Cupti &cupti,
                                                     GraphHandle graph) {
  Result<std::vector<KernelRecord>> records = std::vector<KernelRecord>();
  for (int i = 0; i < kLaunches && records; ++i) {
    if (Status status = driver.launchGraph(graph); !status)
      return status.error();
    if (Status status = driver.synchronize(); !status)
      return status.error();
    records = cupti.take();
  }
  return records;
}

Result<std::optional<std::vector<GraphSpan>>> recordGraph(CudaDriver &driver, Cupti &cupti,
                                                          const RecordedGraph &graph) {
  if (Status status = cupti.enable(); !status)
    return status.error();
  if (auto dropped = cupti.take(); !dropped)
    return dropped.error();
  // Made while CUPTI looks, so that it knows the graph's nodes.
  const auto made = driver.makeGraph(graph.kernels);
  if (!made)
    return made.error();
  auto records = lastRecords(driver, cupti, *made);
  if (!records)
    return records.error();
  if (Status status = driver.releaseGraph(*made); !status)
    return status.error();
  if (Status status = cupti.disable(); !status)
    return status.error();
  return graphSpans(std::move(*records), graph.symbols);
}

} // namespace tilescope::profiler
