// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/GoalCheck.h"

#include "app/lesson/AccessGoals.h"
#include "app/lesson/GoalBounds.h"
#include "app/lesson/GoalKinds.h"
#include "app/lesson/UsedCalls.h"
#include "compiler/artifacts/EstimateText.h"
#include "compiler/artifacts/RunFindings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace tilescope::app {

using compiler::Diagnostic;
using compiler::Severity;
using profiler::OutputResult;

/// What is wrong with the kernel comes before what is wrong with its launch, which may follow from it.
static const Diagnostic *firstError(const LaunchOutcome &outcome) {
  const Diagnostic *first = nullptr;
  for (const Diagnostic &each : outcome.diagnostics) {
    if (each.severity != Severity::Error)
      continue;
    if (each.kind != compiler::DiagnosticKind::LaunchBlockInvalid)
      return &each;
    if (!first)
      first = &each;
  }
  return first;
}

/// Whether the text was deleted: what is wrong with its launch then says little.
static bool isDeleted(const LaunchOutcome &outcome, const Diagnostic *error) {
  return error && error->kind == compiler::DiagnosticKind::LaunchBlockInvalid &&
         outcome.text.find_first_not_of(" \t\r\n") == std::string::npos;
}

std::string compileFault(const LaunchOutcome &outcome) {
  const Diagnostic *error = firstError(outcome);
  if (isDeleted(outcome, error))
    return "the file is empty; \"Start over\" brings back the lesson's text";
  return error ? error->message : "the kernel does not compile";
}

static GoalState because(const Diagnostic &diagnostic) {
  return {GoalVerdict::NotMet, diagnostic.message,
          diagnostic.range.file == 0 ? std::optional(diagnostic.range) : std::nullopt};
}

/// Something is wrong with the kernel, whatever its results are.
static GoalState faultOf(const Diagnostic &diagnostic) {
  GoalState state = because(diagnostic);
  state.isFaulty = true;
  return state;
}

static GoalState checkCompiles(const Goal &, const LaunchOutcome &) {
  return {GoalVerdict::Met, "the kernel compiles", {}};
}

static std::string coordinates(const std::vector<int64_t> &at) {
  return fmt::format("[{}]", fmt::join(at, ", "));
}

static std::string number(double value) {
  return std::isnan(value) ? "NaN" : fmt::format("{:.6g}", value);
}

/// What is wrong with an output; nothing: it is as expected.
static std::optional<std::string> faultOf(const OutputResult &output) {
  if (!output.comparison)
    return std::nullopt;
  const profiler::OutputComparison &found = *output.comparison;
  if (!found.fault.empty())
    return found.fault;
  if (output.neverWritten.value_or(0) > 0)
    return *output.neverWritten == 1
               ? fmt::format("the kernel never writes one element of `{}`, at {}", output.name,
                             coordinates(output.firstNeverWritten))
               : fmt::format("the kernel never writes {} elements of `{}`, the first at {}",
                             *output.neverWritten, output.name,
                             coordinates(output.firstNeverWritten));
  if (found.mismatches > 0)
    return fmt::format(
        "{}{}: {} instead of {}",
        found.mismatches == 1 ? fmt::format("one element of `{}` is wrong, at ", output.name)
                              : fmt::format("{} elements of `{}` are wrong, the first at ",
                                            found.mismatches, output.name),
        coordinates(found.firstMismatch), number(found.firstActual), number(found.firstExpected));
  return std::nullopt;
}

/// Of what a run finds, not of the results.
static bool isRunFault(const Diagnostic &diagnostic) {
  using compiler::DiagnosticKind;
  switch (diagnostic.kind) {
  case DiagnosticKind::RunAccessOutside:
  case DiagnosticKind::RunAssertFailed:
  case DiagnosticKind::RunOrder:
  case DiagnosticKind::RunUndefined:
  case DiagnosticKind::RunWriteRace:
    return true;
  default:
    return false;
  }
}

/// What the run found first; null: nothing.
static const Diagnostic *runFault(const LaunchOutcome &outcome) {
  const auto found = std::ranges::find_if(outcome.diagnostics, isRunFault);
  return found == outcome.diagnostics.end() ? nullptr : &*found;
}

/// What leaves an output in doubt although it is as expected; null: nothing.
static const Diagnostic *chanceOf(const OutputResult &output, const LaunchOutcome &outcome) {
  const auto found = std::ranges::find_if(outcome.diagnostics, [&](const Diagnostic &each) {
    const bool isUndefined =
        each.kind == compiler::DiagnosticKind::RunUndefined &&
        (compiler::concerns(each, output.name) || compiler::takesPart(each, output.name));
    return isUndefined || compiler::isByChance(output.name, {each}) ||
           compiler::takesOutside(output.name, {each});
  });
  return found == outcome.diagnostics.end() ? nullptr : &*found;
}

static GoalState checkOutputs(const Goal &goal, const LaunchOutcome &outcome) {
  if (!outcome.outputs)
    return {GoalVerdict::NotMet, "the kernel did not run", {}};
  int numChecked = 0;
  for (const OutputResult &output : *outcome.outputs) {
    if (std::optional<std::string> fault = faultOf(output)) {
      const Diagnostic *found = runFault(outcome);
      if (!found)
        return {GoalVerdict::NotMet, std::move(*fault), {}};
      // It is the reason, or nearer to it than the results are.
      GoalState state = faultOf(*found);
      state.evidence += "; " + *fault;
      return state;
    }
    numChecked += output.comparison.has_value();
  }
  for (const OutputResult &output : *outcome.outputs)
    if (const Diagnostic *found = output.comparison ? chanceOf(output, outcome) : nullptr) {
      GoalState state = faultOf(*found);
      state.evidence = "`" + output.name + "` is as expected by chance: " + state.evidence;
      return state;
    }
  if (numChecked == 0)
    return {GoalVerdict::Unknown, "the launch does not say what it expects", {}};
  // With such a fault, results are right by chance.
  if (const Diagnostic *found = goal.areFaultsToldApart ? nullptr : runFault(outcome))
    return faultOf(*found);
  return {GoalVerdict::Met, "every element is right", {}};
}

static GoalState checkNoFaults(const Goal &, const LaunchOutcome &outcome) {
  if (const Diagnostic *found = runFault(outcome))
    return faultOf(*found);
  if (!outcome.outputs)
    return {GoalVerdict::NotMet, "the kernel did not run", {}};
  return {GoalVerdict::Met, "no access out of bounds, no race, no undefined value", {}};
}

static std::string callText(const Goal &goal, const SourceRange &place) {
  return fmt::format("line {} calls `{}`", place.begin.line + 1, goal.name);
}

static GoalState checkCalls(const Goal &goal, const LaunchOutcome &outcome) {
  if (const auto place = usedCall(outcome.text, goal.name, outcome.kernel))
    return {GoalVerdict::Met, callText(goal, *place), place};
  const auto place = firstCall(outcome.text, goal.name);
  if (!place)
    return {GoalVerdict::NotMet, fmt::format("nothing calls `{}`", goal.name), {}};
  return {GoalVerdict::NotMet, callText(goal, *place) + ", but the kernel stores nothing of it",
          place};
}

/// `range` stands for any loop: others go round as often.
static GoalState checkLoops(const LaunchOutcome &outcome) {
  if (const auto loop = firstLoop(outcome.text))
    return {GoalVerdict::NotMet, fmt::format("there is a loop in line {}", loop->begin.line + 1),
            loop};
  return {GoalVerdict::Met, "there is no loop", {}};
}

static GoalState checkAvoids(const Goal &goal, const LaunchOutcome &outcome) {
  if (goal.name == "range")
    return checkLoops(outcome);
  if (const auto place = firstCall(outcome.text, goal.name))
    return {GoalVerdict::NotMet, callText(goal, *place), place};
  return {GoalVerdict::Met, fmt::format("nothing calls `{}`", goal.name), {}};
}

static const Diagnostic *findDiagnostic(const Goal &goal, const LaunchOutcome &outcome) {
  const auto found = std::ranges::find_if(outcome.diagnostics, [&](const Diagnostic &each) {
    return compiler::diagnosticId(each.kind) == goal.name;
  });
  return found == outcome.diagnostics.end() ? nullptr : &*found;
}

static GoalState checkDiagnosticAppears(const Goal &goal, const LaunchOutcome &outcome) {
  if (const Diagnostic *found = findDiagnostic(goal, outcome)) {
    GoalState state = because(*found);
    state.verdict = GoalVerdict::Met;
    return state;
  }
  return {GoalVerdict::NotMet, "the message has not appeared yet", {}};
}

static GoalState checkDiagnosticGone(const Goal &goal, const LaunchOutcome &outcome) {
  if (const Diagnostic *found = findDiagnostic(goal, outcome))
    return because(*found);
  return {GoalVerdict::Met, "the message is gone", {}};
}

static GoalState checkHintGone(const Goal &goal, const LaunchOutcome &outcome) {
  for (const compiler::Hint &hint : outcome.hints)
    if (compiler::hintId(hint.kind) == goal.name)
      return {GoalVerdict::NotMet, hint.message, hint.range};
  return {GoalVerdict::Met, "the hint is gone", {}};
}

static GoalState checkPrograms(const Goal &goal, const LaunchOutcome &outcome) {
  const auto programs = outcome.grid[0] * outcome.grid[1] * outcome.grid[2];
  return withinBounds(goal, static_cast<double>(programs), fmt::format("{} programs", programs));
}

static GoalState checkTensorCores(const Goal &, const LaunchOutcome &outcome) {
  for (std::string_view name : {"wgmma.mma_async", "mma.sync", "tcgen05.mma"})
    if (outcome.ptx.find(name) != std::string::npos)
      return {GoalVerdict::Met, fmt::format("PTX has `{}`", name), {}};
  return {GoalVerdict::NotMet, "PTX has no instruction for tensor cores", {}};
}

static GoalState checkPtxHas(const Goal &goal, const LaunchOutcome &outcome) {
  const size_t at = outcome.ptx.find(goal.name);
  if (at == std::string::npos)
    return {GoalVerdict::NotMet, fmt::format("PTX has no `{}`", goal.name), {}};
  const auto line = std::ranges::count(std::string_view(outcome.ptx).substr(0, at), '\n');
  return {GoalVerdict::Met, fmt::format("line {} of PTX has `{}`", line + 1, goal.name), {}};
}

static GoalState checkPtxLacks(const Goal &goal, const LaunchOutcome &outcome) {
  GoalState has = checkPtxHas(goal, outcome);
  has.verdict = has.verdict == GoalVerdict::Met ? GoalVerdict::NotMet : GoalVerdict::Met;
  return has;
}

static GoalState notAssembled(std::string_view what) {
  return {GoalVerdict::Unknown, fmt::format("{} needs `ptxas`, which is missing here", what), {}};
}

static GoalState checkRegisters(const Goal &goal, const LaunchOutcome &outcome) {
  const int64_t registers = outcome.resources.registers;
  if (registers < 0)
    return notAssembled("the number of registers");
  return withinBounds(goal, static_cast<double>(registers),
                      fmt::format("{} registers a thread", registers));
}

static GoalState checkSpills(const Goal &goal, const LaunchOutcome &outcome) {
  const int64_t bytes = outcome.resources.spillBytes;
  if (bytes < 0)
    return notAssembled("the size of spills");
  return withinBounds(goal, static_cast<double>(bytes),
                      fmt::format("{} bytes a thread are spilled", bytes));
}

static GoalState checkSharedBytes(const Goal &goal, const LaunchOutcome &outcome) {
  const int64_t bytes = std::max<int64_t>(outcome.resources.sharedBytes, 0);
  return withinBounds(goal, static_cast<double>(bytes),
                      fmt::format("{} bytes of shared memory", bytes));
}

static GoalState checkOccupancy(const Goal &goal, const LaunchOutcome &outcome) {
  if (!outcome.occupancy)
    return notAssembled("occupancy");
  return withinBounds(goal, outcome.occupancy->fraction,
                      fmt::format("occupancy {:.0f} %, limited by {}",
                                  100 * outcome.occupancy->fraction, outcome.occupancy->limiter));
}

/// Whose numbers they are comes first: an estimate is not to be taken for a measurement.
static GoalState checkTime(const Goal &goal, const LaunchOutcome &outcome) {
  const auto found = outcome.times.find(goal.baseline);
  if (found == outcome.times.end())
    return {GoalVerdict::Unknown, "how long the kernel takes is not known", {}};
  const TimedAgainst &time = found->second;
  if (time.us <= 0)
    return {GoalVerdict::Unknown, time.missing, {}};
  const std::string source = time.isMeasured
                                 ? fmt::format("measured on the {}", time.device)
                                 : fmt::format("not measured; the model's estimate{} for the {}",
                                               time.isFromPtx ? " from PTX" : "", time.device);
  std::string evidence =
      fmt::format("{}: {}, which is {:.2f} of the {} of {}", source, compiler::timeText(time.us),
                  time.share, compiler::timeText(time.baselineUs), time.baseline);
  if (!time.missing.empty())
    evidence += "; " + time.missing;
  return withinBounds(goal, time.share, std::move(evidence));
}

GoalState checkGoal(const Goal &goal, const LaunchOutcome &outcome) {
  if (!outcome.failure.empty())
    return {GoalVerdict::Unknown, outcome.failure, {}};
  // A message may be the goal, and a text that does not compile may have it.
  const bool isAboutText = goal.kind == GoalKind::DiagnosticAppears ||
                           goal.kind == GoalKind::Calls || goal.kind == GoalKind::Avoids;
  if (!outcome.isCompiled && !isAboutText) {
    const Diagnostic *error = firstError(outcome);
    return error && !isDeleted(outcome, error)
               ? faultOf(*error)
               : GoalState{GoalVerdict::NotMet, compileFault(outcome), {}, true};
  }
  using Check = GoalState (*)(const Goal &, const LaunchOutcome &);
  static constexpr std::array<Check, 0
#define TILESCOPE_GOAL(name, id, bound, needs) +1
#include "app/lesson/GoalKinds.def"
#undef TILESCOPE_GOAL
                              >
      kChecks = {
#define TILESCOPE_GOAL(name, id, bound, needs) check##name,
#include "app/lesson/GoalKinds.def"
#undef TILESCOPE_GOAL
      };
  return kChecks[static_cast<size_t>(goal.kind)](goal, outcome);
}

} // namespace tilescope::app
