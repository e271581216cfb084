// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/FixTrial.h"

#include "app/worker/LaunchEstimate.h"
#include "app/worker/LaunchHintFacts.h"
#include "app/worker/LaunchInput.h"
#include "app/worker/PaddingTrial.h"
#include "app/worker/TriedChange.h"
#include "compiler/hints/FindHints.h"
#include "compiler/hints/HintText.h"
#include "compiler/machine/InstructionCount.h"
#include "compiler/support/BytesText.h"

#include <algorithm>

namespace tilescope::app {

using namespace compiler;
using profiler::Tensor;
using Tensors = std::map<std::string, Tensor>;

/// More is not interpreted while the user waits.
static constexpr int64_t kMostPrograms = 8;
static constexpr uint64_t kMostBytes = uint64_t{64} << 20;

/// The first programs of the launch.
static std::array<int32_t, 3> firstPrograms(const profiler::LaunchPlan &plan) {
  std::array<int32_t, 3> grid{};
  int64_t left = kMostPrograms;
  for (size_t axis = 0; axis < 3; ++axis) {
    const int64_t extent = std::min(plan.grid[axis], left);
    grid[axis] = static_cast<int32_t>(extent);
    left /= std::max<int64_t>(1, extent);
    left = std::max<int64_t>(1, left);
  }
  return grid;
}

static Error failed(const std::string &why) { return {ErrorCode::Usage, why, ""}; }

/// The arrays after the first programs; an error says why they could not be run.
static Result<Tensors> interpreted(Compiler &worker, const CompileRequest &request,
                                   const CountTask &task) {
  Tensors tensors;
  std::string argument;
  if (Status made = makeTensors(task.plan, task.message.inputFolder, tensors, argument); !made)
    return made.error();
  InterpretInput input;
  input.grid = firstPrograms(task.plan);
  input.numThreads = task.message.threads;
  input.argument = [&](const KernelParameter &parameter) -> std::optional<InterpreterArgument> {
    InterpreterArgument argument;
    argument.name = parameter.name;
    if (const auto tensor = tensors.find(parameter.name); tensor != tensors.end()) {
      argument.data = tensor->second.data.data();
      argument.sizeBytes = tensor->second.data.size();
      argument.shape = tensor->second.shape;
      return argument;
    }
    const profiler::PlanArgument *given = task.plan.argument(parameter.name);
    if (!given || !given->scalar())
      return std::nullopt;
    argument.bits = scalarBits(*given->scalar(), parameter.type);
    return argument;
  };
  CompileHooks hooks;
  hooks.stop = task.stop;
  const InterpretOutcome outcome = worker.interpret(request, input, hooks);
  const auto &findings = outcome.interpretation.findings;
  if (!outcome.result.ok || !outcome.interpretation.completed || outcome.cancelled)
    return failed(findings.empty() ? "it did not come to its end" : findings.front().message);
  return tensors;
}

static bool areEqual(const Tensors &left, const Tensors &right) {
  return std::ranges::equal(left, right, [](const auto &a, const auto &b) {
    return a.first == b.first && a.second.data == b.second.data;
  });
}

/// -1 without a cubin.
static int64_t numInstructions(const CompileResult &result) {
  const Stage *cubin = result.stage(StageId::Cubin);
  return cubin && cubin->ok ? machine::numInstructions(cubin->text) : -1;
}

/// "instructions 212 → 180, registers 40 → 32"; empty where no fact differs.
static std::string factsChange(const CountedLaunch &before, const CountedLaunch &after) {
  std::string text;
  const auto join = [&](const std::string &name, const std::string &from, const std::string &to) {
    text += (text.empty() ? "" : ", ") + name + " " + from + " → " + to;
  };
  const auto add = [&](const std::string &name, int64_t from, int64_t to) {
    if (from != to && from >= 0 && to >= 0)
      join(name, std::to_string(from), std::to_string(to));
  };
  const auto addBytes = [&](const std::string &name, int64_t from, int64_t to) {
    if (from != to && from >= 0 && to >= 0)
      join(name, bytesText(static_cast<uint64_t>(from)), bytesText(static_cast<uint64_t>(to)));
  };
  const auto stages = [](const CountedLaunch &launch) {
    int32_t most = 0;
    for (const PipelineFacts &pipeline : launch.facts->pipelines)
      most = std::max(most, pipeline.stages);
    return most;
  };
  const auto requests = [](const CountedLaunch &launch) {
    return static_cast<int64_t>(
        launch.facts
            ->total({MemoryAction::GlobalLoad, MemoryAction::GlobalStore, MemoryAction::AsyncCopy})
            .requests);
  };
  add("stages of copies", stages(before), stages(after));
  add("requests", requests(before), requests(after));
  add("instructions", numInstructions(before.result), numInstructions(after.result));
  add("registers", before.result.resources.registers, after.result.resources.registers);
  addBytes("spilled", before.result.resources.spillBytes, after.result.resources.spillBytes);
  addBytes("shared memory", before.result.metadata.sharedBytes, after.result.metadata.sharedBytes);
  return text;
}

/// "occupancy 100 % → 33 %"; empty where it is the same, or not known.
static std::string occupancyChange(const HintFacts &before, const HintFacts &after) {
  const auto percent = [](const HintFacts &facts) {
    return facts.device && facts.device->mostWarps > 0
               ? (100 * facts.device->warps + facts.device->mostWarps / 2) / facts.device->mostWarps
               : -1;
  };
  const int32_t from = percent(before), to = percent(after);
  return from < 0 || to < 0 || from == to
             ? ""
             : "occupancy " + std::to_string(from) + " % → " + std::to_string(to) + " %";
}

/// "predicted time 4.30 µs → 4.00 µs"; empty where the model does not know both.
static std::string predictedChange(const CountedLaunch &before, const CountedLaunch &after,
                                   const profiler::LaunchPlan &plan) {
  const Estimate from = launchEstimate(before, plan), to = launchEstimate(after, plan);
  const std::string was = microsecondsText(from.us), is = microsecondsText(to.us);
  const bool isKnown = from.reason.empty() && to.reason.empty() &&
                       from.facts.confidence == to.facts.confidence && was != is;
  return isKnown ? "predicted time " + was + " → " + is : "";
}

static int64_t numHints(const std::vector<FoundHint> &hints, HintKind kind) {
  return std::ranges::count(hints, kind, &FoundHint::kind);
}

/// Whether the changed kernel has costs of the first two ranks that the other one does not have.
static bool hasNewHints(const std::vector<FoundHint> &before, const std::vector<FoundHint> &after) {
  constexpr int32_t kCertain = 2;
  return std::ranges::any_of(after, [&](const FoundHint &hint) {
    return hint.rank <= kCertain && numHints(after, hint.kind) > numHints(before, hint.kind);
  });
}

/// The fix, if the change does what it should; an error says what it does not.
static Result<HintFix> tried(Compiler &worker, const CountTask &task, const CountedLaunch &counted,
                             const std::vector<FoundHint> &hints, const FoundHint &hint) {
  std::optional<TriedChange> change = makeChange(task, hint);
  if (!change)
    return failed("the change cannot be made in this text automatically");
  if (dataBytes(task.plan) > kMostBytes)
    return failed("the launch's arrays take more than 64 MiB, which is too much for a trial: with "
                  "smaller sizes the fix is tried");
  CompileHooks hooks;
  hooks.stop = task.stop;
  CompileRequest request = countRequest(change->request, true);
  // Counts of another number of warps do not tell what it is for: the time does.
  const bool isTimed = hint.change->kind == ChangeKind::Option;
  if (isTimed)
    request.stopAfter = StageId::Sass;
  const CountedLaunch after = countLaunch(worker.compile(request, hooks), task);
  if (!after.facts || after.cancelled)
    return failed("the changed kernel could not be compiled and counted");
  const HintFacts changed = launchHintFacts(after, task.plan);
  const std::vector<FoundHint> left = findHints(changed);
  if (numHints(left, hint.kind) >= numHints(hints, hint.kind))
    return failed("it was tried, and the cost was still there");
  if (hasNewHints(hints, left))
    return failed("it was tried, and brought another cost that is certain");
  std::string outcome;
  for (const std::string &part :
       {isTimed ? predictedChange(counted, after, task.plan) : "", factsChange(counted, after),
        occupancyChange(launchHintFacts(counted, task.plan), changed)})
    outcome += (outcome.empty() || part.empty() ? "" : ", ") + part;
  const Result<Tensors> old = interpreted(worker, task.message.request, task);
  if (!old)
    return failed("to try it, the kernel was run as it is, and failed: " + old.error().message);
  const Result<Tensors> now = interpreted(worker, change->request, task);
  if (!now)
    return failed("it was tried, and the run failed: " + now.error().message);
  if (!areEqual(*old, *now))
    return failed("it was tried, and the results were not the same bits");
  outcome = (outcome.empty() ? "no count changes" : outcome) + "; equal results";
  return HintFix{std::move(change->edit), std::move(outcome)};
}

static bool isSameChange(const FoundHint &left, const FoundHint &right) {
  return left.kind == right.kind && left.padding && right.padding &&
         std::ranges::is_permutation(left.padding->arguments, right.padding->arguments);
}

/// The hints that change arguments of the launch, with what that gives. One that gives nothing is
/// left out, unless something else is said against its cause; so is one that asks for the same
/// change as one before it.
static std::vector<FoundHint> withPaddings(Compiler &worker, const CountTask &task,
                                           const CountedLaunch &counted,
                                           const std::vector<FoundHint> &found) {
  std::vector<FoundHint> hints;
  for (FoundHint hint : found) {
    if (hint.padding && !tryPadding(worker, task, counted, hint)) {
      hint.padding.reset();
      if (hint.advice.empty())
        continue;
    }
    if (std::ranges::none_of(hints, [&](const auto &each) { return isSameChange(each, hint); }))
      hints.push_back(std::move(hint));
  }
  // One whose change is not predicted to pay has another rank than it was found with.
  std::ranges::stable_sort(hints, {}, &FoundHint::rank);
  return hints;
}

std::vector<Hint> triedHints(Compiler &worker, const CountTask &task,
                             const CountedLaunch &counted) {
  const std::vector<FoundHint> found = findHints(launchHintFacts(counted, task.plan));
  std::vector<Hint> hints;
  for (const FoundHint &hint : withPaddings(worker, task, counted, found)) {
    hints.push_back(hint);
    if (!hint.change || task.stop.stop_requested())
      continue;
    Result<HintFix> fix = tried(worker, task, counted, found, hint);
    if (fix)
      hints.back().fixes.push_back(std::move(*fix));
    else if (!task.stop.stop_requested())
      hints.back().whyNoFix = fix.error().message;
  }
  return hints;
}

} // namespace tilescope::app
