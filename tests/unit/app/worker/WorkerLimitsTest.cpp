// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a worker may take and leave behind, and how long anybody waits for it.
#include "app/worker/MemoryLimit.h"
#include "app/worker/Reproducers.h"
#include "compiler/service/WorkerClient.h"
#include "tests/support/Sanitized.h"
#include "tests/support/TestFolder.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::compiler;

namespace {

/// An environment variable for as long as this lives.
struct Variable {
  Variable(const char *name, const std::string &value) : m_name(name) {
    if (const char *old = std::getenv(name))
      m_old = old;
    if (value.empty())
      unsetenv(name);
    else
      setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (m_old)
      setenv(m_name, m_old->c_str(), 1);
    else
      unsetenv(m_name);
  }

private:
  const char *m_name;
  std::optional<std::string> m_old;
};

} // namespace

static CompileRequest request(std::string text) {
  CompileRequest result;
  result.path = "/kernels/k.ll";
  result.text = std::move(text);
  result.entry = StageId::LlvmIr;
  result.stopAfter = StageId::Ptx;
  return result;
}

static constexpr const char *kKernel = "define ptx_kernel void @k() {\n  ret void\n}\n";

static std::string readFile(const fs::path &path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

static unsigned mode(const fs::path &path) {
  struct stat facts{};
  REQUIRE(lstat(path.c_str(), &facts) == 0);
  return facts.st_mode & 0777;
}

/// A program that greets as a worker does, then does what `script` says.
static std::string fakeWorker(const tests::TestFolder &folder, const std::string &script) {
  std::ofstream(folder.path / "hello", std::ios::binary) << encodeFrame(HelloReply{});
  const fs::path program = folder.path / "worker.sh";
  std::ofstream(program) << "#!/bin/sh\ncat " << folder.path / "hello" << "\n" << script << "\n";
  fs::permissions(program, fs::perms::owner_all);
  return program;
}

/// The worker; its process number is noted in the folder.
static std::string notedWorker(const tests::TestFolder &folder) {
  const fs::path program = folder.path / "worker.sh";
  std::ofstream(program) << "#!/bin/sh\necho $$ > " << folder.path / "process" << "\nexec "
                         << TILESCOPE_WORKER << " \"$@\"\n";
  fs::permissions(program, fs::perms::owner_all);
  return program;
}

static pid_t notedProcess(const tests::TestFolder &folder) {
  return std::stoi(readFile(folder.path / "process"));
}

TEST_CASE("a worker that takes no requests ends the request in time", "[compiler]") {
  const tests::TestFolder folder;
  WorkerClientOptions options;
  options.program = fakeWorker(folder, "exec sleep 100");
  options.patience = 500ms;
  WorkerClient client(options);
  const auto begin = std::chrono::steady_clock::now();
  // More than a pipe holds.
  const Result<CompileResult> result = client.compile(request(std::string(4 << 20, ' ')));
  REQUIRE(result);
  CHECK_FALSE(result->ok);
  REQUIRE(result->diagnostics.size() == 1);
  CHECK(result->diagnostics[0].kind == DiagnosticKind::StageTimedOut);
  CHECK(std::chrono::steady_clock::now() - begin < 20s);
}

TEST_CASE("a worker that dies of a request is not said to be slow", "[compiler]") {
  const tests::TestFolder folder;
  WorkerClientOptions options;
  options.program = fakeWorker(folder, "exit 3");
  WorkerClient client(options);
  const Result<CompileResult> result = client.compile(request(std::string(4 << 20, ' ')));
  REQUIRE(result);
  REQUIRE(result->diagnostics.size() == 1);
  CHECK(result->diagnostics[0].kind == DiagnosticKind::StageCrashed);
  CHECK(result->diagnostics[0].message.find("exit status 3") != std::string::npos);
}

TEST_CASE("a worker that was suspended still says its last words in time", "[compiler]") {
  const Variable hooks("TILESCOPE_TEST_HOOKS", "1");
  const tests::TestFolder folder;
  const Variable crashes("TILESCOPE_CRASH_DIR", folder.path / "crashes");
  WorkerClientOptions options;
  options.program = notedWorker(folder);
  options.patience = 3000ms;
  WorkerClient client(options);
  REQUIRE(client.hello());
  const pid_t worker = notedProcess(folder);
  const std::jthread stopper([&] {
    std::this_thread::sleep_for(1500ms);
    kill(worker, SIGSTOP);
  });
  const auto begin = std::chrono::steady_clock::now();
  const Result<CompileResult> result =
      client.compile(request(kKernel), {}, {}, {TestHook::Action::Hang, "ptx"});
  CHECK(std::chrono::steady_clock::now() - begin < 10s);
  REQUIRE(result);
  REQUIRE(result->diagnostics.size() == 1);
  CHECK(result->diagnostics[0].kind == DiagnosticKind::StageTimedOut);
  REQUIRE(result->diagnostics[0].notes.size() == 1);
  CHECK(result->diagnostics[0].notes[0].find("a reproducer was saved") == 0);
}

/// How many threads of a process SIGUSR1 can interrupt.
static int numInterruptibleThreads(pid_t process) {
  int count = 0;
  for (const fs::directory_entry &thread :
       fs::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
    const std::string status = readFile(thread.path() / "status");
    const uint64_t blocked = std::stoull(status.substr(status.find("SigBlk:") + 7), nullptr, 16);
    count += (blocked >> (SIGUSR1 - 1) & 1) == 0;
  }
  return count;
}

TEST_CASE("the thread of a worker that works says the last words itself", "[compiler]") {
  const tests::TestFolder folder;
  WorkerClientOptions options;
  options.program = notedWorker(folder);
  WorkerClient client(options);
  REQUIRE(client.compile(request(kKernel)));
  CHECK(numInterruptibleThreads(notedProcess(folder)) == 1);
}

TEST_CASE("a worker that does not start is given up at the time limit", "[compiler]") {
  const tests::TestFolder folder;
  const fs::path program = folder.path / "worker.sh";
  std::ofstream(program) << "#!/bin/sh\nexec sleep 100\n";
  fs::permissions(program, fs::perms::owner_all);
  WorkerClientOptions options;
  options.program = program;
  options.patience = 1000ms;
  WorkerClient client(options);
  const auto begin = std::chrono::steady_clock::now();
  const Result<CompileResult> result = client.compile(request(kKernel));
  CHECK(std::chrono::steady_clock::now() - begin < 15s);
  REQUIRE_FALSE(result);
  CHECK(result.error().message.find("does not answer") != std::string::npos);
}

TEST_CASE("workers share the memory of one", "[compiler]") {
  constexpr uint64_t kGigabyte = uint64_t{1} << 30;
  CHECK(shareOfMemory(24 * kGigabyte, 1) == 24 * kGigabyte);
  CHECK(shareOfMemory(24 * kGigabyte, 0) == 24 * kGigabyte);
  CHECK(shareOfMemory(24 * kGigabyte, 4) == 6 * kGigabyte);
  // Below that, none could work.
  CHECK(shareOfMemory(24 * kGigabyte, 100) == kGigabyte);
  CHECK(shareOfMemory(kGigabyte / 2, 2) == kGigabyte / 2);

  const tests::TestFolder folder;
  WorkerClientOptions options;
  options.program = fakeWorker(folder, "echo \"$@\" >> " + (folder.path / "told").string());
  const std::vector<CompileRequest> requests(3, request(kKernel));
  REQUIRE(compileAll(options, requests, {}, 3));
  CHECK(readFile(folder.path / "told").find("--workers 3\n") == 0);
}

TEST_CASE("one of several workers runs out of memory at its share", "[compiler]") {
  if (tests::kIsSanitized)
    return;
  const Variable hooks("TILESCOPE_TEST_HOOKS", "1");
  const Variable limit("TILESCOPE_MEMORY_LIMIT_MB", "200000");
  const tests::TestFolder folder;
  const Variable crashes("TILESCOPE_CRASH_DIR", folder.path);
  WorkerClientOptions options;
  options.program = TILESCOPE_WORKER;
  // Of 200 GB, a gigabyte each: without the share, this machine would not see the end.
  options.numWorkers = 1000;
  WorkerClient client(options);
  const Result<CompileResult> full =
      client.compile(request(kKernel), {}, {}, {TestHook::Action::ExhaustMemory, "ptx"});
  REQUIRE(full);
  REQUIRE(full->diagnostics.size() == 1);
  CHECK(full->diagnostics[0].kind == DiagnosticKind::StageOutOfMemory);
}

TEST_CASE("a stack that overflows is reported as such", "[compiler]") {
  // The sanitizer reports it itself.
  if (tests::kIsSanitized)
    return;
  const Variable hooks("TILESCOPE_TEST_HOOKS", "1");
  const tests::TestFolder folder;
  const Variable crashes("TILESCOPE_CRASH_DIR", folder.path);
  WorkerClientOptions options;
  options.program = TILESCOPE_WORKER;
  WorkerClient client(options);
  const Result<CompileResult> result =
      client.compile(request(kKernel), {}, {}, {TestHook::Action::OverflowStack, "ptx"});
  REQUIRE(result);
  REQUIRE(result->diagnostics.size() == 1);
  CHECK(result->diagnostics[0].kind == DiagnosticKind::StageCrashed);
  CHECK(result->diagnostics[0].message ==
        "the compiler crashed while making PTX in `ptx` (stack overflow)");
  REQUIRE_FALSE(result->diagnostics[0].notes.empty());
  CHECK(result->diagnostics[0].notes[0] ==
        "the kernel nests or chains more than the compiler can follow");
}

/// Whether the process ends soon.
static bool ends(pid_t process) {
  for (int i = 0; i < 500; ++i, std::this_thread::sleep_for(10ms))
    if (kill(process, 0) != 0 ||
        readFile("/proc/" + std::to_string(process) + "/stat").find(") Z ") != std::string::npos)
      return true;
  return false;
}

TEST_CASE("an assembler that hangs ends with its worker", "[compiler]") {
  const tests::TestFolder folder;
  const Variable crashes("TILESCOPE_CRASH_DIR", folder.path);
  const fs::path assembler = folder.path / "ptxas", note = folder.path / "process";
  std::ofstream(assembler)
      << "#!/bin/sh\ncase \"$*\" in *--version*)\n"
      << "  echo 'Cuda compilation tools, release 12.8, V12.8.93'; exit;;\nesac\n"
      << "echo $$ > " << note << ".new\nmv " << note << ".new " << note << "\nexec sleep 300\n";
  fs::permissions(assembler, fs::perms::owner_all);
  const Variable tool("TILESCOPE_PTXAS", assembler);
  WorkerClientOptions options;
  options.program = TILESCOPE_WORKER;
  options.patience = 3000ms;
  WorkerClient client(options);
  CompileRequest toMachineCode = request(kKernel);
  toMachineCode.stopAfter = StageId::Cubin;
  const Result<CompileResult> result = client.compile(toMachineCode);
  REQUIRE(result);
  REQUIRE(result->diagnostics.size() == 1);
  CHECK(result->diagnostics[0].kind == DiagnosticKind::StageTimedOut);
  REQUIRE(fs::exists(note));
  CHECK(ends(std::stoi(readFile(note))));
}

TEST_CASE("reproducers are for the user's eyes only", "[compiler]") {
  const Variable hooks("TILESCOPE_TEST_HOOKS", "1");
  const tests::TestFolder folder;
  const fs::path crashes = folder.path / "deep" / "crashes";
  const Variable variable("TILESCOPE_CRASH_DIR", crashes);
  WorkerClientOptions options;
  options.program = TILESCOPE_WORKER;
  WorkerClient client(options);
  CompileRequest hostile = request(kKernel);
  hostile.path = "/kernels/..\n\x1b[31m";
  REQUIRE(client.compile(hostile, {}, {}, {TestHook::Action::Crash, "ptx"}));
  CHECK(mode(crashes) == 0700);
  size_t numFiles = 0;
  for (const fs::directory_entry &reproducer : fs::directory_iterator(crashes)) {
    CHECK(mode(reproducer) == 0700);
    for (const fs::directory_entry &file : fs::directory_iterator(reproducer)) {
      CHECK(mode(file) == 0600);
      ++numFiles;
    }
    CHECK(readFile(reproducer.path() / "_.___31m") == kKernel);
  }
  CHECK(numFiles == 2);
}

TEST_CASE("the oldest reproducers go, and nothing else", "[compiler]") {
  const tests::TestFolder folder;
  for (int i = 0; i < 30; ++i)
    fs::create_directories(folder.path / (std::to_string(1700000000 + i) + "-12-3-456789"));
  for (const char *other : {"keep", "2026-11-22", "1-2-3-x"})
    fs::create_directories(folder.path / other);
  fs::create_directory_symlink(folder.path / "keep", folder.path / "1-1-1-1");
  std::ofstream(folder.path / "keep" / "file") << "text";
  pruneReproducers(folder.path);
  CHECK_FALSE(fs::exists(folder.path / "1700000009-12-3-456789"));
  CHECK(fs::exists(folder.path / "1700000010-12-3-456789"));
  CHECK(fs::exists(folder.path / "keep" / "file"));
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == kKeptReproducers + 4);
}

TEST_CASE("the crash folder belongs to the user", "[compiler]") {
  const tests::TestFolder folder;
  const Variable chosen("TILESCOPE_CRASH_DIR", "");
  const Variable xdg("XDG_CACHE_HOME", folder.path / "cache");
  CHECK(openCrashFolder() == folder.path / "cache" / "tilescope" / "crashes");
  CHECK(mode(openCrashFolder()) == 0700);
  {
    const Variable noCache("XDG_CACHE_HOME", "");
    const Variable noHome("HOME", "");
    const Variable temporary("TMPDIR", folder.path);
    const fs::path opened = openCrashFolder();
    CHECK(opened.parent_path() == folder.path);
    CHECK(mode(opened) == 0700);
    // Somebody else may have put a link there.
    fs::remove(opened);
    fs::create_directory_symlink(folder.path / "cache", opened);
    CHECK(openCrashFolder().empty());
    const Variable missing("TMPDIR", folder.path / "missing");
    CHECK(openCrashFolder().empty());
  }
}

TEST_CASE("a document's name is a plain file name in its reproducer", "[compiler]") {
  CHECK(reproducerFileName("/kernels/softmax-2.py") == "softmax-2.py");
  CHECK(reproducerFileName("") == "kernel.py");
  CHECK(reproducerFileName("/kernels/") == "kernel.py");
  CHECK(reproducerFileName("..") == "_.");
  CHECK(reproducerFileName("a/.bashrc") == "_bashrc");
  CHECK(reproducerFileName("pipeline.txt") == "kernel.py");
  CHECK(reproducerFileName("gr\xc3\xb6\xc3\x9f"
                           "e\n.py") == "gr____e_.py");
  CHECK(reproducerFileName(std::string(5000, 'a') + ".py").size() == 100);
}
