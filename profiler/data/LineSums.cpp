// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/LineSums.h"

#include <map>

namespace tilescope::profiler {

void addUpLines(SampleData &samples, const LineByOffset &lineAt) {
  std::map<uint32_t, LineSamples> byLine;
  uint64_t mapped = 0;
  for (const StallSample &stall : samples.stalls) {
    const auto found = lineAt.find(stall.offset);
    if (found == lineAt.end() || stall.samples == 0)
      continue;
    LineSamples &line = byLine[found->second];
    line.line = found->second;
    line.samples += stall.samples;
    line.notIssued += stall.notIssued;
    line.reasons[samples.reasons[stall.reason]] += stall.samples;
    mapped += stall.samples;
  }
  samples.lines.clear();
  for (auto &[number, line] : byLine)
    samples.lines.push_back(std::move(line));
  samples.mappedShare.reset();
  if (const uint64_t all = samples.kernelSamples(); all > 0)
    samples.mappedShare = static_cast<double>(mapped) / static_cast<double>(all);
}

void addUpLines(ExecutionData &executions, const LineByOffset &lineAt) {
  std::map<uint32_t, ExecutionCounts> byLine;
  for (const InstructionExecutions &instruction : executions.instructions)
    if (const auto found = lineAt.find(instruction.offset); found != lineAt.end())
      byLine[found->second].add(instruction.counts);
  executions.lines.clear();
  for (const auto &[line, counts] : byLine)
    executions.lines.push_back({line, counts});
}

} // namespace tilescope::profiler
