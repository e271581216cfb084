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

/// Spilled by a kernel without options of its own in spite of registers that a thread could still have: the limit is
/// that of `wishForBlocks`. 0: there is none.
static int64_t ownRegisterLimit(const CompileResult &result) {
  constexpr int64_t kOfMultiprocessor = 65536, kOfInstructions = 255, kUnit = 8;
  const int64_t threads = 32 * int64_t{result.metadata.numWarps};
  const int64_t registers = result.resources.registers;
  const int64_t most = std::min(kOfInstructions, kOfMultiprocessor / threads) / kUnit * kUnit;
  const Stage *ptx = result.stage(StageId::Ptx);
  const auto asked = result.options.find("maxnreg");
  const bool isAsked = (asked != result.options.end() && asked->second != "None") || !ptx ||
                       ptx->text.find(".minnctapersm 1\n") == std::string::npos;
  return isAsked || result.resources.spillBytes <= 0 || registers <= 0 || registers >= most
             ? 0
             : registers;
}

HintFacts launchHintFacts(const CountedLaunch &counted, const profiler::LaunchPlan &plan) {
  const CompileResult &result = counted.result;
  HintFacts facts;
  facts.memory = *counted.facts;
  facts.kernel = counted.kernel;
  facts.resources = result.resources;
  facts.target = result.target;
  facts.numWarps = result.metadata.numWarps;
  facts.ownRegisterLimit = ownRegisterLimit(result);
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
