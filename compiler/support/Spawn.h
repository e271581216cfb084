// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace tilescope {

struct SpawnOptions {
  /// What the child reads comes from a pipe; else from where this process reads.
  bool pipeInput = false;
  /// The same for what it complains.
  bool pipeErrors = false;
  /// A process group of its own, so that what it starts can be ended with it.
  bool ownGroup = false;
  /// Killed when the thread that started it ends.
  bool diesWithThread = false;
};

/// A child process and this side of the pipes to it, -1 where there is none. Whoever has it closes
/// them and waits for the child.
struct SpawnedChild {
  pid_t pid = -1;
  int input = -1;
  int output = -1;
  int errors = -1;
  /// Why the program could not be executed; then the child has ended with status 127.
  int executionError = 0;
};

/// Starts a program. Fails when the system has no pipes or processes left.
Result<SpawnedChild> spawn(const std::string &program, const std::vector<std::string> &arguments,
                           const SpawnOptions &options);

/// The same where nothing can be done without the program: fails also when it cannot be executed, with the hint, and
/// then leaves no child behind.
Result<SpawnedChild> startProgram(const std::string &program,
                                  const std::vector<std::string> &arguments,
                                  const SpawnOptions &options, const std::string &hint = {});

/// Closes a descriptor that is open, and notes that it is not.
void closeDescriptor(int &descriptor);

/// Waits for a child to end; its status as `waitpid` returns it.
int waitForChild(pid_t pid);

} // namespace tilescope
