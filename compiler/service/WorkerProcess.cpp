// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/service/WorkerProcess.h"

#include "compiler/support/Spawn.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace tilescope::compiler {

using Clock = std::chrono::steady_clock;

static Error cannotStart(const std::string &program, const std::string &reason) {
  return Error{ErrorCode::Environment, "the compile worker cannot be started: " + reason,
               "`" + program + "` must be an executable file; it is installed beside `tilescope`"};
}

/// Milliseconds as `poll` takes them.
static int millisecondsUntil(WorkerProcess::Deadline deadline) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, std::numeric_limits<int>::max()));
}

Result<WorkerProcess> WorkerProcess::start(const std::string &program, Deadline deadline,
                                           unsigned numWorkers) {
  // A worker that dies must not take this process with it.
  signal(SIGPIPE, SIG_IGN);
  // In its own group, so that the tools it runs can be ended with it.
  const Result<SpawnedChild> child =
      spawn(program, {"--workers", std::to_string(std::max(1u, numWorkers))},
            {.pipeInput = true, .ownGroup = true});
  if (!child)
    return cannotStart(program, child.error().message);
  WorkerProcess worker;
  worker.m_child = child->pid;
  worker.m_input = child->input;
  worker.m_output = child->output;
  if (child->executionError != 0)
    return cannotStart(program, strerror(child->executionError));
  worker.m_alive = true;
  // A worker that reads nothing must not hold up the writer.
  fcntl(worker.m_input, F_SETFL, O_NONBLOCK);
  const std::optional<WorkerReply> first = worker.receive(deadline);
  const auto *hello = first ? std::get_if<HelloReply>(&*first) : nullptr;
  if (hello == nullptr && worker.alive())
    return Error{ErrorCode::Environment, "the compile worker has started, but does not answer",
                 "the machine may be too busy: try again"};
  if (hello == nullptr)
    return cannotStart(program, worker.ending());
  if (hello->protocolVersion != kWorkerProtocolVersion)
    return cannotStart(program, "it is from another version of Tilescope");
  worker.m_hello = *hello;
  return worker;
}

WorkerProcess::WorkerProcess(WorkerProcess &&other) noexcept { *this = std::move(other); }

WorkerProcess &WorkerProcess::operator=(WorkerProcess &&other) noexcept {
  if (this == &other)
    return *this;
  stop(Clock::now());
  m_child = std::exchange(other.m_child, -1);
  m_input = std::exchange(other.m_input, -1);
  m_output = std::exchange(other.m_output, -1);
  m_alive = std::exchange(other.m_alive, false);
  m_frames = std::move(other.m_frames);
  m_hello = std::move(other.m_hello);
  m_ending = std::move(other.m_ending);
  return *this;
}

WorkerProcess::~WorkerProcess() {
  if (m_child > 0 && m_alive)
    kill(-m_child, SIGKILL);
  reap();
  closePipes();
}

void WorkerProcess::closePipes() {
  closeDescriptor(m_input);
  closeDescriptor(m_output);
}

void WorkerProcess::reap() {
  m_alive = false;
  if (m_child <= 0)
    return;
  const int status = waitForChild(m_child);
  // The assembler it may have left behind.
  kill(-m_child, SIGKILL);
  m_child = -1;
  if (WIFSIGNALED(status)) {
    const char *name = sigabbrev_np(WTERMSIG(status));
    m_ending = name != nullptr ? std::string("SIG") + name : "an unknown signal";
  } else {
    m_ending = "exit status " + std::to_string(WEXITSTATUS(status));
  }
}

bool WorkerProcess::send(const WorkerRequest &request, Deadline deadline) {
  const std::string frame = encodeFrame(request);
  std::string_view rest = frame;
  while (!rest.empty()) {
    const ssize_t count = write(m_input, rest.data(), rest.size());
    if (count > 0)
      rest.remove_prefix(static_cast<size_t>(count));
    if (count >= 0 || errno == EINTR)
      continue;
    pollfd room{m_input, POLLOUT, 0};
    if (errno != EAGAIN || poll(&room, 1, millisecondsUntil(deadline)) == 0)
      return false;
  }
  return true;
}

std::optional<WorkerReply> WorkerProcess::receive(Deadline deadline) {
  std::array<char, 1 << 16> buffer;
  while (true) {
    if (std::optional<std::string> payload = m_frames.next()) {
      Result<WorkerReply> reply = decodeReply(*payload);
      if (reply)
        return std::move(*reply);
      stop(Clock::now());
      return std::nullopt;
    }
    // Nothing more can be read from a stream that is out of step.
    if (m_frames.broken())
      stop(Clock::now());
    if (m_output < 0)
      return std::nullopt;
    pollfd wait{m_output, POLLIN, 0};
    const int ready = poll(&wait, 1, millisecondsUntil(deadline));
    if (ready == 0)
      return std::nullopt;
    if (ready < 0)
      continue;
    const ssize_t count = read(m_output, buffer.data(), buffer.size());
    if (count > 0) {
      m_frames.append({buffer.data(), static_cast<size_t>(count)});
    } else if (count == 0 || errno != EINTR) {
      closePipes();
      reap();
    }
  }
}

void WorkerProcess::stop(Deadline deadline) {
  if (m_child <= 0)
    return;
  kill(m_child, SIGUSR1);
  // One that was stopped could say nothing.
  kill(m_child, SIGCONT);
  std::array<char, 1 << 16> buffer;
  while (m_output >= 0) {
    pollfd wait{m_output, POLLIN, 0};
    if (poll(&wait, 1, millisecondsUntil(deadline)) == 0)
      break;
    const ssize_t count = read(m_output, buffer.data(), buffer.size());
    if (count > 0)
      m_frames.append({buffer.data(), static_cast<size_t>(count)});
    else if (count == 0 || errno != EINTR)
      break;
  }
  kill(-m_child, SIGKILL);
  reap();
  closePipes();
}

} // namespace tilescope::compiler
