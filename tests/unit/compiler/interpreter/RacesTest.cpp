// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Plain accesses beside atomic operations, accesses of other widths than the argument's, and programs
// that run at the same time.
#include "tests/unit/compiler/interpreter/RunTtir.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::tests;

/// A kernel of scalars over a cell and a counter: %v is the program's number and one.
static std::string scalarKernel(const std::string &body) {
  return R"(
tt.func public @k(%cell: !tt.ptr<f32>, %count: !tt.ptr<i32>, %out: !tt.ptr<f32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %pid = tt.get_program_id x : i32
  %next = arith.addi %pid, %c1 : i32
  %v = arith.sitofp %next : i32 to f32
  %mine = tt.addptr %out, %pid : !tt.ptr<f32>, i32
  %isFirst = arith.cmpi eq, %pid, %c0 : i32
)" + body +
         "\n  tt.return\n}\n";
}

static const std::string kAdd = "  %a = tt.atomic_rmw fadd, acq_rel, gpu, %cell, %v : "
                                "(!tt.ptr<f32>, f32) -> f32\n";
static const std::string kMax = "  %a = tt.atomic_rmw max, acq_rel, gpu, %cell, %v : "
                                "(!tt.ptr<f32>, f32) -> f32\n";
static const std::string kLoad = "  %x = tt.load %cell : !tt.ptr<f32>\n";
static const std::string kKeep = "  tt.store %mine, %x : !tt.ptr<f32>\n";

static std::vector<std::string> racesOf(const std::string &body, unsigned numThreads = 1) {
  std::vector<float> cell(1), out(4);
  std::vector<int32_t> count(1);
  InterpreterOptions options;
  options.numThreads = numThreads;
  const Interpretation result = runTtir(
      scalarKernel(body),
      {{4, 1, 1}, {memory("cell", cell), memory("count", count), memory("out", out)}}, options);
  CHECK(result.completed);
  std::vector<std::string> messages;
  for (const InterpreterFinding &each : result.findings) {
    CHECK(each.kind == InterpreterFindingKind::WriteRace);
    messages.push_back("line " + std::to_string(each.range.begin.line + 1) + ": " + each.message);
  }
  return messages;
}

TEST_CASE("A plain load of what other programs change atomically is a race",
          "[compiler][interpreter][findings]") {
  const std::string cure =
      ": which comes first is chance; read `cell` in a second launch, or in the "
      "program that an atomic counter tells to be the last";
  // Behind the operation, and before it.
  CHECK(racesOf(kAdd + kLoad + kKeep) ==
        std::vector{"line 14: `cell[0]` is read by program 0 and changed by an atomic "
                    "operation of program 1 in line 13" +
                    cure});
  CHECK(racesOf(kLoad + kKeep + kAdd) ==
        std::vector{"line 13: `cell[0]` is read by program 1 and changed by an atomic "
                    "operation of program 0 in line 15" +
                    cure});
  for (int round = 0; round < 20; ++round)
    CHECK(racesOf(kAdd + kLoad + kKeep, 4).size() == 1);
}

TEST_CASE("A plain store beside atomic operations of other programs is a race",
          "[compiler][interpreter][findings]") {
  const std::string first = "  scf.if %isFirst {\n"
                            "    tt.store %cell, %zero : !tt.ptr<f32>\n"
                            "  }\n";
  // The value is there already, which others may change before the store.
  CHECK(
      racesOf(first + kAdd) ==
      std::vector<std::string>{
          "line 14: `cell[0]` is stored by program 0 and changed by an atomic operation "
          "of program 1 in line 16: which comes first is chance; set `cell` before the launch, or "
          "use atomic operations alone"});
  // Found at the store, too.
  const std::string last = "  %isLast = arith.cmpi eq, %pid, %c3 : i32\n"
                           "  scf.if %isLast {\n"
                           "    tt.store %cell, %zero : !tt.ptr<f32>\n"
                           "  }\n";
  CHECK(racesOf(kAdd + last).size() == 1);
  CHECK(racesOf("  tt.store %cell, %zero : !tt.ptr<f32>\n" + kAdd).size() == 1);
}

TEST_CASE("Right use of atomic operations is not called a race",
          "[compiler][interpreter][findings]") {
  // Cells of one program each, and operations that change nothing.
  CHECK(racesOf("  tt.store %mine, %zero : !tt.ptr<f32>\n"
                "  %a = tt.atomic_rmw fadd, acq_rel, gpu, %mine, %v : (!tt.ptr<f32>, f32) -> f32\n"
                "  %x = tt.load %mine : !tt.ptr<f32>\n"
                "  tt.store %mine, %x : !tt.ptr<f32>\n")
            .empty());
  CHECK(racesOf("  %a = tt.atomic_rmw fadd, acq_rel, gpu, %cell, %zero : (!tt.ptr<f32>, f32) -> "
                "f32\n" +
                kLoad + kKeep)
            .empty());
  // One value by a store or by an exchange.
  CHECK(
      racesOf("  scf.if %isFirst {\n"
              "    tt.store %cell, %one : !tt.ptr<f32>\n"
              "  } else {\n"
              "    %a = tt.atomic_rmw max, acq_rel, gpu, %cell, %one : (!tt.ptr<f32>, f32) -> f32\n"
              "  }\n")
          .empty());
  // The last program reads what all have left, and resets the counter.
  CHECK(racesOf(kAdd +
                    "  %n = tt.atomic_rmw add, acq_rel, gpu, %count, %c1 : (!tt.ptr<i32>, i32) -> "
                    "i32\n"
                    "  %isLast = arith.cmpi eq, %n, %c3 : i32\n"
                    "  scf.if %isLast {\n"
                    "    %x = tt.load %cell : !tt.ptr<f32>\n"
                    "    tt.store %out, %x : !tt.ptr<f32>\n"
                    "    tt.store %count, %c0 : !tt.ptr<i32>\n"
                    "  }\n",
                4)
            .empty());
}

TEST_CASE("What is read and only stored makes nobody wait", "[compiler][interpreter][findings]") {
  // An increment that loses others: `volatile` does not make it whole.
  CHECK(racesOf("  %x = tt.load %cell {isVolatile = true} : !tt.ptr<f32>\n"
                "  %sum = arith.addf %x, %one : f32\n"
                "  tt.store %cell, %sum : !tt.ptr<f32>\n")
            .size() == 1);
  CHECK(racesOf("  %n = tt.atomic_rmw add, acq_rel, gpu, %count, %c1 : (!tt.ptr<i32>, i32) -> i32\n"
                "  %x = arith.sitofp %n : i32 to f32\n"
                "  tt.store %cell, %x : !tt.ptr<f32>\n")
            .size() == 1);
}

TEST_CASE("A load that an atomic operation only tries is not called a race",
          "[compiler][interpreter][findings]") {
  CHECK(racesOf(kLoad +
                "  %more = arith.cmpf ogt, %v, %x : f32\n"
                "  scf.if %more {\n  " +
                kMax + "  }\n")
            .empty());
  CHECK(racesOf(kLoad + "  %more = arith.cmpf ogt, %v, %x : f32\n"
                        "  %a = tt.atomic_rmw max, acq_rel, gpu, %cell, %v, %more : (!tt.ptr<f32>, "
                        "f32, i1) -> f32\n")
            .empty());
  // The sum of an operation that is repeated until the guess was right.
  CHECK(racesOf(kLoad + "  %end = scf.while (%old = %x) : (f32) -> f32 {\n"
                        "    %sum = arith.addf %old, %v : f32\n"
                        "    %was = tt.atomic_cas acq_rel, gpu, %cell, %old, %sum : (!tt.ptr<f32>, "
                        "f32, f32) -> f32\n"
                        "    %again = arith.cmpf une, %was, %old : f32\n"
                        "    scf.condition(%again) %was : f32\n"
                        "  } do {\n"
                        "  ^bb0(%was: f32):\n"
                        "    scf.yield %was : f32\n"
                        "  }\n",
                4)
            .empty());
  // What is loaded is used otherwise, too.
  CHECK(racesOf(kLoad +
                "  %more = arith.cmpf ogt, %v, %x : f32\n"
                "  scf.if %more {\n  " +
                kMax + "  }\n" + kKeep)
            .size() == 1);
}

/// Program p loads `distance` 16-bit halves behind its own 8, through a pointer to floats that is
/// cast, and stores them to its own.
static Interpretation runHalves(int distance) {
  const std::string text = R"(
tt.func public @k(%x_ptr: !tt.ptr<f32>) {
  %c8 = arith.constant 8 : i32
  %far = arith.constant dense<)" +
                           std::to_string(distance) + R"(> : tensor<8xi32>
  %halves = tt.bitcast %x_ptr : !tt.ptr<f32> -> !tt.ptr<i16>
  %pid = tt.get_program_id x : i32
  %begin = arith.muli %pid, %c8 : i32
  %b = tt.splat %begin : i32 -> tensor<8xi32>
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %i = arith.addi %b, %r : tensor<8xi32>
  %j = arith.addi %i, %far : tensor<8xi32>
  %s = tt.splat %halves : !tt.ptr<i16> -> tensor<8x!tt.ptr<i16>>
  %p = tt.addptr %s, %j : tensor<8x!tt.ptr<i16>>, tensor<8xi32>
  %q = tt.addptr %s, %i : tensor<8x!tt.ptr<i16>>, tensor<8xi32>
  %v = tt.load %p : tensor<8x!tt.ptr<i16>>
  tt.store %q, %v : tensor<8x!tt.ptr<i16>>
  tt.return
}
)";
  std::vector<float> x(32);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = 0.1f * static_cast<float>(i);
  InterpreterOptions options;
  options.numThreads = 1;
  return runTtir(text, {{4, 1, 1}, {memory("x_ptr", x)}}, options);
}

TEST_CASE("Accesses through a cast pointer race where their bytes overlap",
          "[compiler][interpreter][findings]") {
  // Half 8, the lower one of element 4, is read by program 0 and written by program 1.
  const Interpretation result = runHalves(1);
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings.front().message.starts_with(
      "`x_ptr[4]` is read by program 0 and changed by program 1 in line 16: "));
  CHECK(result.findings.front().extent == 32);
  CHECK(runHalves(0).findings.empty());
  CHECK(runHalves(64 - 24 - 8).findings.empty());
}

TEST_CASE("Programs that write a half of an element each do not race",
          "[compiler][interpreter][findings]") {
  const std::string text = R"(
tt.func public @k(%x_ptr: !tt.ptr<f32>) {
  %halves = tt.bitcast %x_ptr : !tt.ptr<f32> -> !tt.ptr<i16>
  %pid = tt.get_program_id x : i32
  %v = arith.trunci %pid : i32 to i16
  %p = tt.addptr %halves, %pid : !tt.ptr<i16>, i32
  tt.store %p, %v : !tt.ptr<i16>
  %c2 = arith.constant 2 : i32
  %whole = arith.divsi %pid, %c2 : i32
  %q = tt.addptr %x_ptr, %whole : !tt.ptr<f32>, i32
  %f = arith.constant 1.0 : f32
  WHOLE
  tt.return
}
)";
  std::vector<float> x(4);
  const auto run = [&](const std::string &whole) {
    std::string kernel = text;
    kernel.replace(kernel.find("WHOLE"), 5, whole);
    InterpreterArgument counted = memory("x_ptr", x);
    counted.countUnwritten = true;
    return runTtir(kernel, {{4, 1, 1}, {counted}});
  };
  const Interpretation halves = run("");
  CHECK(halves.findings.empty());
  CHECK(halves.unwritten == std::vector<UnwrittenElements>{{"x_ptr", 2, 2}});
  // The whole element takes what the other program has written to the half.
  CHECK(run("tt.store %q, %f : !tt.ptr<f32>").findings.size() == 1);
}

TEST_CASE("Programs that store one value at the same time do not race",
          "[compiler][interpreter][findings]") {
  // Programs p and p + 64, which threads take from one end each, store to one block.
  const std::string text = R"(
tt.func public @k(%x_ptr: !tt.ptr<f32>) {
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c1024 = arith.constant 1024 : i32
  %seven = arith.constant dense<7.0> : tensor<1024xf32>
  %pid = tt.get_program_id x : i32
  %rest = arith.remsi %pid, %c64 : i32
  %group = arith.divsi %pid, %c128 : i32
  %first = arith.muli %group, %c64 : i32
  %block = arith.addi %first, %rest : i32
  %begin = arith.muli %block, %c1024 : i32
  %b = tt.splat %begin : i32 -> tensor<1024xi32>
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %i = arith.addi %b, %r : tensor<1024xi32>
  %s = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %p = tt.addptr %s, %i : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  tt.store %p, %seven : tensor<1024x!tt.ptr<f32>>
  tt.return
}
)";
  InterpreterOptions options;
  options.numThreads = 4;
  for (int round = 0; round < 5; ++round) {
    std::vector<float> x(size_t{2048} * 1024);
    const Interpretation result = runTtir(text, {{4096, 1, 1}, {memory("x_ptr", x)}}, options);
    CHECK(result.findings.empty());
    CHECK(std::ranges::count(x, 7.0f) == static_cast<ptrdiff_t>(x.size()));
  }
}

TEST_CASE("A program that waits for a later one gets to see it", "[compiler][interpreter]") {
  const std::string text = R"(
tt.func public @k(%flag: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pid = tt.get_program_id x : i32
  %isFirst = arith.cmpi eq, %pid, %c0 : i32
  scf.if %isFirst {
    scf.while : () -> () {
      %was = tt.atomic_rmw add, acq_rel, gpu, %flag, %c0 : (!tt.ptr<i32>, i32) -> i32
      %isUnset = arith.cmpi eq, %was, %c0 : i32
      scf.condition(%isUnset)
    } do {
      scf.yield
    }
  } else {
    %was = tt.atomic_rmw exch, acq_rel, gpu, %flag, %c1 : (!tt.ptr<i32>, i32) -> i32
  }
  tt.return
}
)";
  std::vector<int32_t> flag(1);
  InterpreterOptions options;
  options.numThreads = 2;
  options.maxInstructionsPerProgram = 0;
  options.maxProgramDuration = std::chrono::seconds(20);
  const Interpretation result = runTtir(text, {{2, 1, 1}, {memory("flag", flag)}}, options);
  CHECK(result.completed);
  CHECK(result.findings.empty());
}
