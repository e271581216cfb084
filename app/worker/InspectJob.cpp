// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/InspectJob.h"

#include "app/worker/CompileJob.h"
#include "app/worker/CountedLaunch.h"
#include "app/worker/FixTrial.h"
#include "app/worker/LastWords.h"
#include "app/worker/LaunchEstimate.h"
#include "compiler/pipeline/LoopPipelines.h"
#include "compiler/pipeline/SharedMemory.h"
#include "compiler/pipeline/TraceTouches.h"
#include "compiler/support/TimeLimit.h"

#include <chrono>
#include <functional>

namespace tilescope::app {

using namespace compiler;

static Status checkProgram(const profiler::LaunchPlan &plan, const InspectMessage &message) {
  const auto &program = message.program;
  uint64_t count = 1;
  for (const int64_t extent : plan.grid)
    count *= static_cast<uint64_t>(extent);
  if (message.touches && (message.touches->first >= count || message.touches->stride == 0))
    return Error{ErrorCode::Usage, "the grid has no such program", ""};
  for (size_t axis = 0; program && axis < program->size(); ++axis)
    if ((*program)[axis] < 0 || (*program)[axis] >= plan.grid[axis])
      return Error{ErrorCode::Usage, "the grid has no such program", ""};
  return {};
}

/// Without programs where the message has none.
static Result<profiler::LaunchPlan> readPlan(const InspectMessage &message) {
  if (message.launchPlan.empty())
    return profiler::LaunchPlan();
  Result<profiler::LaunchPlan> plan = profiler::launchPlanFromJson(message.launchPlan);
  if (plan)
    if (Status inGrid = checkProgram(*plan, message); !inGrid)
      return inGrid.error();
  return plan;
}

/// What the launch says of the arrays that were recorded.
static void addShapes(const profiler::LaunchPlan &plan, std::vector<RecordedArgument> &arguments) {
  for (RecordedArgument &recorded : arguments) {
    const profiler::PlanArgument *argument = plan.argument(recorded.name);
    if (const profiler::PlanTensor *tensor = argument ? argument->tensor() : nullptr) {
      recorded.shape = tensor->shape;
      recorded.elementBytes = static_cast<int32_t>(profiler::dtypeSize(tensor->dtype));
    }
  }
}

static void fail(const Error &error, InspectDoneReply &reply) {
  reply.diagnostics.push_back(unusable(error));
  reply.ok = false;
}

/// True if it was stopped.
static bool count(Compiler &worker, CountedLaunch counted, const CountTask &task,
                  InspectDoneReply &reply) {
  reply.diagnostics = counted.diagnostics;
  if (counted.facts && needsMachineCode(task.message))
    reply.estimate = launchEstimate(counted, task.plan);
  if (counted.facts && task.message.wantsHints)
    reply.hints = triedHints(worker, task, counted);
  reply.ok = counted.facts && !counted.cancelled;
  if (counted.facts)
    reply.facts = std::move(*counted.facts);
  reply.record = std::move(counted.record);
  addShapes(task.plan, reply.record.arguments);
  return counted.cancelled;
}

/// True if it was stopped.
static bool trace(const CompileResult &compiled, const CountTask &task, InspectDoneReply &reply) {
  TaskArguments arguments(task);
  TouchInput input;
  input.grid = gridOf(task.plan);
  input.programs = *task.message.touches;
  input.numThreads = task.message.threads;
  input.argument = arguments.provider();
  input.stop = task.stop;
  TouchOutcome traced = traceTouches(compiled, input);
  reply.ok = traced.trace && !traced.cancelled;
  if (traced.trace)
    reply.touches = std::move(*traced.trace);
  addShapes(task.plan, reply.touches.arguments);
  // What an array that cannot be made leads to says less than why it cannot.
  if (!arguments.usable())
    fail(arguments.usable().error(), reply);
  else
    reply.diagnostics.insert(reply.diagnostics.end(), traced.diagnostics.begin(),
                             traced.diagnostics.end());
  return traced.cancelled;
}

static void addSharedMemory(const CompileResult &compiled, const CountTask &task,
                            InspectDoneReply &reply) {
  const std::map<std::string, int64_t> numbers = integersOf(task.plan);
  const bool isLaunched = !task.message.launchPlan.empty();
  if (Result<SharedFacts> shared = findSharedMemory(compiled, isLaunched ? &numbers : nullptr))
    reply.shared = std::move(*shared);
  else
    fail(shared.error(), reply);
}

static void addLoops(const CompileResult &compiled, const CountTask &task,
                     InspectDoneReply &reply) {
  const std::map<std::string, int64_t> numbers = integersOf(task.plan);
  const bool isLaunched = !task.message.launchPlan.empty();
  if (Result<std::vector<LoopFacts>> loops = findLoops(compiled, isLaunched ? &numbers : nullptr))
    reply.loops = std::move(*loops);
  else
    fail(loops.error(), reply);
}

void runInspectJob(Compiler &worker, const InspectMessage &message, std::stop_token stop,
                   ReplyWriter &replies) {
  InspectDoneReply reply;
  reply.job = message.job;
  const Result<profiler::LaunchPlan> plan = readPlan(message);
  if (!plan) {
    fail(plan.error(), reply);
    replies.send(reply);
    return;
  }
  setLastWordsJob(lastWordsJob(message.job, message.request));
  CompileHooks hooks;
  hooks.stop = stop;
  hooks.stepStarted = [&](StageId stage, std::string_view step) {
    setLastWordsStep(stage, step);
    obeyTestHook(message.hook, step);
  };
  // The replies hold no passes.
  hooks.wantsPasses = false;
  CompileRequest request = countRequest(message.request, needsMachineCode(message));
  // What programs touch is traced in TTIR.
  if (message.touches && !message.sharedMemory && !message.loops && request.entry <= StageId::Ttir)
    request.stopAfter = StageId::Ttir;
  // The estimate reads machine code as text.
  if (needsMachineCode(message))
    request.stopAfter = StageId::Sass;
  CompileOutcome compiled = worker.compile(request, hooks);
  reply.diagnostics = compiled.result.diagnostics;
  const CompileResult result = compiled.result;
  bool isStopped = compiled.cancelled;
  const TimeLimit limit(stop, std::chrono::milliseconds(message.timeLimitMs));
  const CountTask task{message, *plan, limit.token()};
  if (result.ok) {
    hooks.stepStarted(StageId::Ttgir, "count");
    reply.ok = true;
    if (message.touches)
      isStopped = trace(result, task, reply);
    else if (task.isExecuted() || !(message.sharedMemory || message.loops))
      isStopped = count(worker, countLaunch(std::move(compiled), task), task, reply);
    if (message.sharedMemory)
      addSharedMemory(result, task, reply);
    if (message.loops)
      addLoops(result, task, reply);
  }
  reply.isOutOfTime = isStopped && limit.isOver() && !stop.stop_requested();
  reply.cancelled = isStopped && !reply.isOutOfTime;
  clearLastWordsJob();
  reply.files = result.files;
  if (!reply.files.empty())
    reply.files.front().text.clear();
  replies.send(reply);
}

} // namespace tilescope::app
