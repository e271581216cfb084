// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/ChildProcess.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  bool open() { return pipe2(ends.data(), O_CLOEXEC) == 0; }
  void closeEnd(int index) {
    if (ends[index] >= 0)
      close(ends[index]);
    ends[index] = -1;
  }
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
};

} // namespace

/// Starts the child. vfork, because copying the page tables of a process that maps LLVM costs
/// milliseconds; between vfork and exec only system calls are made.
static pid_t startChild(const std::string &program, const std::vector<std::string> &arguments,
                        const Pipe &output, const Pipe &errors) {
  std::vector<char *> argv{const_cast<char *>(program.c_str())};
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t child = vfork();
  if (child != 0)
    return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(127);
  dup2(output.ends[1], STDOUT_FILENO);
  dup2(errors.ends[1], STDERR_FILENO);
  execv(program.c_str(), argv.data());
  _exit(127);
}

/// Reads both pipes until they are closed. Gives false when the time is up first.
static bool collect(Pipe &output, Pipe &errors, ChildOutput &result,
                    std::chrono::steady_clock::time_point deadline) {
  std::array<char, 16384> buffer;
  std::array<std::string *, 2> sinks{&result.standardOutput, &result.standardError};
  std::array<pollfd, 2> polls{pollfd{output.ends[0], POLLIN, 0}, pollfd{errors.ends[0], POLLIN, 0}};
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

Result<ChildOutput> runChild(const std::string &program, const std::vector<std::string> &arguments,
                             std::chrono::milliseconds timeout) {
  Pipe output, errors;
  if (!output.open() || !errors.open())
    return Error{ErrorCode::Environment, "no pipe for `" + program + "`: " + strerror(errno), ""};
  const pid_t child = startChild(program, arguments, output, errors);
  if (child < 0)
    return Error{ErrorCode::Environment, "`" + program + "` cannot be started: " + strerror(errno),
                 ""};
  output.closeEnd(1);
  errors.closeEnd(1);
  ChildOutput result;
  if (!collect(output, errors, result, std::chrono::steady_clock::now() + timeout)) {
    result.timedOut = true;
    kill(child, SIGKILL);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

} // namespace tilescope
