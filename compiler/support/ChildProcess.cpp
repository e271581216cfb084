// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/ChildProcess.h"

#include "compiler/support/Spawn.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <functional>
#include <poll.h>
#include <span>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilescope {

MemoryFile::MemoryFile(std::string_view content) {
  // Without MFD_CLOEXEC: children are to inherit it.
  m_descriptor = memfd_create("tilescope", 0);
  while (valid() && !content.empty()) {
    const ssize_t written = write(m_descriptor, content.data(), content.size());
    if (written < 0) {
      close(m_descriptor);
      m_descriptor = -1;
      return;
    }
    content.remove_prefix(static_cast<size_t>(written));
  }
}

MemoryFile::~MemoryFile() {
  if (valid())
    close(m_descriptor);
}

std::string MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(m_descriptor); }

std::string MemoryFile::content() const {
  std::string text(static_cast<size_t>(lseek(m_descriptor, 0, SEEK_END)), '\0');
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t count =
        pread(m_descriptor, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (count <= 0)
      break;
    done += static_cast<size_t>(count);
  }
  text.resize(done);
  return text;
}

namespace {
/// A descriptor that can be read from once a stop is requested; -1 where none ever is.
class StopEvent {
public:
  explicit StopEvent(const std::stop_token &stop)
      : m_descriptor{stop.stop_possible() ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1},
        m_callback(stop, [this] { eventfd_write(m_descriptor.number, 1); }) {}
  pollfd poll() const { return {m_descriptor.number, POLLIN, 0}; }

private:
  struct Descriptor {
    int number;
    ~Descriptor() { closeDescriptor(number); }
  };
  Descriptor m_descriptor;
  /// Ends before the descriptor does.
  std::stop_callback<std::function<void()>> m_callback;
};

enum class Wait { Done, TimedOut, Stopped };
} // namespace

/// Until one of them can be read.
static Wait waitFor(std::span<pollfd> polls, std::chrono::steady_clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline - std::chrono::steady_clock::now());
  if (left.count() <= 0)
    return Wait::TimedOut;
  if (poll(polls.data(), polls.size(), static_cast<int>(left.count())) < 0)
    return errno == EINTR ? Wait::Done : Wait::TimedOut;
  return polls.back().revents != 0 ? Wait::Stopped : Wait::Done;
}

/// Reads both pipes until they are closed.
static Wait collect(const SpawnedChild &child, ChildOutput &result,
                    std::chrono::steady_clock::time_point deadline, const StopEvent &stop) {
  std::array<char, 16384> buffer;
  std::array<std::string *, 2> sinks{&result.standardOutput, &result.standardError};
  std::array<pollfd, 3> polls{pollfd{child.output, POLLIN, 0}, pollfd{child.errors, POLLIN, 0},
                              stop.poll()};
  while (polls[0].fd >= 0 || polls[1].fd >= 0) {
    for (pollfd &each : polls)
      each.revents = 0;
    if (const Wait wait = waitFor(polls, deadline); wait != Wait::Done)
      return wait;
    for (size_t i = 0; i < sinks.size(); ++i) {
      if (polls[i].fd < 0 || polls[i].revents == 0)
        continue;
      const ssize_t count = read(polls[i].fd, buffer.data(), buffer.size());
      if (count > 0)
        sinks[i]->append(buffer.data(), static_cast<size_t>(count));
      else if (count == 0 || errno != EINTR)
        polls[i].fd = -1;
    }
  }
  return Wait::Done;
}

/// Until the child ends: one that has closed its pipes may still run on.
static Wait awaitEnd(pid_t child, std::chrono::steady_clock::time_point deadline,
                     const StopEvent &stop) {
  int descriptor = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (descriptor < 0)
    return Wait::Done;
  std::array<pollfd, 2> polls{pollfd{descriptor, POLLIN, 0}, stop.poll()};
  Wait wait = Wait::Done;
  while (wait == Wait::Done && polls[0].revents == 0)
    wait = waitFor(polls, deadline);
  // What has ended has neither taken too long nor been stopped.
  if (polls[0].revents != 0)
    wait = Wait::Done;
  closeDescriptor(descriptor);
  return wait;
}

Result<ChildOutput> runChild(const std::string &program, const std::vector<std::string> &arguments,
                             std::chrono::milliseconds timeout, const std::stop_token &stop) {
  Result<SpawnedChild> child =
      spawn(program, arguments, {.pipeErrors = true, .diesWithThread = true});
  if (!child)
    return child.error();
  ChildOutput result;
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  const StopEvent stopEvent(stop);
  Wait wait = collect(*child, result, deadline, stopEvent);
  if (wait == Wait::Done)
    wait = awaitEnd(child->pid, deadline, stopEvent);
  result.timedOut = wait == Wait::TimedOut;
  result.stopped = wait == Wait::Stopped;
  if (wait != Wait::Done)
    kill(child->pid, SIGKILL);
  closeDescriptor(child->output);
  closeDescriptor(child->errors);
  const int status = waitForChild(child->pid);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

} // namespace tilescope
