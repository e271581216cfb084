// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/Spawn.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace tilescope {

void closeDescriptor(int &descriptor) {
  if (descriptor >= 0)
    close(descriptor);
  descriptor = -1;
}

int waitForChild(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

namespace {

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  bool open() { return pipe2(ends.data(), O_CLOEXEC) == 0; }
  int take(int index) { return std::exchange(ends[index], -1); }
  ~Pipe() {
    closeDescriptor(ends[0]);
    closeDescriptor(ends[1]);
  }
};

} // namespace

Result<SpawnedChild> spawn(const std::string &program, const std::vector<std::string> &arguments,
                           const SpawnOptions &options) {
  Pipe input, output, errors;
  if ((options.pipeInput && !input.open()) || !output.open() ||
      (options.pipeErrors && !errors.open()))
    return Error{ErrorCode::Environment, "no pipe for `" + program + "`: " + strerror(errno), ""};
  std::vector<char *> argv{const_cast<char *>(program.c_str())};
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t parent = getpid();
  // Written by the child, which shares this memory until it executes the program.
  volatile int executionError = 0;
  // Copying the page tables of a process that maps LLVM costs milliseconds; between vfork and exec
  // only system calls are made.
  const pid_t child = vfork();
  if (child == 0) {
    if (options.diesWithThread) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent)
        _exit(127);
    }
    if (options.ownGroup)
      setpgid(0, 0);
    if (options.pipeInput)
      dup2(input.ends[0], STDIN_FILENO);
    dup2(output.ends[1], STDOUT_FILENO);
    if (options.pipeErrors)
      dup2(errors.ends[1], STDERR_FILENO);
    execv(program.c_str(), argv.data());
    executionError = errno;
    _exit(127);
  }
  if (child < 0)
    return Error{ErrorCode::Environment, "`" + program + "` cannot be started: " + strerror(errno),
                 ""};
  return SpawnedChild{child, input.take(1), output.take(0), errors.take(0), executionError};
}

Result<SpawnedChild> startProgram(const std::string &program,
                                  const std::vector<std::string> &arguments,
                                  const SpawnOptions &options, const std::string &hint) {
  Result<SpawnedChild> child = spawn(program, arguments, options);
  if (!child || child->executionError == 0)
    return child;
  for (int *descriptor : {&child->input, &child->output, &child->errors})
    closeDescriptor(*descriptor);
  (void)waitForChild(child->pid);
  return Error{ErrorCode::Environment,
               "`" + program + "` cannot be started: " + strerror(child->executionError), hint};
}

} // namespace tilescope
