// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/LaunchHintFacts.h"

#include "compiler/hints/UsualDevice.h"
#include "compiler/pipeline/BodyNames.h"
#include "profiler/analysis/OccupancyCliffs.h"

#include <utility>

namespace tilescope::app {

using namespace compiler;

static std::optional<OccupancyStep> stepOf(const profiler::OccupancyCliffs &cliffs) {
  if (!cliffs.better)
    return std::nullopt;
  return OccupancyStep{cliffs.better->value, cliffs.better->blocks};
}

/// How a multiprocessor of the target holds the kernel.
static std::optional<DeviceFacts> deviceFacts(const CompileResult &result) {
  constexpr int32_t kWarpThreads = 32;
  const std::optional<UsualDevice> device = usualDevice(result.target);
  const std::optional<profiler::SmLimits> limits = profiler::smLimits(result.target);
  if (!device || !limits || result.resources.registers < 0)
    return std::nullopt;
  const profiler::KernelResources resources{result.resources.registers, result.metadata.sharedBytes,
                                            result.metadata.numWarps * kWarpThreads};
  const profiler::Occupancy occupancy = profiler::occupancy(*limits, resources);
  const int32_t blocksEach = std::max(1, result.metadata.numCtas);
  DeviceFacts facts;
  facts.name = device->name;
  facts.multiprocessors = device->multiprocessors / blocksEach;
  facts.cacheBytes = device->cacheBytes;
  facts.blocks = occupancy.blocksPerSm;
  facts.warps = occupancy.warpsPerSm;
  facts.mostWarps = occupancy.maxWarpsPerSm;
  facts.limiter = occupancy.limiter;
  facts.fewerRegisters = stepOf(profiler::registerCliffs(*limits, resources));
  facts.lessShared = stepOf(profiler::sharedCliffs(*limits, resources));
  return facts;
}

HintFacts launchHintFacts(const CountedLaunch &counted, const profiler::LaunchPlan &plan) {
  const CompileResult &result = counted.result;
  HintFacts facts;
  facts.memory = *counted.facts;
  facts.kernel = counted.kernel;
  facts.resources = result.resources;
  facts.target = result.target;
  facts.numWarps = result.metadata.numWarps;
  facts.signature = result.signature;
  if (std::optional<BodyNames> names = bodyNames(result)) {
    facts.names = std::move(names->all);
    facts.chosenNames = std::move(names->chosen);
  }
  facts.hasConstexprs = !result.constexprs.empty();
  facts.device = deviceFacts(result);
  facts.arrayBytes = dataBytes(plan);
  for (const profiler::PlanArgument &argument : plan.args)
    if (const profiler::PlanScalar *scalar = argument.scalar())
      if (const int64_t *number = std::get_if<int64_t>(&scalar->value))
        facts.integers[argument.name] = *number;
  return facts;
}

} // namespace tilescope::app
