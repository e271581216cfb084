// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/Predict.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilescope::compiler::estimate {

Estimate predict(EstimateFacts facts, const DeviceRates &device, const ModelConstants &constants) {
  Estimate estimate;
  estimate.reason.clear();
  estimate.device = device.name;
  const auto programs = static_cast<double>(facts.programs);
  const double busiest = std::ceil(programs / device.multiprocessors);
  const double cyclesPerUs = device.clockGhz * 1e3;
  const double quarters = std::max(1.0, busiest * facts.warps / 4);
  const auto add = [&](Bottleneck what, std::string name, double us) {
    estimate.parts.push_back({what, std::move(name), us});
  };
  const double waves = std::max(1.0, std::ceil(busiest / facts.programsPerSm));
  add(Bottleneck::Latency, std::string(bottleneckName(Bottleneck::Latency)),
      waves * facts.aloneCycles / cyclesPerUs);
  add(Bottleneck::IssueSlots, std::string(bottleneckName(Bottleneck::IssueSlots)),
      quarters * facts.instructions / cyclesPerUs);
  for (int pipe = 0; pipe < kNumMachinePipes; ++pipe)
    add(static_cast<MachinePipe>(pipe) == MachinePipe::Tensor ? Bottleneck::TensorPipe
                                                              : Bottleneck::Pipe,
        std::string(machinePipeName(static_cast<MachinePipe>(pipe))),
        quarters * facts.pipeCycles[static_cast<size_t>(pipe)] / cyclesPerUs);
  add(Bottleneck::L1, std::string(bottleneckName(Bottleneck::L1)),
      busiest * facts.wavefronts / cyclesPerUs);
  const double active = std::min<double>(device.multiprocessors, programs);
  add(Bottleneck::L2, std::string(bottleneckName(Bottleneck::L2)),
      (facts.l2ReadBytes + facts.l2WriteBytes) / active / device.l2BytesPerCycle / cyclesPerUs);
  const double written =
      std::max(0.0, facts.dramWriteBytes - constants.writesKept * device.l2Bytes);
  add(Bottleneck::Dram, std::string(bottleneckName(Bottleneck::Dram)),
      (facts.dramReadBytes + written) / (device.dramGbPerS * constants.dramEfficiency * 1e3));
  add(Bottleneck::Atomics, std::string(bottleneckName(Bottleneck::Atomics)),
      facts.atomicTurns * constants.cyclesBetweenAtomics / cyclesPerUs);
  add(Bottleneck::Start, "the start of programs",
      programs * constants.cyclesBetweenPrograms / cyclesPerUs);
  double sum = 0;
  for (const EstimatePart &part : estimate.parts)
    sum += std::pow(part.us, constants.exponent);
  estimate.us = constants.startUs + std::pow(sum, 1 / constants.exponent);
  add(Bottleneck::Start, std::string(bottleneckName(Bottleneck::Start)), constants.startUs);
  std::erase_if(estimate.parts, [](const EstimatePart &part) { return part.us <= 0; });
  std::ranges::stable_sort(estimate.parts, std::greater(), &EstimatePart::us);
  estimate.bottleneck = estimate.parts.front().what;
  estimate.facts = std::move(facts);
  return estimate;
}

} // namespace tilescope::compiler::estimate
