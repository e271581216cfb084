// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/InspectJob.h"

#include "app/worker/CompileJob.h"
#include "app/worker/LastWords.h"
#include "app/worker/LaunchInput.h"
#include "compiler/pipeline/CountAccesses.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tilescope::app {

using namespace compiler;
using profiler::Tensor;

namespace {
/// Passes on a request to stop, and makes one itself when the time is over.
class TimeLimit {
public:
  /// 0: no limit.
  TimeLimit(std::stop_token outer, std::chrono::milliseconds limit)
      : m_passOn(std::move(outer), [this] { m_stop.request_stop(); }) {
    if (limit.count() > 0)
      m_watch = std::jthread([this, limit](std::stop_token ended) {
        std::unique_lock lock(m_mutex);
        if (m_wake.wait_for(lock, ended, limit, [&] { return ended.stop_requested(); }))
          return;
        m_isOver = true;
        m_stop.request_stop();
      });
  }

  std::stop_token token() const { return m_stop.get_token(); }
  bool isOver() const { return m_isOver; }

private:
  std::stop_source m_stop;
  std::atomic<bool> m_isOver = false;
  std::mutex m_mutex;
  std::condition_variable_any m_wake;
  std::stop_callback<std::function<void()>> m_passOn;
  std::jthread m_watch;
};
} // namespace

static uint64_t dataBytes(const profiler::LaunchPlan &plan) {
  uint64_t bytes = 0;
  for (const profiler::PlanArgument &argument : plan.args)
    if (const profiler::PlanTensor *tensor = argument.tensor()) {
      uint64_t count = profiler::dtypeSize(tensor->dtype);
      for (const int64_t extent : tensor->shape)
        count *= static_cast<uint64_t>(extent);
      bytes += count;
    }
  return bytes;
}

static Status checkData(const profiler::LaunchPlan &plan, uint64_t most) {
  const uint64_t bytes = dataBytes(plan);
  if (most == 0 || bytes <= most)
    return {};
  return Error{ErrorCode::Usage,
               "the addresses depend on what the kernel reads, and its arrays take " +
                   std::to_string(bytes >> 20) + " MiB: more than is filled while a file is edited",
               "choose smaller sizes in the launch block"};
}

/// Tensors are made when their data is asked for: most counts need none.
static CountInput makeInput(const profiler::LaunchPlan &plan, const InspectMessage &message,
                            std::map<std::string, Tensor> &tensors, Status &usable) {
  CountInput input;
  for (size_t axis = 0; axis < 3; ++axis)
    input.grid[axis] = static_cast<int32_t>(plan.grid[axis]);
  input.program = message.program;
  input.record = message.record;
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
    if (tensors.empty() && usable) {
      usable = checkData(plan, message.mostDataBytes);
      if (usable)
        usable = makeTensors(plan, message.inputFolder, tensors, failed);
    }
    const auto tensor = tensors.find(parameter.name);
    if (tensor == tensors.end())
      return std::nullopt;
    result.data = tensor->second.data.data();
    result.sizeBytes = tensor->second.data.size();
    return result;
  };
  return input;
}

static Status checkProgram(const profiler::LaunchPlan &plan,
                           const std::optional<std::array<int32_t, 3>> &program) {
  for (size_t axis = 0; program && axis < program->size(); ++axis)
    if ((*program)[axis] < 0 || (*program)[axis] >= plan.grid[axis])
      return Error{ErrorCode::Usage, "the grid has no such program", ""};
  return {};
}

/// What the launch says of the arrays that were recorded.
static void addShapes(const profiler::LaunchPlan &plan, AccessRecord &record) {
  for (RecordedArgument &recorded : record.arguments) {
    const profiler::PlanArgument *argument = plan.argument(recorded.name);
    if (const profiler::PlanTensor *tensor = argument ? argument->tensor() : nullptr) {
      recorded.shape = tensor->shape;
      recorded.elementBytes = static_cast<int32_t>(profiler::dtypeSize(tensor->dtype));
    }
  }
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
  const bool isExecuted = !message.launchPlan.empty();
  const Result<profiler::LaunchPlan> plan =
      isExecuted ? profiler::launchPlanFromJson(message.launchPlan) : profiler::LaunchPlan();
  if (!plan) {
    fail(plan.error());
    replies.send(reply);
    return;
  }
  if (Status inGrid = checkProgram(*plan, message.program); isExecuted && !inGrid) {
    fail(inGrid.error());
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
    input.isExecuted = isExecuted;
    input.conversionPasses = std::move(compiled.conversionPasses);
    const TimeLimit limit(stop, std::chrono::milliseconds(message.timeLimitMs));
    input.stop = limit.token();
    CountOutcome counted = countAccesses(compiled.result, input);
    reply.isOutOfTime = counted.cancelled && limit.isOver();
    reply.cancelled |= counted.cancelled && !reply.isOutOfTime;
    // What an array that cannot be made leads to says less than why it cannot.
    if (usable)
      reply.diagnostics.insert(reply.diagnostics.end(), counted.diagnostics.begin(),
                               counted.diagnostics.end());
    if (counted.facts)
      reply.facts = std::move(*counted.facts);
    reply.record = std::move(counted.record);
    addShapes(*plan, reply.record);
    if (!usable)
      fail(usable.error());
    reply.ok = counted.facts && usable && !counted.cancelled;
  }
  clearLastWordsJob();
  reply.files = std::move(compiled.result.files);
  if (!reply.files.empty())
    reply.files.front().text.clear();
  replies.send(reply);
}

} // namespace tilescope::app
