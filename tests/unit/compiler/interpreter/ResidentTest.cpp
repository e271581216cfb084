// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Programs that wait for each other: how many run at once, and when they are endless.
#include "compiler/interpreter/OrderCheck.h"
#include "compiler/interpreter/ProgramChunks.h"
#include "tests/support/Sanitized.h"
#include "tests/unit/compiler/interpreter/RunTtir.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using interpreter::OrderCheck;
using interpreter::ProgramChunks;
using namespace tilescope::tests;

/// Stores a number for each program, waits at a counter until all are there, and stores that of the
/// neighbor behind.
static const std::string kBarrier = R"(
tt.func public @k(%count: !tt.ptr<i32>, %data: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pid = tt.get_program_id x : i32
  %num = tt.get_num_programs x : i32
  %next = arith.addi %pid, %c1 : i32
  %behind = arith.remsi %next, %num : i32
  %mine = tt.addptr %data, %pid : !tt.ptr<i32>, i32
  %its = tt.addptr %data, %behind : !tt.ptr<i32>, i32
  %result = tt.addptr %out, %pid : !tt.ptr<i32>, i32
  tt.store %mine, %next : !tt.ptr<i32>
  %a = tt.atomic_rmw add, acq_rel, gpu, %count, %c1 : (!tt.ptr<i32>, i32) -> i32
  scf.while : () -> () {
    %was = tt.atomic_rmw add, acq_rel, gpu, %count, %c0 : (!tt.ptr<i32>, i32) -> i32
    %isEarly = arith.cmpi slt, %was, %num : i32
    scf.condition(%isEarly)
  } do {
    scf.yield
  }
  %x = tt.load %its : !tt.ptr<i32>
  tt.store %result, %x : !tt.ptr<i32>
  tt.return
}
)";

static Interpretation runBarrier(int32_t programs, std::vector<int32_t> &out,
                                 const InterpreterOptions &options) {
  std::vector<int32_t> count(1), data(static_cast<size_t>(programs));
  out.assign(static_cast<size_t>(programs), 0);
  return runTtir(
      kBarrier,
      {{programs, 1, 1}, {memory("count", count), memory("data", data), memory("out", out)}},
      options);
}

TEST_CASE("A barrier over the grid ends on any number of threads", "[compiler][interpreter]") {
  for (const unsigned threads : {1u, 2u, 5u})
    for (const int32_t programs : {2, 4, 100, 1024}) {
      std::vector<int32_t> out;
      InterpreterOptions options;
      options.numThreads = threads;
      const Interpretation result = runBarrier(programs, out, options);
      CHECK(result.completed);
      CHECK(result.findings.empty());
      bool isRight = true;
      for (int32_t i = 0; i < programs; ++i)
        isRight &= out[static_cast<size_t>(i)] == (i + 1) % programs + 1;
      CHECK(isRight);
    }
}

TEST_CASE("More programs than run at once cannot wait for each other",
          "[compiler][interpreter][findings]") {
  std::vector<int32_t> out;
  InterpreterOptions options;
  options.numThreads = 2;
  options.maxInstructionsPerProgram = 1'000'000;
  const Interpretation result = runBarrier(10'000, out, options);
  CHECK_FALSE(result.completed);
  REQUIRE(result.findings.size() == 1);
  const InterpreterFinding &finding = result.findings.front();
  CHECK(finding.kind == InterpreterFindingKind::StepLimit);
  CHECK(finding.programId[0] == 0);
  CHECK(finding.message.starts_with("the program was stopped while all programs that run wait, "));
  CHECK(finding.message.ends_with(
      " more cannot begin before one of them ends: this loop does not seem to end"));
}

TEST_CASE("How many programs wait for one that has not begun is counted to the program",
          "[compiler][interpreter]") {
  for (const unsigned threads : {1u, 3u}) {
    std::vector<int32_t> out;
    InterpreterOptions options;
    options.numThreads = threads;
    options.multiprocessors = 132;
    // A GPU with room for 528 holds all of them, or lacks room for one.
    const auto waitingOf = [&](int32_t programs) {
      const Interpretation result = runBarrier(programs, out, options);
      CHECK(result.completed);
      REQUIRE(result.waiting);
      CHECK(result.waiting->atOnce == static_cast<uint64_t>(programs));
      CHECK(result.waiting->range.begin.line == 14);
      return result.waiting->inVain;
    };
    CHECK(waitingOf(528) < 528);
    CHECK(waitingOf(529) == 528);
    CHECK(waitingOf(133) == 132);
    CHECK(waitingOf(2376) == 2244);
  }
}

TEST_CASE("Programs that wait for none that has not begun need no room",
          "[compiler][interpreter]") {
  std::string text = kBarrier;
  // Each one waits for the one before.
  text.replace(text.find("slt, %was, %num"), 15, "slt, %was, %pid");
  std::vector<int32_t> count(1), data(600), out(600);
  InterpreterOptions options;
  options.numThreads = 1;
  options.multiprocessors = 132;
  const Interpretation result = runTtir(
      text, {{600, 1, 1}, {memory("count", count), memory("data", data), memory("out", out)}},
      options);
  CHECK(result.completed);
  CHECK_FALSE(result.waiting);
}

/// Program 0 waits for what no program does; the others end.
static const std::string kNever = R"(
tt.func public @k(%flag: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pid = tt.get_program_id x : i32
  %mine = tt.addptr %out, %pid : !tt.ptr<i32>, i32
  %isFirst = arith.cmpi eq, %pid, %c0 : i32
  scf.if %isFirst {
    scf.while : () -> () {
      LOOK
      %isUnset = arith.cmpi eq, %was, %c0 : i32
      scf.condition(%isUnset)
    } do {
      scf.yield
    }
  }
  tt.store %mine, %c1 : !tt.ptr<i32>
  tt.return
}
)";

TEST_CASE("A program that waits in vain is stopped, and the others end",
          "[compiler][interpreter][findings]") {
  for (const std::string look :
       {"%was = tt.atomic_rmw add, acq_rel, gpu, %flag, %c0 : (!tt.ptr<i32>, i32) -> i32",
        "%was = tt.atomic_cas relaxed, gpu, %flag, %c1, %c1 : (!tt.ptr<i32>, i32, i32) -> i32",
        "%was = tt.load %flag {isVolatile = true} : !tt.ptr<i32>",
        "%was = tt.load %flag : !tt.ptr<i32>"})
    for (const unsigned threads : {1u, 3u}) {
      std::string text = kNever;
      text.replace(text.find("LOOK"), 4, look);
      std::vector<int32_t> flag(1), out(20);
      InterpreterOptions options;
      options.numThreads = threads;
      options.maxInstructionsPerProgram = 100'000;
      const Interpretation result =
          runTtir(text, {{20, 1, 1}, {memory("flag", flag), memory("out", out)}}, options);
      CHECK_FALSE(result.completed);
      REQUIRE(result.findings.size() == 1);
      CHECK(result.findings.front().kind == InterpreterFindingKind::StepLimit);
      CHECK(result.findings.front().programId[0] == 0);
      CHECK(result.findings.front().range.begin.line >= 8);
      CHECK(std::vector<int32_t>(out.begin() + 1, out.end()) == std::vector<int32_t>(19, 1));
      CHECK(out.front() == 0);
    }
}

TEST_CASE("A wait for a value gives way to the program that stores it", "[compiler][interpreter]") {
  const std::string text = R"(
tt.func public @k(%flag: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pid = tt.get_program_id x : i32
  %isFirst = arith.cmpi eq, %pid, %c0 : i32
  scf.if %isFirst {
    scf.while : () -> () {
      %was = tt.load %flag : !tt.ptr<i32>
      %isUnset = arith.cmpi eq, %was, %c0 : i32
      scf.condition(%isUnset)
    } do {
      scf.yield
    }
  } else {
    tt.store %flag, %c1 : !tt.ptr<i32>
  }
  tt.return
}
)";
  std::vector<int32_t> flag(1);
  InterpreterOptions options;
  options.numThreads = 1;
  const Interpretation result = runTtir(text, {{2, 1, 1}, {memory("flag", flag)}}, options);
  CHECK(result.completed);
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings.front().kind == InterpreterFindingKind::WriteRace);
}

TEST_CASE("Programs begin in their order where some wait, whoever has taken them",
          "[compiler][interpreter]") {
  ProgramChunks chunks(1024, 2);
  CHECK(chunks.takeNext(0) == 0);
  CHECK(chunks.takeNext(1) == 32);
  CHECK(chunks.takeOwn(1) == 33);
  // Program 1 may be what 33 waits for, and its thread is busy with 0.
  CHECK(chunks.takeFirst(1) == 1);
  CHECK(chunks.takeFirst(0) == 2);
  for (uint64_t i = 3; i < 32; ++i)
    CHECK(chunks.takeFirst(1) == i);
  CHECK_FALSE(chunks.hasOwn(0));
  CHECK_FALSE(chunks.takeOwn(0));
  CHECK(chunks.takeFirst(0) == 34);
  for (uint64_t i = 35; i < 64; ++i)
    CHECK(chunks.takeFirst(0) == i);
  CHECK(chunks.takeFirst(0) == 64);
  CHECK(chunks.takeNext(1) == 96);
  CHECK(chunks.takeFirst(1) == 65);
  CHECK(chunks.hasLeft());
}

TEST_CASE("A chain that is longer than the programs that run at once ends on any number of threads",
          "[compiler][interpreter]") {
  // Each one waits for the one before.
  std::string text = kBarrier;
  text.replace(text.find("slt, %was, %num"), 15, "slt, %was, %pid");
  // Behind the wait.
  const std::string add = "  %a = tt.atomic_rmw add, acq_rel, gpu, %count, %c1 : (!tt.ptr<i32>, "
                          "i32) -> i32\n";
  text.erase(text.find(add), add.size());
  text.insert(text.find("  %x = tt.load"), add);
  constexpr int32_t kPrograms = 100'000;
  for (const unsigned threads : {2u, 4u}) {
    std::vector<int32_t> count(1), data(kPrograms), out(kPrograms);
    InterpreterOptions options;
    options.numThreads = threads;
    options.maxInstructionsPerProgram = 1'000'000;
    const auto start = std::chrono::steady_clock::now();
    const Interpretation result = runTtir(
        text,
        {{kPrograms, 1, 1}, {memory("count", count), memory("data", data), memory("out", out)}},
        options);
    CHECK(result.completed);
    CHECK(count.front() == kPrograms);
    // Another order of it takes far longer, and is given up.
    const auto rest = std::chrono::steady_clock::now() - start - result.statistics.runDuration;
    CHECK(rest < OrderCheck::longestSecond(result) + std::chrono::seconds(3) * kSlowdown);
  }
}

/// Takes a lock, and does or does not release it.
static std::string lockKernel(const std::string &release) {
  return R"(
tt.func public @k(%lock: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.while : () -> () {
    %was = tt.atomic_cas acq_rel, gpu, %lock, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32
    %isTaken = arith.cmpi eq, %was, %c1 : i32
    scf.condition(%isTaken)
  } do {
    scf.yield
  }
)" + release +
         "  tt.return\n}\n";
}

TEST_CASE("A lock that nobody releases is named with who took it",
          "[compiler][interpreter][findings]") {
  InterpreterOptions options;
  options.numThreads = 1;
  options.maxInstructionsPerProgram = 1'000'000;
  std::vector<int32_t> lock(1);
  const Interpretation result =
      runTtir(lockKernel(""), {{4, 1, 1}, {memory("lock", lock)}}, options);
  CHECK_FALSE(result.completed);
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings.front().kind == InterpreterFindingKind::StepLimit);
  CHECK(result.findings.front().message.find("`lock[0]` was set by program 0 in line 6: it has "
                                             "ended, and nothing sets it back; release the lock") !=
        std::string::npos);
  lock[0] = 0;
  const Interpretation released = runTtir(
      lockKernel(
          "  %r = tt.atomic_rmw exch, acq_rel, gpu, %lock, %c0 : (!tt.ptr<i32>, i32) -> i32\n"),
      {{4, 1, 1}, {memory("lock", lock)}}, options);
  CHECK(released.completed);
  // One that was taken before the launch has no such program.
  lock[0] = 1;
  const Interpretation taken =
      runTtir(lockKernel(""), {{4, 1, 1}, {memory("lock", lock)}}, options);
  REQUIRE(taken.findings.size() == 1);
  CHECK(taken.findings.front().message.ends_with("this loop does not seem to end"));
}
