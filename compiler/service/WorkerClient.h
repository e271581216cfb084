// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/service/WorkerProcess.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace tilescope::compiler {

struct WorkerClientOptions {
  /// Path of `tilescope-worker`.
  std::string program;
  /// A job that is not taken, or without any reply, for this long is ended with the worker.
  std::chrono::milliseconds patience{120000};
  /// How long a stop request may take to be obeyed before the worker is killed.
  std::chrono::milliseconds cancelPatience{500};
  /// Workers that work side by side: each takes its part of the machine's memory.
  unsigned numWorkers = 1;
};

/// Compiles in a worker process and starts a new one when it dies: whatever a kernel does to the
/// compiler ends in a diagnostic. Thread: one.
class WorkerClient {
public:
  explicit WorkerClient(WorkerClientOptions options) : m_options(std::move(options)) {}

  const WorkerClientOptions &options() const { return m_options; }

  /// The error is about the worker program; all that concerns the kernel is in the result.
  Result<CompileResult> compile(const CompileRequest &request, const WantedParts &wanted = {},
                                std::stop_token stop = {}, const TestHook &hook = {});

  /// Runs a launch in the interpreter. `message.job` is filled in. `progress` may be empty.
  Result<RunDoneReply> interpret(InterpretMessage message,
                                 const std::function<void(const RunProgressReply &)> &progress = {},
                                 std::stop_token stop = {});

  /// Counts what the accesses of a launch cost. `message.job` is filled in.
  Result<InspectDoneReply> inspect(InspectMessage message, std::stop_token stop = {});

  /// Steps through a launch, which the worker keeps: without one in the message it goes on with the
  /// one of before. `message.job` is filled in. `progress` may be empty.
  Result<StepDoneReply> step(StepMessage message,
                             const std::function<void(const RunProgressReply &)> &progress = {},
                             std::stop_token stop = {});

  /// Reads a model file. `message.job` is filled in.
  Result<ModelDoneReply> readModel(ModelMessage message, std::stop_token stop = {});

  /// The worker's first words; starts it when needed.
  Result<HelloReply> hello();

private:
  using Take = std::function<bool(const WorkerReply &)>;
  Status ensureWorker();
  /// Sends the request and feeds replies to `take` until it returns true: the job has ended.
  void follow(JobId job, const WorkerRequest &request, const Take &take, std::stop_token stop);
  /// Sends a message as a new job, which ends with one reply, or a crash, which becomes a diagnostic.
  template <typename Reply, typename Message>
  Result<Reply> ask(Message message, const Take &takeOther, std::stop_token stop);
  void giveUp(JobId job, const Take &take, CrashedReply::Reason reason, bool isCancelled);

  WorkerClientOptions m_options;
  std::optional<WorkerProcess> m_worker;
  JobId m_lastJob = 0;
  StageId m_stage{};
};

/// Compiles many files with up to `numWorkers` workers. Results are in the order of the requests.
Result<std::vector<CompileResult>> compileAll(const WorkerClientOptions &options,
                                              const std::vector<CompileRequest> &requests,
                                              const WantedParts &wanted, unsigned numWorkers);

} // namespace tilescope::compiler
