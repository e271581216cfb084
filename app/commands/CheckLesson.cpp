// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CheckLesson.h"

#include "app/commands/InspectFile.h"
#include "app/commands/RunLaunch.h"
#include "app/lesson/GoalKinds.h"
#include "app/lesson/LessonText.h"

#include <algorithm>

namespace tilescope::app {

using compiler::StageId;

/// What the goals of one launch need to be known.
struct WantedFacts {
  GoalNeeds needs = GoalNeeds::Compile;
  bool machineCode = false, hints = false;
};

static WantedFacts wantedFacts(const std::vector<Goal> &goals, size_t launch) {
  WantedFacts wanted;
  for (const Goal &goal : goals) {
    if (goal.launch != launch)
      continue;
    wanted.needs = std::max(wanted.needs, goalKindFacts(goal.kind).needs);
    wanted.hints |= goal.kind == GoalKind::HintGone;
    wanted.machineCode |= goal.kind == GoalKind::Registers || goal.kind == GoalKind::Spills ||
                          goal.kind == GoalKind::Occupancy;
  }
  return wanted;
}

static void addDiagnostics(const std::vector<compiler::Diagnostic> &found, LaunchOutcome &outcome) {
  for (const compiler::Diagnostic &each : found)
    if (std::ranges::find(outcome.diagnostics, each) == outcome.diagnostics.end())
      outcome.diagnostics.push_back(each);
}

static void runInterpreter(compiler::WorkerClient &worker, const LaunchRequest &request,
                           const std::stop_token &stop, LaunchOutcome &outcome) {
  LaunchHooks hooks;
  hooks.runner.stop = stop;
  LaunchRun run = runLaunch(worker, request, hooks);
  addDiagnostics(run.diagnostics, outcome);
  if (run.measurement)
    outcome.outputs = std::move(run.measurement->outputs);
  else if (!run.measurement.error().message.empty())
    outcome.failure = run.measurement.error().message;
}

/// Compiles, counts and runs one launch of the lesson; of its own launches that with this index.
static Result<LaunchOutcome> findOutcome(compiler::WorkerClient &worker,
                                         const LessonAttempt &attempt, size_t launch,
                                         const std::stop_token &stop) {
  const Lesson &lesson = attempt.lesson;
  const WantedFacts wanted = wantedFacts(lesson.goals, launch);
  LaunchOutcome outcome;
  outcome.text = attempt.text;
  LaunchRequest request;
  request.input = {attempt.path,
                   lesson.launches.empty() ? attempt.text
                                           : withLaunch(attempt.text, lesson.launches[launch]),
                   StageId::Ast,
                   {}};
  request.selection.target = lesson.target;
  request.place.kind = RunPlace::Kind::Cpu;
  Result<Inspection> inspection =
      inspectInput(worker, request.input, request.selection,
                   {.stop = stop,
                    .stopAfter = wanted.machineCode ? StageId::Cubin : StageId::Ptx,
                    .countsAccesses = wanted.needs >= GoalNeeds::Counts,
                    .wantsHints = wanted.hints,
                    .wantsPlanned = false});
  if (!inspection)
    return inspection.error();
  outcome.isCompiled = inspection->file.result.ok;
  outcome.diagnostics = inspection->diagnostics;
  outcome.resources = inspection->resources;
  outcome.occupancy = inspection->occupancy;
  outcome.memory = std::move(inspection->memory);
  outcome.hints = std::move(inspection->hints);
  if (const compiler::Stage *ptx = inspection->file.result.stage(StageId::Ptx))
    outcome.ptx = ptx->text;
  if (inspection->file.plan)
    outcome.grid = inspection->file.plan->grid;
  if (wanted.needs == GoalNeeds::Run && outcome.isCompiled)
    runInterpreter(worker, request, stop, outcome);
  return outcome;
}

Result<std::vector<GoalState>> checkAttempt(compiler::WorkerClient &worker,
                                            const LessonAttempt &attempt,
                                            const std::stop_token &stop) {
  const std::vector<Goal> &goals = attempt.lesson.goals;
  std::vector<GoalState> states(goals.size());
  for (size_t launch = 0; launch < std::max<size_t>(attempt.lesson.launches.size(), 1); ++launch) {
    if (std::ranges::find(goals, launch, &Goal::launch) == goals.end())
      continue;
    const Result<LaunchOutcome> outcome = findOutcome(worker, attempt, launch, stop);
    if (!outcome)
      return outcome.error();
    for (size_t i = 0; i < goals.size(); ++i)
      if (goals[i].launch == launch)
        states[i] = checkGoal(goals[i], *outcome);
  }
  return states;
}

} // namespace tilescope::app
