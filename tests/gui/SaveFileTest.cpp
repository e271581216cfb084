// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/files/SaveFile.h"

#include "tests/gui/OrdinaryUser.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::app;
using Catch::Contains;
using tilescope::tests::OrdinaryUser;
namespace fs = std::filesystem;

namespace {

/// A folder of its own for each test.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "tilescope-test-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  std::string at(const char *name) const { return (path / name).string(); }
  std::string write(const char *name, const std::string &bytes) const {
    std::ofstream(at(name), std::ios::binary) << bytes;
    return at(name);
  }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const fs::directory_entry &entry : fs::directory_iterator(path))
      found.insert(entry.path().filename().string());
    return found;
  }
};

std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string writeError(const std::string &path, const std::string &bytes) {
  const Result<FileStamp> stamp = saveFile(path, bytes);
  return stamp ? "" : stamp.error().message;
}

struct stat stateOf(const std::string &path) {
  struct stat state {};
  lstat(path.c_str(), &state);
  return state;
}

/// Writing beyond `bytes` fails while it lives.
struct SizeLimit {
  rlimit before{};
  explicit SizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit limit{bytes, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SizeLimit() { setrlimit(RLIMIT_FSIZE, &before); }
};

} // namespace

TEST_CASE("saving keeps mode, links and names", "[gui][saving]") {
  const Folder folder;
  const std::string path = folder.write("a.py", "old");
  REQUIRE(chmod(path.c_str(), 0741) == 0);
  fs::create_symlink("a.py", folder.at("link"));
  REQUIRE(writeError(folder.at("link"), "new") == "");
  CHECK(contents(path) == "new");
  CHECK((stateOf(path).st_mode & 07777) == 0741);
  CHECK(S_ISLNK(stateOf(folder.at("link")).st_mode));
  CHECK(folder.names() == std::set<std::string>{"a.py", "link"});

  fs::create_hard_link(path, folder.at("other"));
  REQUIRE(writeError(path, "both") == "");
  CHECK(contents(folder.at("other")) == "both");

  // A link to a file that does not exist yet makes the file, not a replacement of the link.
  fs::create_symlink("later.py", folder.at("dangling"));
  REQUIRE(writeError(folder.at("dangling"), "made") == "");
  CHECK(contents(folder.at("later.py")) == "made");
  CHECK(S_ISLNK(stateOf(folder.at("dangling")).st_mode));
  fs::create_symlink("loop", folder.at("loop"));
  CHECK_THAT(writeError(folder.at("loop"), ""), Contains("symbolic links"));
  CHECK_THAT(writeError(folder.path.string(), ""), Contains("it is a folder"));
  CHECK_THAT(writeError(folder.at("none/a.py"), ""), Contains("No such file"));
}

TEST_CASE("saving keeps the owner", "[gui][saving]") {
  if (getuid() != 0)
    return;
  const Folder folder;
  const std::string path = folder.write("a.py", "old");
  REQUIRE(chown(path.c_str(), 65534, 65534) == 0);
  REQUIRE(writeError(path, "new") == "");
  CHECK(stateOf(path).st_uid == 65534);
  CHECK(stateOf(path).st_gid == 65534);
  // A user who may write to another user's file, but not change owners, writes in place.
  const std::string shared = folder.write("shared.py", "old");
  REQUIRE(chmod(shared.c_str(), 0666) == 0);
  REQUIRE(chmod(folder.path.c_str(), 0777) == 0);
  {
    const OrdinaryUser user;
    CHECK(writeError(shared, "theirs") == "");
  }
  CHECK(stateOf(shared).st_uid == 0);
  CHECK(contents(shared) == "theirs");
}

TEST_CASE("what may not be written stays, and a folder without new files is enough",
          "[gui][saving]") {
  const Folder folder;
  const std::string path = folder.write("a.py", "old");
  REQUIRE(chmod(path.c_str(), 0444) == 0);
  // The superuser's rights do not count: the file says what its owner wants.
  CHECK_THAT(writeError(path, "new"), Contains("write-protected"));
  CHECK(isWriteProtected(path));
  CHECK(contents(path) == "old");

  const std::string open = folder.write("open.py", "old");
  REQUIRE(chmod(open.c_str(), 0666) == 0);
  REQUIRE(chmod(folder.path.c_str(), 0555) == 0);
  {
    const OrdinaryUser user;
    CHECK(writeError(open, "new") == "");
    CHECK_THAT(writeError(folder.at("fresh.py"), "new"), Contains("Permission denied"));
  }
  CHECK(contents(open) == "new");
  REQUIRE(chmod(folder.path.c_str(), 0755) == 0);
}

TEST_CASE("a full disk leaves the old file whole", "[gui][saving]") {
  const Folder folder;
  const std::string path = folder.write("a.py", "old");
  fs::create_hard_link(path, folder.at("other"));
  const std::string single = folder.write("single.py", "old");
  {
    const SizeLimit limit(64);
    CHECK_THAT(writeError(single, std::string(4096, 'x')), Contains("cannot write"));
    CHECK_THAT(writeError(path, std::string(4096, 'x')), Contains("cannot write"));
  }
  CHECK(contents(single) == "old");
  CHECK(contents(path) == "old");
  CHECK(folder.names() == std::set<std::string>{"a.py", "other", "single.py"});
  CHECK_THAT(writeError("/dev/full", "x"), Contains("No space left"));
}

TEST_CASE("a real disk that is full leaves the old file whole", "[gui][saving]") {
  const Folder folder;
  const std::string disk = folder.at("disk");
  fs::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=64k") != 0) {
    WARN("not run: no small disk can be mounted");
    return;
  }
  const std::string path = folder.write("disk/a.py", "old");
  const std::string linked = folder.write("disk/b.py", "old");
  fs::create_hard_link(linked, disk + "/c.py");
  CHECK_THAT(writeError(path, std::string(1 << 20, 'x')), Contains("No space left"));
  CHECK_THAT(writeError(linked, std::string(1 << 20, 'x')), Contains("No space left"));
  CHECK(contents(path) == "old");
  CHECK(contents(linked) == "old");
  CHECK(writeError(path, "fits") == "");
  REQUIRE(umount(disk.c_str()) == 0);
}

TEST_CASE("pipes and devices are written to, never replaced", "[gui][saving]") {
  const Folder folder;
  const std::string pipe = folder.at("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THAT(writeError(pipe, "x"), Contains("nothing reads"));
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(writeError(pipe, "through") == "");
  char got[16] = {};
  CHECK(read(reader, got, sizeof got) == 7);
  CHECK(std::string(got) == "through");
  close(reader);
  CHECK(S_ISFIFO(stateOf(pipe).st_mode));
  CHECK(writeError("/dev/null", "x") == "");
  CHECK(S_ISCHR(stateOf("/dev/null").st_mode));
}

TEST_CASE("a stamp tells of every change, also with a clock that was set back", "[gui][saving]") {
  const Folder folder;
  const std::string path = folder.write("a.py", "one");
  const auto first = fileStamp(path);
  REQUIRE(first);
  // The same size and the same time, as a copying program leaves them.
  const struct stat state = stateOf(path);
  folder.write("a.py", "two");
  const timespec times[2] = {state.st_atim, state.st_mtim};
  REQUIRE(utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
  CHECK(fileStamp(path) != first);
  const Result<FileStamp> saved = saveFile(path, "three");
  REQUIRE(saved);
  CHECK(fileStamp(path) == *saved);
  CHECK(fileStamp(folder.at("none")) == std::nullopt);
}
