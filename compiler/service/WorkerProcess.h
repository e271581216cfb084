// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/service/MessageCodec.h"
#include "compiler/support/Result.h"

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>

namespace tilescope::compiler {

/// A running `tilescope-worker`, for programs without their own event loop.
///
/// Thread: one. The child is killed, with its own children, when this object goes.
class WorkerProcess {
public:
  using Deadline = std::chrono::steady_clock::time_point;

  /// Starts `program` and waits for its first reply. The worker leaves memory for others when it is
  /// one of several (`numWorkers`).
  static Result<WorkerProcess> start(const std::string &program, Deadline deadline,
                                     unsigned numWorkers = 1);
  ~WorkerProcess();
  WorkerProcess(WorkerProcess &&other) noexcept;
  WorkerProcess &operator=(WorkerProcess &&other) noexcept;

  const HelloReply &hello() const { return m_hello; }
  /// Returns false when the worker is gone or has not taken the whole request by the deadline: then
  /// the stream is out of step, and only `stop` is left.
  bool send(const WorkerRequest &request, Deadline deadline);
  /// The next reply. Nothing: the time was up (`alive()` is still true) or the worker is gone.
  std::optional<WorkerReply> receive(Deadline deadline);
  bool alive() const { return m_alive; }
  /// Ends the worker: it may say its last words until the deadline, then it is killed. Those words
  /// can then be received.
  void stop(Deadline deadline);
  /// How it ended, in words (`SIGKILL`, `exit status 70`); valid once it is not alive.
  const std::string &ending() const { return m_ending; }

private:
  WorkerProcess() = default;
  void closePipes();
  void reap();

  pid_t m_child = -1;
  int m_input = -1;
  int m_output = -1;
  bool m_alive = false;
  FrameReader m_frames;
  HelloReply m_hello;
  std::string m_ending;
};

} // namespace tilescope::compiler
