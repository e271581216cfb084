// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/service/WorkerClient.h"

#include "compiler/service/CrashDiagnostic.h"
#include "compiler/service/ResultAssembler.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace tilescope::compiler {

using Clock = std::chrono::steady_clock;

/// Between two looks at the stop token.
static constexpr std::chrono::milliseconds kPollInterval{50};
/// For a worker to start: the patience with a job, but what any machine can keep.
static constexpr std::chrono::milliseconds kLeastStartPatience{5000};
static constexpr std::chrono::milliseconds kMostStartPatience{30000};
static constexpr std::chrono::milliseconds kLastWordsPatience{2000};

Status WorkerClient::ensureWorker() {
  // One that is idle has nothing to say, but may have been killed.
  if (m_worker)
    m_worker->receive(Clock::now());
  if (m_worker && m_worker->alive())
    return {};
  const auto patience = std::clamp(m_options.patience, kLeastStartPatience, kMostStartPatience);
  Result<WorkerProcess> started =
      WorkerProcess::start(m_options.program, Clock::now() + patience, m_options.numWorkers);
  if (!started)
    return started.error();
  m_worker = std::move(*started);
  return {};
}

Result<HelloReply> WorkerClient::hello() {
  if (Status status = ensureWorker(); !status)
    return status.error();
  return m_worker->hello();
}

/// The worker is ended; its last words, or ours in its place, end the job.
void WorkerClient::giveUp(JobId job, const Take &take, CrashedReply::Reason reason,
                          bool isCancelled) {
  // The last words about a job that was stopped serve nothing.
  m_worker->stop(isCancelled ? Clock::now() : Clock::now() + kLastWordsPatience);
  while (std::optional<WorkerReply> reply = m_worker->receive(Clock::now()))
    if (take(*reply))
      return;
  CrashedReply crash;
  crash.job = job;
  crash.reason = reason;
  crash.stage = m_stage;
  if (reason == CrashedReply::Reason::Crash)
    crash.signal = m_worker->ending();
  take(crash);
}

void WorkerClient::follow(JobId job, const WorkerRequest &request, const Take &take,
                          std::stop_token stop) {
  m_stage = StageId::Ast;
  bool cancelSent = false;
  auto deadline = Clock::now() + m_options.patience;
  // Whether the worker is gone or took nothing until the deadline, the loop finds out.
  m_worker->send(request, deadline);
  while (true) {
    const auto now = Clock::now();
    if (stop.stop_requested() && !cancelSent) {
      cancelSent = true;
      deadline = now + m_options.cancelPatience;
      m_worker->send(CancelMessage{job}, deadline);
    }
    if (now >= deadline)
      return giveUp(job, take, CrashedReply::Reason::Killed, cancelSent);
    const auto wait = stop.stop_possible() ? std::min(deadline, now + kPollInterval) : deadline;
    const std::optional<WorkerReply> reply = m_worker->receive(wait);
    if (!reply && !m_worker->alive())
      return giveUp(job, take, CrashedReply::Reason::Crash, cancelSent);
    if (!reply)
      continue;
    if (!cancelSent)
      deadline = Clock::now() + m_options.patience;
    if (const auto *started = std::get_if<StageStartedReply>(&*reply))
      m_stage = started->stage;
    if (take(*reply))
      break;
  }
}

Result<CompileResult> WorkerClient::compile(const CompileRequest &request,
                                            const WantedParts &wanted, std::stop_token stop,
                                            const TestHook &hook) {
  if (Status status = ensureWorker(); !status)
    return status.error();
  const JobId job = ++m_lastJob;
  ResultAssembler assembler(job, request);
  bool crashed = false;
  follow(
      job, CompileMessage{job, request, wanted, hook},
      [&](const WorkerReply &reply) {
        crashed |= std::holds_alternative<CrashedReply>(reply);
        assembler.add(reply);
        return assembler.done();
      },
      stop);
  if (crashed)
    m_worker.reset();
  if (assembler.cancelled() || (crashed && stop.stop_requested()))
    return Error{ErrorCode::Cancelled, "the compilation was cancelled", ""};
  return assembler.result();
}

static Diagnostic crashOf(const CrashedReply &crash, const ModelMessage & /*message*/) {
  return crashDiagnostic(crash, "reading the model");
}

template <typename Message>
static Diagnostic crashOf(const CrashedReply &crash, const Message & /*message*/) {
  return crashDiagnostic(crash);
}

template <typename Reply, typename Message>
Result<Reply> WorkerClient::ask(Message message, const Take &takeOther, std::stop_token stop) {
  if (Status status = ensureWorker(); !status)
    return status.error();
  const JobId job = message.job = ++m_lastJob;
  Reply result;
  bool crashed = false;
  follow(
      job, message,
      [&](const WorkerReply &reply) {
        if (const auto *done = std::get_if<Reply>(&reply); done && done->job == job) {
          result = *done;
          return true;
        }
        if (const auto *crash = std::get_if<CrashedReply>(&reply); crash && crash->job == job) {
          result.job = job;
          result.diagnostics.push_back(crashOf(*crash, message));
          return crashed = true;
        }
        return takeOther && takeOther(reply);
      },
      stop);
  if (crashed)
    m_worker.reset();
  if (result.cancelled || (crashed && stop.stop_requested()))
    return Error{ErrorCode::Cancelled, "the run was cancelled", ""};
  return result;
}

/// Passes on how far a job is, which does not end it.
static auto telling(const std::function<void(const RunProgressReply &)> &progress) {
  return [&progress](const WorkerReply &reply) {
    if (const auto *state = std::get_if<RunProgressReply>(&reply); state != nullptr && progress)
      progress(*state);
    return false;
  };
}

Result<RunDoneReply>
WorkerClient::interpret(InterpretMessage message,
                        const std::function<void(const RunProgressReply &)> &progress,
                        std::stop_token stop) {
  return ask<RunDoneReply>(std::move(message), telling(progress), std::move(stop));
}

Result<InspectDoneReply> WorkerClient::inspect(InspectMessage message, std::stop_token stop) {
  return ask<InspectDoneReply>(std::move(message), {}, std::move(stop));
}

Result<ModelDoneReply> WorkerClient::readModel(ModelMessage message, std::stop_token stop) {
  return ask<ModelDoneReply>(std::move(message), {}, std::move(stop));
}

Result<StepDoneReply>
WorkerClient::step(StepMessage message,
                   const std::function<void(const RunProgressReply &)> &progress,
                   std::stop_token stop) {
  return ask<StepDoneReply>(std::move(message), telling(progress), std::move(stop));
}

Result<std::vector<CompileResult>> compileAll(const WorkerClientOptions &options,
                                              const std::vector<CompileRequest> &requests,
                                              const WantedParts &wanted, unsigned numWorkers) {
  std::vector<CompileResult> results(requests.size());
  std::atomic<size_t> next = 0;
  std::mutex failureMutex;
  Status all;
  const size_t count = std::min<size_t>(std::max(1u, numWorkers), requests.size());
  WorkerClientOptions each = options;
  each.numWorkers = static_cast<unsigned>(count);
  const auto work = [&] {
    WorkerClient client(each);
    for (size_t i = next++; i < requests.size(); i = next++) {
      Result<CompileResult> result = client.compile(requests[i], wanted);
      if (result) {
        results[i] = std::move(*result);
        continue;
      }
      const std::lock_guard lock(failureMutex);
      all = result.error();
      return;
    }
  };
  std::vector<std::jthread> threads;
  for (size_t i = 0; i < count; ++i)
    threads.emplace_back(work);
  threads.clear();
  if (!all)
    return all.error();
  return results;
}

} // namespace tilescope::compiler
