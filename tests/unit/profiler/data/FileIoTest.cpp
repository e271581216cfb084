// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/FileIo.h"

#include "profiler/data/OutputFolder.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::profiler;
namespace fs = std::filesystem;

namespace {
struct Folder {
  std::string path = (fs::temp_directory_path() / "file-io-XXXXXX").string();
  Folder() { REQUIRE(mkdtemp(path.data()) != nullptr); }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const std::string &name) const { return path + "/" + name; }
};
} // namespace

static void put(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

static std::string refusal(const Result<std::string> &read) {
  REQUIRE_FALSE(read);
  return read.error().message;
}

static size_t numFiles(const std::string &folder) {
  return size_t(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST_CASE("regular files are read, through links and without a stated size", "[profiler]") {
  const Folder folder;
  put(folder / "a", "some");
  fs::create_symlink("a", folder / "link");
  CHECK(*readFile(folder / "a") == "some");
  CHECK(*readFile(folder / "link") == "some");
  CHECK_FALSE(readFile("/proc/self/status")->empty());
  put(folder / "empty", "");
  CHECK(readFile(folder / "empty")->empty());
}

TEST_CASE("what is not a regular file is refused without waiting for it", "[profiler]") {
  const Folder folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  fs::create_symlink("loop", folder / "loop");
  CHECK(refusal(readFile(folder / "pipe")).find("is a pipe") != std::string::npos);
  CHECK(refusal(readFile("/dev/zero")).find("is a device") != std::string::npos);
  CHECK(refusal(readFile(folder.path)).find("is a folder") != std::string::npos);
  CHECK(refusal(readFile(folder / "loop")).find("symbolic links") != std::string::npos);
  CHECK(refusal(readFile(folder / "none")).find("No such file") != std::string::npos);
  CHECK(refusal(readFile(std::string("/etc/passwd\0x", 13))).find("cannot read") == 0);
}

TEST_CASE("files over the limit are refused before they are read", "[profiler]") {
  const Folder folder;
  put(folder / "sparse", "");
  fs::resize_file(folder / "sparse", uint64_t(1) << 40);
  CHECK(refusal(readFile(folder / "sparse")).find("larger than 16384 MiB") != std::string::npos);
  put(folder / "five", "12345");
  CHECK(*readFile(folder / "five", 5) == "12345");
  CHECK_FALSE(readFile(folder / "five", 4));
  CHECK_FALSE(readFile("/proc/self/status", 10));
}

TEST_CASE("text in UTF-16 and with zero bytes is refused, other encodings are left to its reader",
          "[profiler]") {
  const Folder folder;
  put(folder / "utf16", std::string("\xff\xfe"
                                    "a\0b\0",
                                    6));
  put(folder / "zero", std::string("ab\0c", 4));
  put(folder / "latin1", "caf\xe9");
  CHECK(refusal(readTextFile(folder / "utf16")).find("UTF-16") != std::string::npos);
  CHECK(refusal(readTextFile(folder / "zero")).find("byte 2 is zero") != std::string::npos);
  CHECK(*readTextFile(folder / "latin1") == "caf\xe9");
}

TEST_CASE("writing replaces a file, keeps its mode and leaves nothing else", "[profiler]") {
  const Folder folder;
  put(folder / "a", "old");
  chmod((folder / "a").c_str(), 0640);
  CHECK(writeFile(folder / "a", "new"));
  CHECK(*readFile(folder / "a") == "new");
  struct stat facts = {};
  REQUIRE(stat((folder / "a").c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0640);
  CHECK(numFiles(folder.path) == 1);
}

TEST_CASE("writing follows a link that the user named, and keeps it", "[profiler]") {
  const Folder folder;
  put(folder / "a", "old");
  fs::create_symlink("a", folder / "link");
  fs::create_symlink("nowhere", folder / "dangling");
  CHECK(writeFile(folder / "link", "new"));
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(*readFile(folder / "a") == "new");
  CHECK_FALSE(writeFile(folder / "dangling", "new"));
  CHECK(fs::is_symlink(folder / "dangling"));
}

TEST_CASE("devices and pipes are written to, never replaced", "[profiler]") {
  const Folder folder;
  CHECK(writeFile("/dev/null", "bytes"));
  CHECK(fs::is_character_file("/dev/null"));
  const Status full = writeFile("/dev/full", "bytes");
  REQUIRE_FALSE(full);
  CHECK(full.error().message.find("No space left") != std::string::npos);
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const Status unread = writeFile(folder / "pipe", "bytes");
  REQUIRE_FALSE(unread);
  CHECK(unread.error().message.find("nothing reads") != std::string::npos);
  CHECK(fs::is_fifo(folder / "pipe"));
  CHECK_FALSE(writeFile(folder.path, "bytes"));
  CHECK_FALSE(writeFile(folder / "none/a", "bytes"));
}

TEST_CASE("names that cannot name a file in a folder", "[profiler]") {
  for (const char *name : {"x", "x_ptr", "_Z3fooIiE", "größe", "a.b", "kernel 1"})
    CHECK(isFileName(name));
  for (const std::string &name :
       {std::string(), std::string("."), std::string(".."), std::string("../x"),
        std::string("/abs/name"), std::string("a/b"), std::string("-o"), std::string(".hidden"),
        std::string("a\nb"), std::string("a\0b", 3), std::string("\x1b[2J"), std::string("\xff"),
        std::string(300, 'x')}) {
    CAPTURE(name);
    CHECK_FALSE(isFileName(name));
    CHECK_FALSE(checkFileName("argument", name));
  }
}

TEST_CASE("nothing is written outside an output folder", "[profiler]") {
  const Folder folder;
  fs::create_directory(folder / "in");
  put(folder / "outside", "mine");
  fs::create_symlink("../outside", folder / "in/link");
  fs::create_symlink("..", folder / "in/up");
  REQUIRE(mkfifo((folder / "in/pipe").c_str(), 0600) == 0);
  const Result<OutputFolder> out = OutputFolder::make(folder / "in");
  REQUIRE(out);
  CHECK(out->write("a", "bytes"));
  CHECK(*readFile(folder / "in/a") == "bytes");
  for (const std::string &name : {std::string("../b"), folder / "b", std::string("link"),
                                  std::string("pipe"), std::string("up/b"), std::string("up")})
    CHECK_FALSE(out->write(name, "bytes"));
  CHECK_FALSE(out->folder("up"));
  CHECK_FALSE(out->folder(".."));
  REQUIRE(out->folder("deeper"));
  CHECK(out->folder("deeper")->write("c", "bytes"));
  CHECK(fs::exists(folder / "in/deeper/c"));
  CHECK(*readFile(folder / "outside") == "mine");
  CHECK(numFiles(folder.path) == 2);
}

TEST_CASE("a folder that is missing is named with its option", "[profiler]") {
  CHECK(requireFolder("/", "--inputs"));
  CHECK(requireFolder("/no/such", "--inputs").error().message ==
        "`--inputs`: there is no folder `/no/such`");
  CHECK(requireFolder("/dev/null", "--compare").error().message ==
        "`--compare`: `/dev/null` is not a folder");
}
