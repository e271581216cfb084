// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/PaddingTrial.h"

#include "app/worker/LaunchEstimate.h"
#include "app/worker/LaunchHintFacts.h"
#include "compiler/artifacts/MergedAccesses.h"
#include "compiler/hints/HintText.h"
#include "compiler/pipeline/ComputedArguments.h"

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

namespace {
/// The launch with other arguments.
struct PaddedLaunch {
  profiler::LaunchPlan plan;
  CompileRequest request;
  CountedLaunch launch;
  HintFacts facts;
};
} // namespace

/// Nothing when it cannot be compiled or counted.
static std::optional<PaddedLaunch> counted(Compiler &worker, const CountTask &task,
                                           const Padding &padding) {
  PaddedLaunch padded{task.plan, task.message.request, {}, {}};
  pad(padding.arguments, padded.plan, padded.request);
  const CountTask changed{task.message, padded.plan, task.stop};
  CompileHooks hooks;
  hooks.stop = task.stop;
  padded.launch = countLaunch(worker.compile(countRequest(padded.request, false), hooks), changed);
  if (!padded.launch.facts || padded.launch.cancelled)
    return std::nullopt;
  padded.facts = factsOf(padded.launch, padded.plan);
  return padded;
}

/// Adds the times of both launches, if the model knows them: with better counts a launch need not be
/// faster, and where it is not, the cost is no more than worth knowing.
static void addPrediction(Compiler &worker, const CountTask &task, const CountedLaunch &launch,
                          PaddedLaunch padded, FoundHint &hint) {
  constexpr double kFaster = 0.98;
  constexpr int32_t kWorthKnowing = 3;
  CompileRequest request = countRequest(std::move(padded.request), true);
  // As the launch itself was compiled.
  request.stopAfter = StageId::Sass;
  CompileHooks hooks;
  hooks.stop = task.stop;
  padded.launch.result = worker.compile(request, hooks).result;
  const Estimate before = launchEstimate(launch, task.plan);
  const Estimate after = launchEstimate(padded.launch, padded.plan);
  if (!before.reason.empty() || !after.reason.empty())
    return;
  const std::string change =
      microsecondsText(before.us) + " → " + microsecondsText(after.us) + " for this launch";
  if (after.us <= kFaster * before.us) {
    hint.gain += "; predicted: " + change;
    return;
  }
  hint.gain += "; but no gain of time is predicted: " + change;
  // What the compiler alone may know costs nothing to change.
  if (std::ranges::any_of(hint.padding->arguments, &PaddedArgument::changes))
    hint.rank = kWorthKnowing;
}

/// Notes which of the arguments are more to the kernel than the size of something.
static void noteComputed(const CompileResult &compiled, Padding &padding) {
  const std::vector<ComputedArgument> computed = findComputedArguments(compiled);
  for (PaddedArgument &padded : padding.arguments)
    if (const auto use = std::ranges::find(computed, padded.name, &ComputedArgument::name);
        use != computed.end())
      padded.computed = use->range;
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
    std::optional<PaddedLaunch> after = counted(worker, task, padding);
    if (!after)
      return false;
    noteComputed(launch.result, padding);
    if (hint.kind == HintKind::LoopNotPipelined && !isWaitedFor(after->facts, padding)) {
      hint.advice = paddingAdvice(padding) + "; then the load is copied ahead";
      return true;
    }
    if (hint.kind == HintKind::NarrowAccess)
      if (std::optional<std::string> gain = paddingGain(before, after->facts, padding)) {
        hint.gain = std::move(*gain);
        hint.advice = paddingAdvice(padding);
        addPrediction(worker, task, launch, std::move(*after), hint);
        return true;
      }
    std::optional<PaddedArgument> next = nextPadding(after->facts, padding);
    if (!next || padding.arguments.size() == kMostArguments)
      return false;
    padding.arguments.push_back(std::move(*next));
  }
  return false;
}

} // namespace tilescope::app
