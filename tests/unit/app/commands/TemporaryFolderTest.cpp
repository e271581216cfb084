// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/TemporaryFolder.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::app;
namespace fs = std::filesystem;

namespace {
/// TMPDIR is a new folder, for the life of this object.
struct Scratch {
  std::string path = (fs::temp_directory_path() / "scratch-XXXXXX").string();
  Scratch() {
    REQUIRE(mkdtemp(path.data()) != nullptr);
    setenv("TMPDIR", path.c_str(), 1);
  }
  ~Scratch() {
    unsetenv("TMPDIR");
    fs::remove_all(path);
  }
  /// A folder as a process leaves it behind that was killed an hour ago.
  std::string leftBehind(const std::string &name) const {
    const std::string folder = path + "/" + name;
    fs::create_directory(folder);
    fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::hours(1));
    return folder;
  }
};
} // namespace

TEST_CASE("a temporary folder is private and goes with its object", "[app]") {
  const Scratch scratch;
  std::string path;
  {
    const Result<TemporaryFolder> folder = TemporaryFolder::make();
    REQUIRE(folder);
    path = folder->path();
    struct stat facts = {};
    REQUIRE(stat(path.c_str(), &facts) == 0);
    CHECK((facts.st_mode & 0777) == 0700);
    CHECK(fs::path(path).parent_path() == scratch.path);
    fs::create_directory(path + "/deeper");
  }
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("folders of processes that were killed are removed, those in use stay", "[app]") {
  const Scratch scratch;
  const std::string abandoned = scratch.leftBehind("tilescope-run-gone");
  const std::string inUse = scratch.leftBehind("tilescope-run-used");
  const std::string foreign = scratch.leftBehind("something-else");
  const std::string young = scratch.path + "/tilescope-run-young";
  fs::create_directory(young);
  fs::create_directory_symlink(foreign, scratch.path + "/tilescope-run-link");
  const int lock = open(inUse.c_str(), O_RDONLY | O_DIRECTORY);
  REQUIRE(flock(lock, LOCK_EX) == 0);
  const Result<TemporaryFolder> folder = TemporaryFolder::make();
  CHECK(folder);
  CHECK_FALSE(fs::exists(abandoned));
  CHECK(fs::exists(inUse));
  CHECK(fs::exists(foreign));
  CHECK(fs::exists(young));
  close(lock);
}

TEST_CASE("a missing TMPDIR is an error with its name", "[app]") {
  const Scratch scratch;
  setenv("TMPDIR", "/no/such/folder", 1);
  const Result<TemporaryFolder> folder = TemporaryFolder::make();
  REQUIRE_FALSE(folder);
  CHECK(folder.error().code == ErrorCode::Environment);
  CHECK(folder.error().message.find("`/no/such/folder`") != std::string::npos);
}
