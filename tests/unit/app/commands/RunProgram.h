// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/ChildProcess.h"
#include "profiler/data/FileIo.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace tilescope::tests {

/// A folder for the files of one test.
struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tilescope-usage-" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string write(const char *name, const std::string &text) const {
    REQUIRE(profiler::writeFile((path / name).string(), text));
    return (path / name).string();
  }
};

/// Runs the command line as a user does.
inline ChildOutput program(const std::vector<std::string> &arguments) {
  const Result<ChildOutput> child =
      runChild(TILESCOPE_PROGRAM, arguments, std::chrono::seconds(60));
  REQUIRE(child);
  return *child;
}

} // namespace tilescope::tests
