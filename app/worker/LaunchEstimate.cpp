// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/LaunchEstimate.h"

#include "compiler/estimate/FindEstimate.h"
#include "profiler/analysis/Occupancy.h"

#include <numeric>

namespace tilescope::app {

using namespace compiler;

static std::map<std::string, uint64_t> arrayBytes(const profiler::LaunchPlan &plan) {
  std::map<std::string, uint64_t> bytes;
  for (const profiler::PlanArgument &argument : plan.args)
    if (const profiler::PlanTensor *tensor = argument.tensor())
      bytes[argument.name] = std::accumulate(
          tensor->shape.begin(), tensor->shape.end(),
          static_cast<uint64_t>(profiler::dtypeSize(tensor->dtype)), std::multiplies<>());
  return bytes;
}

Estimate launchEstimate(const CountedLaunch &counted, const profiler::LaunchPlan &plan) {
  constexpr int32_t kWarpThreads = 32;
  const CompileResult &result = counted.result;
  Estimate none;
  if (result.resources.registers < 0) {
    none.reason = "how many registers the kernel takes is not known: ptxas is missing";
    return none;
  }
  const std::optional<profiler::Occupancy> occupancy =
      profiler::occupancyOn(result.target, {result.resources.registers, result.metadata.sharedBytes,
                                            result.metadata.numWarps * kWarpThreads});
  if (!occupancy || counted.facts->program) {
    none.reason = occupancy ? "only one program was counted"
                            : "the limits of `" + result.target + "` are not known";
    return none;
  }
  if (result.metadata.numCtas > 1) {
    none.reason = "programs of several blocks are not modeled";
    return none;
  }
  estimate::EstimateInput input;
  input.result = &result;
  input.traffic.memory = &*counted.facts;
  input.traffic.programs = &counted.kernel.programs;
  input.traffic.arrayBytes = arrayBytes(plan);
  input.traffic.programsPerSm = occupancy->blocksPerSm;
  input.traffic.sharedBytes = result.metadata.sharedBytes;
  return estimate::findEstimate(input);
}

} // namespace tilescope::app
