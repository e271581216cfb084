// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/InspectJob.h"

#include "app/worker/CompileJob.h"
#include "app/worker/LastWords.h"
#include "app/worker/LaunchInput.h"
#include "compiler/pipeline/CountAccesses.h"

namespace tilescope::app {

using namespace compiler;
using profiler::Tensor;

/// Tensors are made when their data is asked for: most counts need none.
static CountInput makeInput(const profiler::LaunchPlan &plan, const InspectMessage &message,
                            std::map<std::string, Tensor> &tensors, Status &usable) {
  CountInput input;
  for (size_t axis = 0; axis < 3; ++axis)
    input.grid[axis] = static_cast<int32_t>(plan.grid[axis]);
  input.program = message.program;
  input.numThreads = message.threads;
  input.argument = [&](const KernelParameter &parameter,
                       bool withData) -> std::optional<InterpreterArgument> {
    InterpreterArgument result;
    result.name = parameter.name;
    const profiler::PlanArgument *argument = plan.argument(parameter.name);
    if (!argument)
      return std::nullopt;
    if (!argument->tensor()) {
      result.bits = scalarBits(*argument->scalar(), parameter.type);
      return result;
    }
    if (!withData)
      return result;
    std::string failed;
    if (tensors.empty())
      usable = makeTensors(plan, message.inputFolder, tensors, failed);
    const auto tensor = tensors.find(parameter.name);
    if (tensor == tensors.end())
      return std::nullopt;
    result.data = tensor->second.data.data();
    result.sizeBytes = tensor->second.data.size();
    return result;
  };
  return input;
}

void runInspectJob(Compiler &worker, const InspectMessage &message, std::stop_token stop,
                   ReplyWriter &replies) {
  InspectDoneReply reply;
  reply.job = message.job;
  const auto fail = [&](const Error &error) {
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::LaunchBlockInvalid;
    diagnostic.message = error.message;
    reply.diagnostics.push_back(std::move(diagnostic));
    reply.ok = false;
  };
  const Result<profiler::LaunchPlan> plan = profiler::launchPlanFromJson(message.launchPlan);
  if (!plan) {
    fail(plan.error());
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
  CompileRequest request = message.request;
  request.stopAfter = StageId::Ttgir;
  request.collectFacts = request.recordPassIr = false;
  CompileOutcome compiled = worker.compile(request, hooks);
  reply.cancelled = compiled.cancelled;
  reply.diagnostics = compiled.result.diagnostics;
  if (compiled.result.ok) {
    hooks.stepStarted(StageId::Ttgir, "count");
    std::map<std::string, Tensor> tensors;
    Status usable;
    CountInput input = makeInput(*plan, message, tensors, usable);
    input.stop = stop;
    CountOutcome counted = countAccesses(compiled.result, input);
    reply.cancelled |= counted.cancelled;
    reply.diagnostics.insert(reply.diagnostics.end(), counted.diagnostics.begin(),
                             counted.diagnostics.end());
    if (counted.facts)
      reply.facts = std::move(*counted.facts);
    if (!usable)
      fail(usable.error());
    reply.ok = counted.facts && usable && !reply.cancelled;
  }
  clearLastWordsJob();
  reply.files = std::move(compiled.result.files);
  if (!reply.files.empty())
    reply.files.front().text.clear();
  replies.send(reply);
}

} // namespace tilescope::app
