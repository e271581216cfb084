// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilescope {

/// A file that lives in memory only; child processes open it by `path()`.
class MemoryFile {
public:
  explicit MemoryFile(std::string_view content = {});
  ~MemoryFile();
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  bool valid() const { return m_descriptor >= 0; }
  /// `/proc/self/fd/N`, the same in this process and its children.
  std::string path() const;
  std::string content() const;

private:
  int m_descriptor = -1;
};

struct ChildOutput {
  /// Exit status, or 128 + the signal that ended it.
  int status = 0;
  bool timedOut = false;
  /// It was told to stop before it had ended.
  bool stopped = false;
  std::string standardOutput;
  std::string standardError;
};

/// Runs a program to its end and collects what it writes. The child dies with this process, and is
/// killed as soon as a stop is requested.
Result<ChildOutput> runChild(const std::string &program, const std::vector<std::string> &arguments,
                             std::chrono::milliseconds timeout, const std::stop_token &stop = {});

} // namespace tilescope
