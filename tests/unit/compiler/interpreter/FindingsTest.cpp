// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a run reports besides its results: values that nothing defined, and stores that race.
#include "tests/unit/compiler/interpreter/RunTtir.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::tests;

using Kind = InterpreterFindingKind;

/// A kernel on blocks of 8: %i is 0 … 7, %on is %i < 5, %px and %po are blocks of pointers, and %x
/// is loaded where %on is. The body begins in line 12, counted from 0.
static Interpretation runOnBlocks(const std::string &body, std::vector<float> &x,
                                  std::vector<float> &out, int32_t numPrograms = 1) {
  const std::string text = R"(
tt.func public @k(%x_ptr: !tt.ptr<f32>, %out_ptr: !tt.ptr<f32>) {
  %pid = tt.get_program_id x : i32
  %c5 = arith.constant dense<5> : tensor<8xi32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %on = arith.cmpi slt, %i, %c5 : tensor<8xi32>
  %sx = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %px = tt.addptr %sx, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %so = tt.splat %out_ptr : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %po = tt.addptr %so, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %v = tt.load %px, %on : tensor<8x!tt.ptr<f32>>
)" + body + "\n  tt.return\n}\n";
  InterpreterOptions options;
  options.numThreads = 1;
  return runTtir(text, {{numPrograms, 1, 1}, {memory("x_ptr", x), memory("out_ptr", out)}},
                 options);
}

static std::vector<Kind> kindsOf(const Interpretation &result) {
  std::vector<Kind> kinds;
  for (const InterpreterFinding &finding : result.findings)
    kinds.push_back(finding.kind);
  return kinds;
}

static std::vector<Kind> findingsOf(const std::string &body, int32_t numPrograms = 1) {
  std::vector<float> x{0, 1, 2, 3, 4, 5, 6, 7}, out(8);
  Interpretation result = runOnBlocks(body, x, out, numPrograms);
  CHECK(result.completed);
  CHECK(result.numFindings == result.findings.size());
  return kindsOf(result);
}

static const std::vector<Kind> kNone{};

TEST_CASE("An undefined value that reaches a store is reported at the store",
          "[compiler][interpreter][findings]") {
  std::vector<float> x(8, 1), out(8);
  Interpretation result = runOnBlocks("  %y = arith.addf %v, %one : tensor<8xf32>\n"
                                      "  tt.store %po, %y : tensor<8x!tt.ptr<f32>>",
                                      x, out, 3);
  REQUIRE(kindsOf(result) == std::vector{Kind::UndefinedStored});
  const InterpreterFinding &finding = result.findings.front();
  CHECK(finding.argument == "out_ptr");
  CHECK(finding.offset == 5);
  CHECK(finding.programId == std::array<int32_t, 3>{0, 0, 0});
  CHECK(finding.range.begin.line == 13);
  CHECK(result.completed);
}

TEST_CASE("Undefined values that nothing uses are not a fault",
          "[compiler][interpreter][findings]") {
  CHECK(findingsOf("  tt.store %po, %v, %on : tensor<8x!tt.ptr<f32>>") == kNone);
  CHECK(findingsOf("  %y = arith.select %on, %v, %one : tensor<8xi1>, tensor<8xf32>\n"
                   "  tt.store %po, %y : tensor<8x!tt.ptr<f32>>") == kNone);
  // The smaller mask of two.
  CHECK(findingsOf("  %c3 = arith.constant dense<3> : tensor<8xi32>\n"
                   "  %less = arith.cmpi slt, %i, %c3 : tensor<8xi32>\n"
                   "  tt.store %po, %v, %less : tensor<8x!tt.ptr<f32>>") == kNone);
  // A false operand decides a conjunction.
  CHECK(findingsOf("  %great = arith.cmpf ogt, %v, %one : tensor<8xf32>\n"
                   "  %both = arith.andi %on, %great : tensor<8xi1>\n"
                   "  %y = arith.select %both, %one, %one : tensor<8xi1>, tensor<8xf32>\n"
                   "  tt.store %po, %y : tensor<8x!tt.ptr<f32>>") == kNone);
}

TEST_CASE("Undefined values are followed through moves and combinations",
          "[compiler][interpreter][findings]") {
  const std::vector<Kind> stored{Kind::UndefinedStored};
  const std::string store = "\n  tt.store %po, %y : tensor<8x!tt.ptr<f32>>";
  CHECK(findingsOf("  %r = tt.reshape %v : tensor<8xf32> -> tensor<2x4xf32>\n"
                   "  %t = tt.trans %r {order = array<i32: 1, 0>} : tensor<2x4xf32> -> "
                   "tensor<4x2xf32>\n"
                   "  %y = tt.reshape %t : tensor<4x2xf32> -> tensor<8xf32>" +
                   store) == stored);
  const std::string sum = R"(({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.RETURN.return %s : f32
  }))";
  auto combine = [&](const std::string &name) {
    std::string text = sum;
    return text.replace(text.find("RETURN"), 6, name);
  };
  CHECK(findingsOf("  %s0 = \"tt.reduce\"(%v) <{axis = 0 : i32}> " + combine("reduce") +
                   " : (tensor<8xf32>) -> f32\n  %y = tt.splat %s0 : f32 -> tensor<8xf32>" +
                   store) == stored);
  // The first five sums are defined, the others are masked off.
  const std::string scan = "  %y = \"tt.scan\"(%v) <{axis = 0 : i32, reverse = false}> " +
                           combine("scan") + " : (tensor<8xf32>) -> tensor<8xf32>\n";
  CHECK(findingsOf(scan + "  tt.store %po, %y, %on : tensor<8x!tt.ptr<f32>>") == kNone);
  CHECK(findingsOf(scan + store) == stored);
}

TEST_CASE("An undefined address is reported", "[compiler][interpreter][findings]") {
  const std::string index = "  %k = arith.fptosi %v : tensor<8xf32> to tensor<8xi32>\n"
                            "  %q = tt.addptr %so, %k : tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n";
  CHECK(findingsOf(index + "  tt.store %q, %one : tensor<8x!tt.ptr<f32>>") ==
        std::vector{Kind::UndefinedAddress});
  CHECK(findingsOf(index + "  tt.store %q, %one, %on : tensor<8x!tt.ptr<f32>>") == kNone);
}

/// Stores a block that depends on the program (or does not) to one place.
static std::string storeOf(const std::string &value) {
  return "  %p = arith.sitofp %pid : i32 to f32\n"
         "  %w = tt.splat %p : f32 -> tensor<8xf32>\n"
         "  tt.store %po, " +
         value + " : tensor<8x!tt.ptr<f32>>";
}

TEST_CASE("Two programs that store different values to one element race",
          "[compiler][interpreter][findings]") {
  std::vector<float> x(8), out(8, 9);
  Interpretation result = runOnBlocks(storeOf("%w"), x, out, 4);
  REQUIRE(kindsOf(result) == std::vector{Kind::WriteRace});
  const InterpreterFinding &finding = result.findings.front();
  CHECK(finding.argument == "out_ptr");
  CHECK(finding.offset == 0);
  CHECK(finding.programId == std::array<int32_t, 3>{1, 0, 0});
  CHECK(finding.range.begin.line == 14);
  CHECK(finding.message.find("by program 0") != std::string::npos);

  CHECK(findingsOf(storeOf("%w"), 1) == kNone);
  CHECK(findingsOf(storeOf("%one"), 4) == kNone);
}

TEST_CASE("Scattered stores race too", "[compiler][interpreter][findings]") {
  const std::string body = "  %c0 = arith.constant dense<0> : tensor<8xi32>\n"
                           "  %odd = arith.muli %i, %i : tensor<8xi32>\n"
                           "  %j = arith.minsi %odd, %c5 : tensor<8xi32>\n"
                           "  %q = tt.addptr %so, %j : tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n"
                           "  %p = arith.sitofp %pid : i32 to f32\n"
                           "  %w = tt.splat %p : f32 -> tensor<8xf32>\n"
                           "  tt.store %q, %w : tensor<8x!tt.ptr<f32>>";
  CHECK(findingsOf(body, 2) == std::vector{Kind::WriteRace});
  CHECK(findingsOf(body, 1) == kNone);
}

TEST_CASE("Stores behind a lock do not race", "[compiler][interpreter][findings]") {
  const std::string text = R"(
tt.func public @k(%lock: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pid = tt.get_program_id x : i32
  scf.while : () -> () {
    %was = tt.atomic_cas acq_rel, gpu, %lock, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32
    %taken = arith.cmpi ne, %was, %c0 : i32
    scf.condition(%taken)
  } do {
    scf.yield
  }
  %old = tt.load %out : !tt.ptr<i32>
  %new = arith.addi %old, %pid : i32
  tt.store %out, %new : !tt.ptr<i32>
  %free = tt.atomic_rmw exch, release, gpu, %lock, %c0 : (!tt.ptr<i32>, i32) -> i32
  tt.return
}
)";
  std::vector<int32_t> lock(1), out(1);
  Interpretation result = runTtir(text, {{16, 1, 1}, {memory("lock", lock), memory("out", out)}});
  CHECK(result.completed);
  CHECK(result.findings.empty());
  CHECK(out[0] == 120);
}

/// Program p loads x_ptr[8p…8p+7] and stores these and one, or `stored`, to `places`; 4 programs.
static std::string shiftedStore(const std::string &distance, const std::string &order = {},
                                const std::string &stored = "%y") {
  return R"(
tt.func public @k(%x_ptr: !tt.ptr<f32>, %flag: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %far = arith.constant dense<)" +
         distance + R"(> : tensor<8xi32>
  %all = arith.constant dense<32> : tensor<8xi32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %pid = tt.get_program_id x : i32
  %begin = arith.muli %pid, %c8 : i32
  %b = tt.splat %begin : i32 -> tensor<8xi32>
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %i = arith.addi %b, %r : tensor<8xi32>
  %moved = arith.addi %i, %far : tensor<8xi32>
  %j = arith.remsi %moved, %all : tensor<8xi32>
  %s = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %p = tt.addptr %s, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %q = tt.addptr %s, %j : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  )" + order +
         R"(
  %v = tt.load %p : tensor<8x!tt.ptr<f32>>
  %y = arith.addf %v, %one : tensor<8xf32>
  tt.store %q, )" +
         stored + R"( : tensor<8x!tt.ptr<f32>>
  tt.return
}
)";
}

static Interpretation runShifted(const std::string &text, unsigned numThreads = 1,
                                 std::vector<float> x = std::vector<float>(32, 1)) {
  std::vector<int32_t> flag(1);
  InterpreterOptions options;
  options.numThreads = numThreads;
  return runTtir(text, {{4, 1, 1}, {memory("x_ptr", x), memory("flag", flag)}}, options);
}

TEST_CASE("A load of what another program stores is reported with both places",
          "[compiler][interpreter][findings]") {
  // Program 0 stores 8 … 15, which program 1 loads later.
  Interpretation result = runShifted(shiftedStore("8"));
  REQUIRE(kindsOf(result) == std::vector{Kind::WriteRace});
  const InterpreterFinding &finding = result.findings.front();
  CHECK(finding.argument == "x_ptr");
  CHECK(finding.range.begin.line == 18);
  CHECK(finding.message.starts_with("`x_ptr[8]` is read by program 1 and changed by "
                                    "program 0 in line 21: "));
  CHECK(finding.numPrograms == 4);

  // Program 1 stores 0 … 7, which program 0 has loaded before.
  result = runShifted(shiftedStore("24"));
  REQUIRE(kindsOf(result) == std::vector{Kind::WriteRace});
  CHECK(result.findings.front().range.begin.line == 18);
  CHECK(result.findings.front().message.starts_with(
      "`x_ptr[0]` is read by program 0 and changed by program 1 in line 21: "));

  // Whatever the order, each element has one reader and another writer.
  for (int round = 0; round < 20; ++round)
    CHECK(kindsOf(runShifted(shiftedStore("8"), 4)) == std::vector{Kind::WriteRace});
}

TEST_CASE("What an update of several programs leaves is judged at its stores",
          "[compiler][interpreter][findings]") {
  // To take the maximum twice is to take it once, though the second program loads what the first
  // has stored.
  CHECK(findingsOf("  %old = tt.load %po : tensor<8x!tt.ptr<f32>>\n"
                   "  %most = arith.maximumf %old, %one : tensor<8xf32>\n"
                   "  tt.store %po, %most : tensor<8x!tt.ptr<f32>>",
                   4) == kNone);
  CHECK(findingsOf("  %old = tt.load %po : tensor<8x!tt.ptr<f32>>\n"
                   "  %sum = arith.addf %old, %one : tensor<8xf32>\n"
                   "  tt.store %po, %sum : tensor<8x!tt.ptr<f32>>",
                   4) == std::vector{Kind::WriteRace});
}

TEST_CASE("Programs that keep to their own elements, or change none, do not race",
          "[compiler][interpreter][findings]") {
  CHECK(kindsOf(runShifted(shiftedStore("0"))) == kNone);
  // What is stored is there already.
  CHECK(kindsOf(runShifted(shiftedStore("8", "", "%one"))) == kNone);
  CHECK(kindsOf(runShifted(shiftedStore("8", "", "%one"), 1, std::vector<float>(32, 2))) ==
        std::vector{Kind::WriteRace});
}

TEST_CASE("Loads and stores race unless what is read tells that the others have ended",
          "[compiler][interpreter][findings]") {
  // All take a ticket and then access at once.
  CHECK(kindsOf(runShifted(shiftedStore(
            "8", "%was = tt.atomic_cas acq_rel, gpu, %flag, %c0, %c8 : (!tt.ptr<i32>, i32, i32) "
                 "-> i32\n"
                 "  %isSet = arith.cmpi eq, %was, %c0 : i32\n"
                 "  scf.if %isSet {\n"
                 "    tt.store %flag, %c8 : !tt.ptr<i32>\n"
                 "  }"))) != kNone);
  CHECK(kindsOf(
            runShifted(shiftedStore("8", "%was = tt.load %flag {isVolatile = true} : !tt.ptr<i32>\n"
                                         "  %isSet = arith.cmpi ne, %was, %c0 : i32\n"
                                         "  scf.if %isSet {\n"
                                         "    tt.store %flag, %c8 : !tt.ptr<i32>\n"
                                         "  }"))) == std::vector{Kind::WriteRace});
  // Nothing depends on what is read.
  CHECK(kindsOf(runShifted(
            shiftedStore("8", "%was = tt.load %flag {isVolatile = true} : !tt.ptr<i32>"))) ==
        std::vector{Kind::WriteRace});
  // A load that waits for nothing.
  CHECK(kindsOf(runShifted(shiftedStore("8", "%was = tt.load %flag : !tt.ptr<i32>"))) ==
        std::vector{Kind::WriteRace});
}

TEST_CASE("A halo that neighbors change is found by any order of threads",
          "[compiler][interpreter][findings]") {
  // Each element of a border has two readers, one of which stores it.
  const std::string text = R"(
tt.func public @k(%x_ptr: !tt.ptr<f32>, %flag: !tt.ptr<i32>) {
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1.0 : f32
  %pid = tt.get_program_id x : i32
  %next = arith.addi %pid, %c1 : i32
  %p = tt.addptr %x_ptr, %pid : !tt.ptr<f32>, i32
  %q = tt.addptr %x_ptr, %next : !tt.ptr<f32>, i32
  %a = tt.load %p : !tt.ptr<f32>
  %b = tt.load %q : !tt.ptr<f32>
  %s = arith.addf %a, %b : f32
  tt.store %p, %s : !tt.ptr<f32>
  tt.return
}
)";
  for (unsigned numThreads : {1u, 2u, 4u})
    for (int round = 0; round < 20; ++round) {
      const std::vector<Kind> kinds = kindsOf(runShifted(text, numThreads));
      REQUIRE_FALSE(kinds.empty());
      CHECK(std::ranges::all_of(kinds, [](Kind kind) { return kind == Kind::WriteRace; }));
    }
}

static constexpr std::string_view kWait = R"(
tt.func public @k(%flag: !tt.ptr<i32>, %out: !tt.ptr<i1>) {
  %c1 = arith.constant 1 : i32
  %ns = arith.constant 2000000 : i64
  %seen = tt.atomic_poll acquire, gpu, %flag, %c1, %ns : !tt.ptr<i32>, i32 -> i1
  tt.store %out, %seen : !tt.ptr<i1>
  tt.return
}
)";

TEST_CASE("Polling sees a value or its timeout", "[compiler][interpreter]") {
  for (int32_t value : {0, 1}) {
    std::vector<int32_t> flag{value};
    std::vector<uint8_t> out{9};
    Interpretation result = runTtir(kWait, {{1, 1, 1}, {memory("flag", flag), memory("out", out)}});
    CHECK(result.completed);
    CHECK(out[0] == value);
  }
}

static constexpr std::string_view kEndless = R"(
tt.func public @k(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %more = arith.cmpi ne, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  tt.return
}
)";

TEST_CASE("A program that takes too long is stopped", "[compiler][interpreter][findings]") {
  InterpreterOptions options;
  options.maxInstructionsPerProgram = 0;
  options.maxProgramDuration = std::chrono::milliseconds(30);
  Interpretation result = runTtir(kEndless, {{1, 1, 1}, {scalar("n", 1)}}, options);
  CHECK_FALSE(result.completed);
  CHECK(kindsOf(result) == std::vector{Kind::StepLimit});
}

TEST_CASE("A run tells how far it has come, and can be cancelled", "[compiler][interpreter]") {
  std::stop_source stop;
  std::atomic<uint64_t> lastTotal = 0, lastDone = 99;
  InterpreterOptions options;
  options.maxInstructionsPerProgram = 0;
  options.stop = stop.get_token();
  // The report comes from another thread, while this one is in the endless program.
  options.progress = [&](uint64_t done, uint64_t total) {
    lastDone = done;
    lastTotal = total;
    stop.request_stop();
  };
  Interpretation result = runTtir(kEndless, {{3, 1, 1}, {scalar("n", 1)}}, options);
  CHECK(result.cancelled);
  CHECK_FALSE(result.completed);
  CHECK(lastTotal == 3);
  CHECK(lastDone == 0);
}
