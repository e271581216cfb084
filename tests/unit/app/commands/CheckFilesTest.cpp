// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CheckFiles.h"

#include "tests/support/Sanitized.h"
#include "tests/support/TestFolder.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace std::chrono_literals;
using namespace tilescope;
using namespace tilescope::app;
using compiler::DiagnosticKind;
using compiler::Severity;
using compiler::TestHook;

namespace fs = std::filesystem;

namespace {

/// A folder of kernel files, and the permission to make the compiler fail.
struct KernelFolder : tests::TestFolder {
  KernelFolder() {
    setenv("TILESCOPE_CRASH_DIR", (path / "crashes").c_str(), 1);
    setenv("TILESCOPE_TEST_HOOKS", "1", 1);
  }
  ~KernelFolder() {
    unsetenv("TILESCOPE_CRASH_DIR");
    unsetenv("TILESCOPE_TEST_HOOKS");
  }
};

} // namespace

static std::string kernels(const std::vector<std::string> &names) {
  std::string text = "import triton\nimport triton.language as tl\n";
  for (const std::string &name : names)
    text += "@triton.jit\ndef " + name + "(p):\n    tl.store(p, 1.0)\n";
  return text;
}

static std::vector<CheckedFile> check(const KernelFolder &folder,
                                      const CheckFilesOptions &options = {}) {
  const Result<std::vector<ListedFile>> files = listFiles({folder.path});
  REQUIRE(files);
  std::vector<CheckedFile> checked;
  const Status status = checkFiles(
      *files, options, [&](const CheckedFile &file) { checked.push_back(file); }, [](size_t) {});
  REQUIRE(status);
  return checked;
}

TEST_CASE("a folder stands for the inputs below it, in order", "[app]") {
  const KernelFolder folder;
  for (const char *name : {"b.py", "a/z.ttir", "a/k.ptx", "a.txt", ".git/c.py", "__pycache__/d.py"})
    folder.write(name, "");
  const Result<std::vector<ListedFile>> files = listFiles({folder.path, folder.path / "a.txt"});
  REQUIRE(files);
  std::vector<std::string> names;
  for (const ListedFile &file : *files)
    names.push_back(fs::relative(file.path, folder.path));
  CHECK(names == std::vector<std::string>{"a/k.ptx", "a/z.ttir", "b.py", "a.txt"});
  CHECK_FALSE(files->front().isNamed);
  CHECK(files->back().isNamed);
  const Result<std::vector<ListedFile>> missing = listFiles({folder.path / "missing"});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::InvalidInput);
}

TEST_CASE("a crash and a hang cost one kernel each", "[app]") {
  const KernelFolder folder;
  folder.write("a.py", kernels({"a0", "crashes", "a2"}));
  folder.write("b.py", kernels({"hangs", "b1"}));
  folder.write("c.py", kernels({"c0"}));
  CheckFilesOptions options;
  options.numWorkers = 2;
  options.patience = 1500ms * tests::kSlowdown;
  options.testHook = [](const std::string &kernel) -> TestHook {
    if (kernel == "crashes")
      return {TestHook::Action::Crash, "canonicalize"};
    if (kernel == "hangs")
      return {TestHook::Action::Hang, "canonicalize"};
    return {};
  };
  const std::vector<CheckedFile> files = check(folder, options);
  REQUIRE(files.size() == 3);
  std::vector<std::string> failed;
  for (const CheckedFile &file : files)
    for (const CheckedKernel &kernel : file.kernels)
      if (!kernel.ok)
        failed.push_back(kernel.name);
  CHECK(failed == std::vector<std::string>{"crashes", "hangs"});
  CHECK(files[0].kernels.size() == 3);
  CHECK(files[1].kernels.size() == 2);
  REQUIRE(files[0].findings.size() == 1);
  CHECK(files[0].findings[0].diagnostic.kind == DiagnosticKind::StageCrashed);
  REQUIRE(files[1].findings.size() == 1);
  CHECK(files[1].findings[0].diagnostic.kind == DiagnosticKind::StageTimedOut);
  CHECK(files[2].ok());
}

TEST_CASE("functions that kernels call are checked and counted apart", "[app]") {
  const KernelFolder folder;
  folder.write("a.py", "import triton\nimport triton.language as tl\n"
                       "@triton.jit\ndef total(x):\n    return tl.sum(x, axis=0)\n"
                       "@triton.jit\ndef wrong(x):\n    return tl.nothing(x)\n"
                       "@triton.jit\ndef kernel(p):\n"
                       "    tl.store(p, total(tl.load(p + tl.arange(0, 16))))\n");
  const std::vector<CheckedFile> files = check(folder);
  REQUIRE(files.size() == 1);
  CHECK(files[0].count(/*isDevice=*/false) == 1);
  CHECK(files[0].countFailed(/*isDevice=*/false) == 0);
  CHECK(files[0].count(/*isDevice=*/true) == 2);
  CHECK(files[0].countFailed(/*isDevice=*/true) == 1);
  REQUIRE(files[0].kernels.size() == 3);
  CHECK(files[0].kernels[0].name == "kernel");
  CHECK(files[0].count(Severity::Error) == 1);
}

TEST_CASE("what concerns all kernels of a file is said once", "[app]") {
  const KernelFolder folder;
  folder.write("a.py", kernels({"a0", "a1"}) + "x = = 1\n");
  folder.write("b.py", "print('no kernel here')\n");
  folder.write("c.ttir", "module { tt.func @k() { tt.return } }");
  const std::vector<CheckedFile> files = check(folder);
  REQUIRE(files.size() == 3);
  CHECK(files[0].count(Severity::Error) == 1);
  CHECK(files[0].kernels.size() == 2);
  // A folder may hold files of other kinds.
  CHECK(files[1].ok());
  CHECK(files[1].kernels.empty());
  CHECK(files[2].ok());
  REQUIRE(files[2].kernels.size() == 1);
  CHECK(files[2].kernels[0].name == "k");
}

TEST_CASE("a file in a folder that means to have a kernel must import Triton", "[app]") {
  const KernelFolder folder;
  folder.write("a.py", "@triton.jit\ndef k(p):\n    tl.store(p, 1.0)\n");
  folder.write("b.py", "print('no kernel here')\n");
  std::vector<CheckedFile> files;
  const Status status = checkFiles(
      {{folder.path / "a.py", false}, {folder.path / "b.py", false}}, {},
      [&](const CheckedFile &file) { files.push_back(file); }, [](size_t) {});
  REQUIRE(status);
  REQUIRE(files.size() == 2);
  REQUIRE(files[0].findings.size() == 1);
  CHECK(files[0].findings[0].diagnostic.message.starts_with("`triton` is not imported"));
  CHECK_FALSE(files[0].ok());
  CHECK(files[1].ok());
}

TEST_CASE("a file that was named must have a kernel and be readable", "[app]") {
  const KernelFolder folder;
  folder.write("b.py", "print('no kernel here')\n");
  folder.write("c.txt", "");
  std::vector<CheckedFile> files;
  const Status status = checkFiles(
      {{folder.path / "b.py"}, {folder.path / "c.txt"}}, {},
      [&](const CheckedFile &file) { files.push_back(file); }, [](size_t) {});
  REQUIRE(status);
  REQUIRE(files.size() == 2);
  REQUIRE(files[0].findings.size() == 1);
  CHECK(files[0].findings[0].diagnostic.kind == DiagnosticKind::NoKernel);
  CHECK(files[1].unreadable);
  CHECK_FALSE(files[1].ok());
}

TEST_CASE("a kernel that loads and stores nothing is told so, where nothing else might", "[app]") {
  const auto found = [](const std::string &body) {
    const KernelFolder folder;
    folder.write("a.py", "import triton\nimport triton.language as tl\n"
                         "@triton.jit\ndef twice(x):\n    return x * 2\n"
                         "@triton.jit\ndef put(p, x):\n    tl.store(p, x)\n"
                         "@triton.jit\ndef k(p, n, SAVE: tl.constexpr = False):\n" +
                             body);
    const std::vector<CheckedFile> files = check(folder);
    std::string messages;
    for (const Finding &finding : files.front().findings)
      messages += finding.diagnostic.message + "\n";
    return messages;
  };
  const std::string load = "    i = tl.arange(0, 16)\n    x = tl.load(p + i, mask=i < n)\n";
  const std::string warning =
      "the kernel `k` stores nothing: a launch leaves every argument unchanged\n";
  CHECK(found(load) == warning);
  CHECK(found(load + "    tl.static_assert(SAVE == False)\n    y = twice(x)\n") == warning);
  CHECK(found(load + "    tl.store(p + i, x)\n").empty());
  CHECK(found(load + "    put(p + i, x)\n").empty());
  CHECK(found(load + "    tl.device_print(\"x\", x)\n").empty());
  // Other constexprs let it store.
  CHECK(found(load + "    if SAVE:\n        tl.store(p + i, x)\n").empty());
  // It has only been begun.
  CHECK(found("    i = tl.arange(0, 16)\n").empty());
}
