// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/PaddingTrial.h"

#include "app/worker/LaunchHintFacts.h"
#include "compiler/artifacts/MergedAccesses.h"

#include <algorithm>

namespace tilescope::app {

using namespace compiler;

/// More arguments than these are not changed for one hint.
static constexpr size_t kMostArguments = 4;

static HintFacts factsOf(const CountedLaunch &counted, const profiler::LaunchPlan &plan) {
  HintFacts facts = launchHintFacts(counted, plan);
  facts.accesses = mergeAccesses(facts.memory.accesses);
  return facts;
}

/// The launch with other arguments, and what the kernel is compiled for then.
static void pad(const std::vector<PaddedArgument> &arguments, profiler::LaunchPlan &plan,
                CompileRequest &request) {
  for (const PaddedArgument &padded : arguments) {
    for (profiler::PlanArgument &argument : plan.args)
      if (auto *scalar = std::get_if<profiler::PlanScalar>(&argument.value);
          scalar && argument.name == padded.name)
        scalar->value = padded.to;
    request.selection.signature[padded.name] = padded.type.substr(0, padded.type.find(':')) + ":16";
  }
}

/// Nothing when it cannot be compiled or counted.
static std::optional<HintFacts> counted(Compiler &worker, const CountTask &task,
                                        const Padding &padding) {
  profiler::LaunchPlan plan = task.plan;
  CompileRequest request = task.message.request;
  pad(padding.arguments, plan, request);
  const CountTask changed{task.message, plan, task.stop};
  CompileHooks hooks;
  hooks.stop = task.stop;
  const CountedLaunch launch =
      countLaunch(worker.compile(countRequest(std::move(request), false), hooks), changed);
  if (!launch.facts || launch.cancelled)
    return std::nullopt;
  return factsOf(launch, plan);
}

/// Whether a product waits for one of the loads, whatever for.
static bool isWaitedFor(const HintFacts &facts, const Padding &padding) {
  return std::ranges::any_of(facts.kernel.waitingLoads, [&](const WaitingLoad &load) {
    return std::ranges::find(padding.places, load.range) != padding.places.end();
  });
}

bool tryPadding(Compiler &worker, const CountTask &task, const CountedLaunch &launch,
                FoundHint &hint) {
  const HintFacts before = factsOf(launch, task.plan);
  Padding &padding = *hint.padding;
  while (!task.stop.stop_requested()) {
    const std::optional<HintFacts> after = counted(worker, task, padding);
    if (!after)
      return false;
    if (hint.kind == HintKind::LoopNotPipelined && !isWaitedFor(*after, padding)) {
      hint.advice = paddingAdvice(padding) + "; then the load is copied ahead";
      return true;
    }
    if (hint.kind == HintKind::NarrowAccess)
      if (std::optional<std::string> gain = paddingGain(before, *after, padding)) {
        hint.gain = std::move(*gain);
        hint.advice = paddingAdvice(padding);
        return true;
      }
    std::optional<PaddedArgument> next = nextPadding(*after, padding);
    if (!next || padding.arguments.size() == kMostArguments)
      return false;
    padding.arguments.push_back(std::move(*next));
  }
  return false;
}

} // namespace tilescope::app
