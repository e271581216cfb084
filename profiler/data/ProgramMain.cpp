// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/ProgramMain.h"

#include "profiler/data/Text.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <new>
#include <unistd.h>

namespace tilescope::profiler {

static constexpr int kEnvironment = 3;

static void openStandardStreams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (fcntl(stream, F_GETFD) < 0)
      // The wrong way round: writing to it fails, and is noticed.
      (void)!open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static int fail(const std::string &name, const std::string &what) {
  std::fprintf(stderr, "%s: error: %s\n", name.c_str(), printable(what).c_str());
  return kEnvironment;
}

static int finishOutput(const std::string &name, int status) {
  errno = 0;
  std::cout.flush();
  const bool isWritten = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
  if (isWritten)
    return status;
  return fail(name, std::string("cannot write to standard output: ") +
                        (errno != 0 ? std::strerror(errno) : "not all of it was written"));
}

int runProgram(const std::string &name, const std::function<int()> &body) {
  openStandardStreams();
  try {
    return finishOutput(name, body());
  } catch (const std::bad_alloc &) {
    return fail(name, "this machine does not have enough memory");
  } catch (const std::exception &failure) {
    return fail(name, failure.what());
  }
}

} // namespace tilescope::profiler
