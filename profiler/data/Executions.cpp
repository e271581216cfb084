// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Executions.h"

namespace tilescope::profiler {

static void addTo(std::optional<uint64_t> &sum, const std::optional<uint64_t> &value) {
  if (value)
    sum = sum.value_or(0) + *value;
}

void ExecutionCounts::add(const ExecutionCounts &other) {
  executed += other.executed;
  threads += other.threads;
  threadsOn += other.threadsOn;
  addTo(sectors, other.sectors);
  addTo(idealSectors, other.idealSectors);
  addTo(wavefronts, other.wavefronts);
  addTo(idealWavefronts, other.idealWavefronts);
}

double ExecutionCounts::shareOff() const {
  return threads > threadsOn ? double(threads - threadsOn) / double(threads) : 0;
}

ExecutionCounts ExecutionData::total() const {
  ExecutionCounts sum;
  for (const InstructionExecutions &instruction : instructions)
    sum.add(instruction.counts);
  return sum;
}

} // namespace tilescope::profiler
