// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/driver/CudaDriver.h"
#include "profiler/driver/Cupti.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::profiler {

/// When a kernel of a graph ran, in microseconds from the begin of the first one.
struct GraphSpan {
  double startUs = 0;
  double us = 0;
  bool operator==(const GraphSpan &) const = default;
};

/// The kernels of a graph with their symbols.
struct RecordedGraph {
  std::vector<GraphKernel> kernels;
  std::vector<std::string> symbols;
};

/// Spans of the graph's kernels, in their order, from the records of one launch. Records tell of which node they
/// are; nodes are numbered as they were added. Nothing: the records are not those of these kernels.
std::optional<std::vector<GraphSpan>> graphSpans(std::vector<KernelRecord> records,
                                                 const std::vector<std::string> &symbols);

/// Launches the graph a few times while CUPTI, which must not record already, records kernels, and returns the
/// spans of the last launch; nothing where records are missing.
Result<std::optional<std::vector<GraphSpan>>> recordGraph(CudaDriver &driver, Cupti &cupti,
                                                          const RecordedGraph &graph);

} // namespace tilescope::profiler
