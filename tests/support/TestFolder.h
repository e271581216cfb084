// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace tilescope::tests {

/// An empty folder of a test's own, removed with what the test leaves in it.
struct TestFolder {
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tilescope-test-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw std::runtime_error("cannot make the folder `" + name + "`");
    path = name;
  }
  TestFolder(const TestFolder &) = delete;
  TestFolder &operator=(const TestFolder &) = delete;
  ~TestFolder() { std::filesystem::remove_all(path); }

  /// With the folders that the name has.
  void write(const std::filesystem::path &name, const std::string &text = "") const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
  }
  std::string operator/(const std::string &name) const { return (path / name).string(); }

  std::filesystem::path path;
};

} // namespace tilescope::tests
