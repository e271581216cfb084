// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/service/WorkerClient.h"
#include "tests/support/Sanitized.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <unistd.h>

using namespace std::chrono_literals;
using namespace tilescope;
using namespace tilescope::compiler;

static constexpr const char *kKernel = R"(
define ptx_kernel void @k(ptr addrspace(1) %p, float %a) {
  %s = fadd float %a, 1.0
  store float %s, ptr addrspace(1) %p
  ret void
}
)";

/// A folder for reproducers that goes with the test.
struct CrashFolder {
  CrashFolder() {
    path = std::filesystem::temp_directory_path() /
           ("tilescope-worker-test-" + std::to_string(getpid()));
    std::filesystem::create_directories(path);
    setenv("TILESCOPE_CRASH_DIR", path.c_str(), 1);
    setenv("TILESCOPE_TEST_HOOKS", "1", 1);
  }
  ~CrashFolder() {
    std::filesystem::remove_all(path);
    unsetenv("TILESCOPE_TEST_HOOKS");
    unsetenv("TILESCOPE_MEMORY_LIMIT_MB");
  }
  std::filesystem::path path;
};

static CompileRequest request(uint64_t revision = 1) {
  CompileRequest result;
  result.revision = revision;
  result.path = "/kernels/k.ll";
  result.text = kKernel;
  result.entry = StageId::LlvmIr;
  result.stopAfter = StageId::Ptx;
  return result;
}

static WorkerClientOptions options() {
  WorkerClientOptions result;
  result.program = TILESCOPE_WORKER;
  return result;
}

static std::string readFile(const std::filesystem::path &path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The folder named in the note of the only diagnostic.
static std::filesystem::path reproducerOf(const CompileResult &result) {
  REQUIRE(result.diagnostics.size() == 1);
  for (const std::string &note : result.diagnostics[0].notes)
    if (const size_t open = note.find('`'); note.find("reproducer") != std::string::npos)
      return note.substr(open + 1, note.rfind('`') - open - 1);
  FAIL("no reproducer is named");
  return {};
}

TEST_CASE("a worker that was killed while it had nothing to do is replaced without a word",
          "[compiler]") {
  WorkerClient client(options());
  REQUIRE(client.compile(request()));
  // The only child of this process.
  const std::string children =
      readFile("/proc/self/task/" + std::to_string(getpid()) + "/children");
  REQUIRE(kill(std::stoi(children), SIGKILL) == 0);
  std::this_thread::sleep_for(200ms);
  const Result<CompileResult> again = client.compile(request(2));
  REQUIRE(again);
  CHECK(again->ok);
  CHECK(again->diagnostics.empty());
}

TEST_CASE("a worker compiles, and again from its cache", "[compiler]") {
  WorkerClient client(options());
  const Result<HelloReply> hello = client.hello();
  REQUIRE(hello);
  CHECK(hello->llvmVersion.substr(0, 3) == "22.");
  CHECK(hello->tools.size() == 4);
  for (uint64_t revision : {1, 2}) {
    const Result<CompileResult> result = client.compile(request(revision));
    REQUIRE(result);
    REQUIRE(result->ok);
    CHECK(result->revision == revision);
    REQUIRE(result->stage(StageId::Ptx));
    CHECK(result->stage(StageId::Ptx)->text.find(".visible .entry k(") != std::string::npos);
    CHECK(result->stage(StageId::Ptx)->cached == (revision == 2));
    CHECK_FALSE(result->stage(StageId::Ptx)->sourceMap.lines.empty());
    CHECK(result->files.at(0).text == kKernel);
    CHECK_FALSE(result->passes.empty());
  }
}

TEST_CASE("parts that are not requested are not sent", "[compiler]") {
  WorkerClient client(options());
  WantedParts wanted;
  wanted.stages = 1u << static_cast<int>(StageId::LlvmIr);
  wanted.passes = false;
  const Result<CompileResult> result = client.compile(request(), wanted);
  REQUIRE(result);
  CHECK(result->ok);
  CHECK_FALSE(result->stage(StageId::LlvmIr)->text.empty());
  CHECK(result->stage(StageId::Ptx)->ok);
  CHECK(result->stage(StageId::Ptx)->text.empty());
  CHECK(result->passes.empty());
}

TEST_CASE("a crash names the stage and the reproducer, and the next request compiles",
          "[compiler]") {
  const CrashFolder folder;
  WorkerClient client(options());
  const Result<CompileResult> crashed =
      client.compile(request(), {}, {}, {TestHook::Action::Crash, "nvptx-codegen"});
  REQUIRE(crashed);
  CHECK_FALSE(crashed->ok);
  CHECK(crashed->stage(StageId::LlvmIr) != nullptr);
  const std::filesystem::path reproducer = reproducerOf(*crashed);
  CHECK(crashed->diagnostics[0].kind == DiagnosticKind::StageCrashed);
  CHECK(crashed->diagnostics[0].message ==
        "the compiler crashed while making PTX in `nvptx-codegen` (SIGSEGV)");
  CHECK(readFile(reproducer / "k.ll") == kKernel);
  const std::string pipeline = readFile(reproducer / "pipeline.txt");
  CHECK(pipeline.find("stage: ptx") != std::string::npos);
  CHECK(pipeline.find("entry: llir") != std::string::npos);

  const Result<CompileResult> next = client.compile(request(2));
  REQUIRE(next);
  CHECK(next->ok);
}

TEST_CASE("a hanging pass is ended after the deadline", "[compiler]") {
  const CrashFolder folder;
  WorkerClientOptions impatient = options();
  impatient.patience = 1000ms;
  WorkerClient client(impatient);
  REQUIRE(client.compile(request()));
  const Result<CompileResult> hung =
      client.compile(request(2), {}, {}, {TestHook::Action::Hang, "llir"});
  REQUIRE(hung);
  const std::filesystem::path reproducer = reproducerOf(*hung);
  CHECK(hung->diagnostics[0].kind == DiagnosticKind::StageTimedOut);
  CHECK(hung->diagnostics[0].message ==
        "the compiler took too long while making LLVM IR in `llir`");
  CHECK(readFile(reproducer / "k.ll") == kKernel);
  const Result<CompileResult> next = client.compile(request(3));
  REQUIRE(next);
  CHECK(next->ok);
}

TEST_CASE("a pass that eats memory is ended by the limit", "[compiler]") {
  if (tests::kIsSanitized)
    return;
  const CrashFolder folder;
  setenv("TILESCOPE_MEMORY_LIMIT_MB", "1500", 1);
  WorkerClient client(options());
  const Result<CompileResult> full =
      client.compile(request(), {}, {}, {TestHook::Action::ExhaustMemory, "ptx"});
  REQUIRE(full);
  const std::filesystem::path reproducer = reproducerOf(*full);
  CHECK(full->diagnostics[0].kind == DiagnosticKind::StageOutOfMemory);
  CHECK(full->diagnostics[0].message == "the compiler ran out of memory while making PTX in `ptx`");
  CHECK(readFile(reproducer / "k.ll") == kKernel);
  const Result<CompileResult> next = client.compile(request(2));
  REQUIRE(next);
  CHECK(next->ok);
}

TEST_CASE("a stop request that is not obeyed ends the worker", "[compiler]") {
  const CrashFolder folder;
  WorkerClient client(options());
  REQUIRE(client.compile(request()));
  std::stop_source source;
  std::jthread later([&] {
    std::this_thread::sleep_for(100ms);
    source.request_stop();
  });
  const auto begin = std::chrono::steady_clock::now();
  const Result<CompileResult> result =
      client.compile(request(2), {}, source.get_token(), {TestHook::Action::Hang, "ptx"});
  CHECK(std::chrono::steady_clock::now() - begin < 10s);
  REQUIRE_FALSE(result);
  CHECK(result.error().code == ErrorCode::Cancelled);
  const Result<CompileResult> next = client.compile(request(3));
  REQUIRE(next);
  CHECK(next->ok);
}

TEST_CASE("hooks are ignored where the environment does not allow them", "[compiler]") {
  unsetenv("TILESCOPE_TEST_HOOKS");
  WorkerClient client(options());
  const Result<CompileResult> result =
      client.compile(request(), {}, {}, {TestHook::Action::Crash, "ptx"});
  REQUIRE(result);
  CHECK(result->ok);
}

TEST_CASE("many files are compiled by several workers, in order", "[compiler]") {
  std::vector<CompileRequest> requests;
  for (uint64_t i = 1; i <= 6; ++i)
    requests.push_back(request(i));
  const Result<std::vector<CompileResult>> results = compileAll(options(), requests, {}, 2);
  REQUIRE(results);
  REQUIRE(results->size() == 6);
  for (uint64_t i = 1; i <= 6; ++i) {
    CHECK((*results)[i - 1].ok);
    CHECK((*results)[i - 1].revision == i);
  }
}

TEST_CASE("a worker whose replies are out of step is ended", "[compiler]") {
  const CrashFolder folder;
  std::ofstream(folder.path / "hello", std::ios::binary) << encodeFrame(HelloReply{});
  const std::filesystem::path program = folder.path / "worker.sh";
  std::ofstream(program) << "#!/bin/sh\ncat " << folder.path / "hello"
                         << "\nprintf '\\377\\377\\377\\377'\nexec sleep 100\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const auto begin = std::chrono::steady_clock::now();
  Result<WorkerProcess> worker = WorkerProcess::start(program, begin + 20s);
  REQUIRE(worker);
  CHECK_FALSE(worker->receive(begin + 60s));
  CHECK_FALSE(worker->alive());
  CHECK(std::chrono::steady_clock::now() - begin < 40s);
}

TEST_CASE("a missing worker program is an error with a hint", "[compiler]") {
  WorkerClientOptions missing = options();
  missing.program = "/no/such/worker";
  WorkerClient client(missing);
  const Result<CompileResult> result = client.compile(request());
  REQUIRE_FALSE(result);
  CHECK(result.error().code == ErrorCode::Environment);
  CHECK(result.error().hint.find("/no/such/worker") != std::string::npos);
}

TEST_CASE("the configurations of a kernel come with its result", "[compiler]") {
  CompileRequest tuned;
  tuned.path = "/kernels/k.py";
  tuned.text = R"py(import triton
import triton.language as tl

# /// tilescope
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [768] }
# n = 768
# ///

@triton.autotune(configs=[triton.Config({"B": 256}, num_warps=2), triton.Config({"B": 512})],
                 key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["B"] == 0})
@triton.jit
def k(x_ptr, n, B: tl.constexpr, EVEN: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, B), 1.0)
)py";
  tuned.stopAfter = StageId::Ttir;
  WorkerClient client(options());
  const Result<CompileResult> result = client.compile(tuned);
  REQUIRE(result);
  const std::vector<Configuration> expected{
      {{{"B", "256"}, {"EVEN", "True"}}, {{"num_warps", "2"}}},
      {{{"B", "512"}, {"EVEN", "False"}}, {}}};
  CHECK(result->configurations == expected);
}
