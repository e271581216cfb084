// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/InspectJob.h"

#include "app/worker/CompileJob.h"
#include "app/worker/CountedLaunch.h"
#include "app/worker/FixTrial.h"
#include "app/worker/LastWords.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tilescope::app {

using namespace compiler;

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
  const Result<profiler::LaunchPlan> plan = profiler::launchPlanFromJson(message.launchPlan);
  if (!plan) {
    fail(plan.error());
    replies.send(reply);
    return;
  }
  if (Status inGrid = checkProgram(*plan, message.program); !inGrid) {
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
  CompileOutcome compiled =
      worker.compile(countRequest(message.request, message.wantsHints), hooks);
  if (compiled.result.ok)
    hooks.stepStarted(StageId::Ttgir, "count");
  const TimeLimit limit(stop, std::chrono::milliseconds(message.timeLimitMs));
  const CountTask task{message, *plan, limit.token()};
  CountedLaunch counted = countLaunch(std::move(compiled), task);
  reply.cancelled = counted.cancelled && stop.stop_requested();
  reply.isOutOfTime = counted.cancelled && !reply.cancelled && limit.isOver();
  reply.diagnostics = counted.diagnostics;
  if (counted.facts && message.wantsHints)
    reply.hints = triedHints(worker, task, counted);
  reply.ok = counted.facts && !counted.cancelled;
  if (counted.facts)
    reply.facts = std::move(*counted.facts);
  reply.record = std::move(counted.record);
  addShapes(*plan, reply.record);
  CompileResult &result = counted.result;
  clearLastWordsJob();
  reply.files = std::move(result.files);
  if (!reply.files.empty())
    reply.files.front().text.clear();
  replies.send(reply);
}

} // namespace tilescope::app
