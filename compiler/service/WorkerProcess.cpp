// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/service/WorkerProcess.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char **environ;

namespace tilescope::compiler {

using Clock = std::chrono::steady_clock;

static Error cannotStart(const std::string &program, const std::string &reason) {
  return Error{ErrorCode::Environment, "the compile worker cannot be started: " + reason,
               "`" + program + "` must be an executable file; it is installed beside `tilescope`"};
}

/// Starts the child in a process group of its own, so that the tools it runs can be ended with it.
static int spawnChild(const std::string &program, int input, int output, pid_t &child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::array<char *, 2> argv{const_cast<char *>(program.c_str()), nullptr};
  const int error =
      posix_spawn(&child, program.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

Result<WorkerProcess> WorkerProcess::start(const std::string &program, Deadline deadline) {
  // A worker that dies must not take this process with it.
  signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> toChild, fromChild;
  if (pipe2(toChild.data(), O_CLOEXEC) != 0)
    return cannotStart(program, strerror(errno));
  if (pipe2(fromChild.data(), O_CLOEXEC) != 0) {
    close(toChild[0]);
    close(toChild[1]);
    return cannotStart(program, strerror(errno));
  }
  WorkerProcess worker;
  const int error = spawnChild(program, toChild[0], fromChild[1], worker.m_child);
  close(toChild[0]);
  close(fromChild[1]);
  worker.m_input = toChild[1];
  worker.m_output = fromChild[0];
  if (error != 0) {
    worker.m_child = -1;
    return cannotStart(program, strerror(error));
  }
  worker.m_alive = true;
  const std::optional<WorkerReply> first = worker.receive(deadline);
  const auto *hello = first ? std::get_if<HelloReply>(&*first) : nullptr;
  if (hello == nullptr)
    return cannotStart(program, worker.alive() ? "it does not answer" : worker.ending());
  if (hello->protocolVersion != kWorkerProtocolVersion)
    return cannotStart(program, "it is of another version");
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
  for (int *descriptor : {&m_input, &m_output})
    if (*descriptor >= 0)
      close(std::exchange(*descriptor, -1));
}

void WorkerProcess::reap() {
  m_alive = false;
  if (m_child <= 0)
    return;
  int status = 0;
  while (waitpid(m_child, &status, 0) < 0 && errno == EINTR) {
  }
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

bool WorkerProcess::send(const WorkerRequest &request) {
  const std::string frame = encodeFrame(request);
  std::string_view rest = frame;
  while (!rest.empty()) {
    const ssize_t count = write(m_input, rest.data(), rest.size());
    if (count < 0 && errno != EINTR)
      return false;
    if (count > 0)
      rest.remove_prefix(static_cast<size_t>(count));
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
    if (m_output < 0 || m_frames.broken())
      return std::nullopt;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wait{m_output, POLLIN, 0};
    const int ready = poll(&wait, 1, left > 0 ? static_cast<int>(left) : 0);
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
  std::array<char, 1 << 16> buffer;
  while (m_output >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wait{m_output, POLLIN, 0};
    if (left <= 0 || poll(&wait, 1, static_cast<int>(left)) == 0)
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
