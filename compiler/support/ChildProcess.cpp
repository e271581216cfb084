// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/ChildProcess.h"

#include "compiler/support/Spawn.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
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

/// Reads both pipes until they are closed. Returns false when the time is up first.
static bool collect(const SpawnedChild &child, ChildOutput &result,
                    std::chrono::steady_clock::time_point deadline) {
  std::array<char, 16384> buffer;
  std::array<std::string *, 2> sinks{&result.standardOutput, &result.standardError};
  std::array<pollfd, 2> polls{pollfd{child.output, POLLIN, 0}, pollfd{child.errors, POLLIN, 0}};
  while (polls[0].fd >= 0 || polls[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0)
      return false;
    if (poll(polls.data(), polls.size(), static_cast<int>(left.count())) < 0 && errno != EINTR)
      return false;
    for (size_t i = 0; i < polls.size(); ++i) {
      if (polls[i].fd < 0 || polls[i].revents == 0)
        continue;
      const ssize_t count = read(polls[i].fd, buffer.data(), buffer.size());
      if (count > 0)
        sinks[i]->append(buffer.data(), static_cast<size_t>(count));
      else if (count == 0 || errno != EINTR)
        polls[i].fd = -1;
    }
  }
  return true;
}

/// Whether the child ends by the deadline: one that has closed its pipes may still run on.
static bool endsBy(pid_t child, std::chrono::steady_clock::time_point deadline) {
  int descriptor = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  pollfd end{descriptor, POLLIN, 0};
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline - std::chrono::steady_clock::now());
  const bool ended =
      descriptor < 0 || poll(&end, 1, static_cast<int>(std::max<int64_t>(left.count(), 0))) != 0;
  closeDescriptor(descriptor);
  return ended;
}

Result<ChildOutput> runChild(const std::string &program, const std::vector<std::string> &arguments,
                             std::chrono::milliseconds timeout) {
  Result<SpawnedChild> child =
      spawn(program, arguments, {.pipeErrors = true, .diesWithThread = true});
  if (!child)
    return child.error();
  ChildOutput result;
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  if (!collect(*child, result, deadline) || !endsBy(child->pid, deadline)) {
    result.timedOut = true;
    kill(child->pid, SIGKILL);
  }
  closeDescriptor(child->output);
  closeDescriptor(child->errors);
  const int status = waitForChild(child->pid);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

} // namespace tilescope
