// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Who wrote what: conflicts within one store, elements that no program wrote, last writers.
#include "compiler/interpreter/AddressTable.h"
#include "compiler/interpreter/StoreConflicts.h"
#include "tests/unit/compiler/interpreter/RunTtir.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::tests;

using Kind = InterpreterFindingKind;

/// A kernel in which %i is 0 … 7, %x its floats, %so a block of pointers to the output's beginning.
static Interpretation runStores(const std::string &body, InterpreterLaunch launch) {
  const std::string text = R"(
tt.func public @k(%out: !tt.ptr<f32>) {
  %pid = tt.get_program_id x : i32
  %c2 = arith.constant dense<2> : tensor<8xi32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %x = arith.sitofp %i : tensor<8xi32> to tensor<8xf32>
  %so = tt.splat %out : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
)" + body + "\n  tt.return\n}\n";
  InterpreterOptions options;
  options.numThreads = 1;
  return runTtir(text, launch, options);
}

static const std::string kHalves =
    "  %j = arith.divsi %i, %c2 : tensor<8xi32>\n"
    "  %q = tt.addptr %so, %j : tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n";

TEST_CASE("Two elements of one store that go to one address with different values are reported",
          "[compiler][interpreter][findings]") {
  std::vector<float> out(8);
  const Interpretation result = runStores(kHalves + "  tt.store %q, %x : tensor<8x!tt.ptr<f32>>",
                                          {{3, 1, 1}, {memory("out", out)}, {}});
  REQUIRE(result.findings.size() == 1);
  const InterpreterFinding &finding = result.findings.front();
  CHECK(finding.kind == Kind::StoreConflict);
  CHECK(finding.argument == "out");
  CHECK(finding.offset == 0);
  CHECK(finding.numPrograms == 3);
  CHECK(finding.range.begin.line == 10);
  CHECK(finding.message == "this store writes `out[0]` twice, with different values: from elements "
                           "[0] and [1] of its block; which one stays is not defined");
  CHECK(result.completed);
}

TEST_CASE(
    "A store that repeats an address with equal values, or masks the others, is not a conflict",
    "[compiler][interpreter][findings]") {
  std::vector<float> out(8);
  const InterpreterLaunch launch{{1, 1, 1}, {memory("out", out)}, {}};
  CHECK(
      runStores(kHalves + "  tt.store %q, %one : tensor<8x!tt.ptr<f32>>", launch).findings.empty());
  CHECK(runStores(kHalves + "  %r = arith.remsi %i, %c2 : tensor<8xi32>\n"
                            "  %zero = arith.constant dense<0> : tensor<8xi32>\n"
                            "  %even = arith.cmpi eq, %r, %zero : tensor<8xi32>\n"
                            "  tt.store %q, %x, %even : tensor<8x!tt.ptr<f32>>",
                  launch)
            .findings.empty());
  CHECK(std::vector<float>(out.begin(), out.begin() + 4) == std::vector<float>{0, 2, 4, 6});
}

TEST_CASE(
    "Equal values that are updates of one place are reported, and those that change nothing not",
    "[compiler][interpreter][findings]") {
  std::vector<float> out(8);
  const auto update = [&](const std::string &operation) {
    return runStores(kHalves +
                         "  %old = tt.load %q : tensor<8x!tt.ptr<f32>>\n  %new = " + operation +
                         " : tensor<8xf32>\n  tt.store %q, %new : "
                         "tensor<8x!tt.ptr<f32>>",
                     {{1, 1, 1}, {memory("out", out)}, {}})
        .findings;
  };
  const std::vector<InterpreterFinding> findings = update("arith.addf %old, %one");
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().kind == Kind::StoreConflict);
  CHECK(findings.front().message ==
        "this store updates `out[0]` twice, from elements [0] and [1] of its block, after one load "
        "of both: only one of the updates is left");
  // A maximum is the same when it is taken twice, and so is a sum with 0.
  CHECK(update("arith.maximumf %old, %one").empty());
  CHECK(update("arith.mulf %old, %one").empty());
}

TEST_CASE("One address for a whole block is a conflict, too", "[compiler][interpreter][findings]") {
  std::vector<float> out(8);
  const Interpretation result = runStores("  tt.store %so, %x : tensor<8x!tt.ptr<f32>>",
                                          {{1, 1, 1}, {memory("out", out)}, {}});
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings.front().kind == Kind::StoreConflict);
}

TEST_CASE("Steps tell whether indices can share an address", "[compiler][interpreter]") {
  using V = std::vector<int64_t>;
  CHECK_FALSE(interpreter::mayOverlap(V{256, 4}, V{8, 64}));
  CHECK_FALSE(interpreter::mayOverlap(V{4, 256}, V{64, 8}));
  CHECK(interpreter::mayOverlap(V{252, 4}, V{8, 64}));
  CHECK(interpreter::mayOverlap(V{0, 4}, V{2, 64}));
  CHECK_FALSE(interpreter::mayOverlap(V{0, -4}, V{1, 64}));
}

TEST_CASE("A table of addresses tells who came first", "[compiler][interpreter]") {
  interpreter::AddressTable table;
  for (int round = 0; round < 3; ++round) {
    table.begin(100);
    for (uint32_t i = 0; i < 100; ++i)
      CHECK(table.put(int64_t{i} << 40, i) == interpreter::AddressTable::kAbsent);
    CHECK(table.put(int64_t{7} << 40, 200) == 7);
  }
}

TEST_CASE("Elements that no program wrote are counted", "[compiler][interpreter][findings]") {
  std::vector<float> out(20);
  InterpreterArgument counted = memory("out", out);
  counted.countUnwritten = true;
  const std::string body = "  %c8 = arith.constant 8 : i32\n"
                           "  %at = arith.muli %pid, %c8 : i32\n"
                           "  %p = tt.addptr %out, %at : !tt.ptr<f32>, i32\n"
                           "  %s = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>\n"
                           "  %q = tt.addptr %s, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n";
  const std::string store = "  tt.store %q, %x : tensor<8x!tt.ptr<f32>>";
  using Unwritten = std::vector<UnwrittenElements>;
  CHECK(runStores(body + store, {{2, 1, 1}, {counted}, {}}).unwritten == Unwritten{{"out", 4, 16}});
  CHECK(runStores(body + store, {{1, 1, 1}, {counted}, {}}).unwritten == Unwritten{{"out", 12, 8}});
  // Atomics write, too, and tensors that begin with data are not asked about.
  const std::string atomic =
      "  %on = arith.constant dense<true> : tensor<8xi1>\n"
      "  %old = tt.atomic_rmw fadd, relaxed, gpu, %q, %x, %on : (tensor<8x!tt.ptr<f32>>, "
      "tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>";
  CHECK(runStores(body + atomic, {{2, 1, 1}, {counted}, {}}).unwritten ==
        Unwritten{{"out", 4, 16}});
  CHECK(runStores(body + store, {{1, 1, 1}, {memory("out", out)}, {}}).unwritten.empty());
}

TEST_CASE("The last writer of an element is named with its program and line",
          "[compiler][interpreter][findings]") {
  std::vector<float> out(20);
  const std::string body = "  %q = tt.addptr %so, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n"
                           "  tt.store %q, %one : tensor<8x!tt.ptr<f32>>\n"
                           "  %p = tt.addptr %out, %pid : !tt.ptr<f32>, i32\n"
                           "  %f = arith.constant 1.0 : f32\n"
                           "  tt.store %p, %f : !tt.ptr<f32>";
  const Interpretation result =
      runStores(body, {{4, 1, 1}, {memory("out", out)}, {{"out", 3}, {"out", 12}}});
  // No program wrote element 12.
  REQUIRE(result.writers.size() == 1);
  CHECK(result.writers.front().element == ArgumentElement{"out", 3});
  CHECK(result.writers.front().programId == std::array<int32_t, 3>{3, 0, 0});
  CHECK(result.writers.front().range.begin.line == 12);
}

TEST_CASE("Faults at one place are reported once, with the number of programs",
          "[compiler][interpreter][findings]") {
  std::vector<float> out(4);
  const Interpretation result =
      runStores("  %q = tt.addptr %so, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n"
                "  tt.store %q, %one : tensor<8x!tt.ptr<f32>>",
                {{300, 1, 1}, {memory("out", out)}, {}});
  REQUIRE(result.findings.size() == 1);
  CHECK(result.numFindings == 1);
  CHECK(result.findings.front().numPrograms == 300);
  CHECK(result.findings.front().message == "program 0 writes `out[4…7]`, past its last element 3");
}
