// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Compiled code that is kept on the disk: what is read again, and that nothing else is.
#include "compiler/pipeline/CodeFolder.h"

#include "compiler/pipeline/BuildId.h"
#include "tests/support/TestFolder.h"
#include "tests/unit/compiler/pipeline/BothTargets.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::tests;
namespace fs = std::filesystem;

static std::vector<fs::path> filesIn(const fs::path &folder) {
  std::vector<fs::path> files;
  if (fs::exists(folder))
    for (const fs::directory_entry &entry : fs::directory_iterator(folder))
      files.push_back(entry.path());
  return files;
}

static std::string bytesOf(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

static void write(const fs::path &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

static constexpr ContentKey kKey{1, 2}, kOther{1, 3};

TEST_CASE("a folder of code has what was left there, for the user alone", "[compiler][native]") {
  const TestFolder temporary;
  const fs::path path = temporary.path / "deep" / "code";
  const CodeFolder folder(path.string());
  CHECK_FALSE(folder.find(kKey));
  folder.insert(kKey, "some code");
  CHECK(folder.find(kKey) == "some code");
  CHECK_FALSE(folder.find(kOther));
  folder.insert(kOther, "");
  CHECK(folder.find(kOther) == "");
  // Another process finds it, too.
  CHECK(CodeFolder(path.string()).find(kKey) == "some code");
  const auto modeOf = [](const fs::path &each) { return fs::status(each).permissions(); };
  CHECK(modeOf(path) == fs::perms::owner_all);
  REQUIRE(filesIn(path).size() == 2);
  for (const fs::path &file : filesIn(path))
    CHECK(modeOf(file) == (fs::perms::owner_read | fs::perms::owner_write));
  // Without a folder nothing is kept.
  const CodeFolder none;
  none.insert(kKey, "code");
  CHECK_FALSE(none.find(kKey));
}

TEST_CASE("damaged files of a folder of code are none", "[compiler][native]") {
  const TestFolder temporary;
  const fs::path path = temporary.path / "code";
  const CodeFolder folder(path.string());
  folder.insert(kKey, "some code");
  const fs::path file = filesIn(path).at(0);
  const std::string whole = bytesOf(file);
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    write(file, damaged);
    CHECK_FALSE(folder.find(kKey));
    write(file, whole.substr(0, i));
    CHECK_FALSE(folder.find(kKey));
  }
  write(file, whole + "x");
  CHECK_FALSE(folder.find(kKey));
  // Of another key.
  folder.insert(kOther, "other");
  for (const fs::path &each : filesIn(path))
    if (each != file)
      fs::copy_file(each, file, fs::copy_options::overwrite_existing);
  CHECK_FALSE(folder.find(kKey));
  write(file, whole);
  CHECK(folder.find(kKey) == "some code");
}

TEST_CASE("code that others may have written is not taken", "[compiler][native]") {
  const TestFolder temporary;
  const fs::path path = temporary.path / "code";
  const CodeFolder folder(path.string());
  folder.insert(kKey, "some code");
  const fs::path file = filesIn(path).at(0);
  fs::permissions(file, fs::perms::group_write, fs::perm_options::add);
  CHECK_FALSE(folder.find(kKey));
  fs::permissions(file, fs::perms::group_write, fs::perm_options::remove);
  CHECK(folder.find(kKey));
  fs::permissions(path, fs::perms::others_write, fs::perm_options::add);
  CHECK_FALSE(folder.find(kKey));
  folder.insert(kOther, "more");
  CHECK(filesIn(path).size() == 1);
  fs::permissions(path, fs::perms::others_write, fs::perm_options::remove);
  CHECK(folder.find(kKey));
  // Links, and what is no file.
  fs::rename(file, temporary.path / "elsewhere");
  fs::create_symlink(temporary.path / "elsewhere", file);
  CHECK_FALSE(folder.find(kKey));
  fs::remove(file);
  REQUIRE(mkfifo(file.c_str(), 0600) == 0);
  CHECK_FALSE(folder.find(kKey));
  fs::create_directory_symlink(path, temporary.path / "link");
  const CodeFolder link((temporary.path / "link").string());
  link.insert(kOther, "more");
  CHECK_FALSE(link.find(kOther));
}

TEST_CASE("what was used longest ago leaves a folder of code first", "[compiler][native]") {
  const TestFolder temporary;
  const fs::path path = temporary.path / "code";
  const CodeFolder folder(path.string(), 3500);
  const std::string code(1000, 'c');
  const auto age = [&] {
    for (const fs::path &file : filesIn(path))
      fs::last_write_time(file, fs::last_write_time(file) - std::chrono::minutes(1));
  };
  for (uint64_t i = 0; i < 3; ++i) {
    folder.insert({i, i}, code);
    age();
  }
  // Used again, so the second is the oldest.
  CHECK(folder.find({0, 0}));
  age();
  folder.insert({3, 3}, code);
  CHECK(folder.find({0, 0}));
  CHECK_FALSE(folder.find({1, 1}));
  CHECK(folder.find({2, 2}));
  CHECK(folder.find({3, 3}));
  // What does not fit at all leaves the others.
  folder.insert({4, 4}, std::string(4000, 'c'));
  CHECK(filesIn(path).size() == 3);
}

/// Runs as checked native code in a process of its own, as far as code is concerned.
static Found runIn(const fs::path &folder, const std::string &body) {
  Compiler compiler{CudaToolkit{}};
  compiler.keepCodeIn(folder.string());
  return runOn(compiler, body, "cuda:90", {.executor = CpuExecutor::Native});
}

TEST_CASE("native code of an earlier process is executed as new code is", "[compiler][native]") {
  REQUIRE_FALSE(buildId().empty());
  const TestFolder temporary;
  const fs::path path = temporary.path / "code";
  // With functions of this process, and with places of an access that is outside.
  for (const std::string body :
       {"    x = tl.load(x_ptr + o, mask=o < n, other=0.0)\n"
        "    tl.store(y_ptr + (o * 37) % 100, tl.sin(x) % 3.0, mask=o < n)\n",
        "    tl.store(y_ptr + o, tl.load(x_ptr + o, mask=o <= n), mask=o < n)\n"}) {
    fs::remove_all(path);
    const Found first = runIn(path, body);
    REQUIRE(filesIn(path).size() == 1);
    const fs::path file = filesIn(path).at(0);
    const auto old = fs::last_write_time(file) - std::chrono::hours(1);
    fs::last_write_time(file, old);
    const Found again = runIn(path, body);
    // It was read.
    CHECK(fs::last_write_time(file) > old);
    CHECK(again.isNative == first.isNative);
    CHECK(again.memory == first.memory);
    CHECK(again.messages == first.messages);
    // Damaged, it is compiled and left there again.
    const std::string whole = bytesOf(file);
    write(file, whole.substr(0, whole.size() / 2));
    CHECK(runIn(path, body).memory == first.memory);
    CHECK(bytesOf(file).size() == whole.size());
    // Other code is another file.
    runIn(path, body + "    tl.store(i_ptr + pid, 1)\n");
    CHECK(filesIn(path).size() == 2);
  }
}

TEST_CASE("a kernel runs where the folder of code cannot be written to", "[compiler][native]") {
  const std::string body = "    tl.store(y_ptr + o, o * 2.0, mask=o < n)\n";
  const TestFolder temporary;
  const fs::path path = temporary.path / "code";
  write(temporary.path / "file", "");
  CHECK(runIn(temporary.path / "file" / "code", body).isNative);
  CHECK(runIn(temporary.path / "file", body).isNative);
  CHECK(runIn("/proc/none", body).isNative);
  runIn(path, body);
  REQUIRE(filesIn(path).size() == 1);
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_exec);
  CHECK(runIn(path, body).isNative);
  // Who may do everything writes in spite of the mode.
  const size_t written = geteuid() == 0 ? 2 : 1;
  CHECK(runIn(path, body + "    tl.store(i_ptr + pid, 1)\n").isNative);
  CHECK(filesIn(path).size() == written);
  fs::permissions(path, fs::perms::owner_all);
}
