// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/TtirKernels.h"
#include "tests/unit/compiler/interpreter/RunTtir.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <thread>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::tests;

TEST_CASE("A masked vector addition touches only what its mask allows", "[compiler][interpreter]") {
  const size_t n = 5000;
  std::vector<float> x(n), y(n), out(n, -1);
  std::iota(x.begin(), x.end(), 0.0f);
  std::iota(y.begin(), y.end(), 0.5f);
  InterpreterLaunch launch{{5, 1, 1},
                           {memory("x", x), memory("y", y), memory("out", out), scalar("n", 4990)}};
  Interpretation result = runTtir(kVectorAdd, launch);
  CHECK(result.completed);
  CHECK(result.findings.empty());
  CHECK(result.statistics.programs == 5);
  CHECK(result.statistics.bytesLoaded == 2 * 4990 * 4);
  CHECK(result.statistics.bytesStored == 4990 * 4);
  for (size_t i = 0; i < n; ++i)
    REQUIRE(out[i] == (i < 4990 ? x[i] + y[i] : -1.0f));
}

TEST_CASE("An access outside an argument is reported, and everything else is computed",
          "[compiler][interpreter]") {
  std::vector<float> x(3000, 1), y(3000, 2), out(3072, 0);
  InterpreterLaunch launch{
      {3, 1, 1}, {memory("x_ptr", x), memory("y_ptr", y), memory("out", out), scalar("n", 3072)}};
  Interpretation result = runTtir(kVectorAdd, launch);
  CHECK(result.completed);
  REQUIRE(result.findings.size() == 2);
  const InterpreterFinding &finding = result.findings.front();
  CHECK(finding.kind == InterpreterFindingKind::OutOfBoundsLoad);
  CHECK(finding.argument == "x_ptr");
  CHECK(finding.offset == 3000);
  CHECK(finding.extent == 3000);
  CHECK(finding.programId == std::array<int32_t, 3>{2, 0, 0});
  CHECK(result.files.at(finding.range.file) == "kernel.ttir");
  // The line of the first load, counted from 0.
  CHECK(finding.range.begin.line == 14);
  CHECK(result.findings[1].argument == "y_ptr");
  CHECK(out[2999] == 3.0f);
  CHECK(out[3000] == 0.0f);
}

TEST_CASE("A launch that does not fit the kernel is refused", "[compiler][interpreter]") {
  Interpretation result = runTtir(kVectorAdd, {{1, 1, 1}, {scalar("n", 1)}});
  CHECK_FALSE(result.completed);
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].kind == InterpreterFindingKind::Unsupported);
  CHECK(result.findings[0].message == "the kernel takes 4 arguments, but the launch passes 1");
}

TEST_CASE("A softmax over rows agrees with its definition", "[compiler][interpreter]") {
  const size_t rows = 7, columns = 200;
  std::vector<float> in(rows * columns), out(rows * columns, -1);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = std::sin(static_cast<float>(i)) * 10;
  Interpretation result =
      runTtir(kSoftmax, {{7, 1, 1}, {memory("out", out), memory("in", in), scalar("n", columns)}});
  CHECK(result.completed);
  for (size_t row = 0; row < rows; ++row) {
    double sum = 0, largest = -INFINITY;
    for (size_t i = 0; i < columns; ++i)
      largest = std::max<double>(largest, in[row * columns + i]);
    for (size_t i = 0; i < columns; ++i)
      sum += std::exp(in[row * columns + i] - largest);
    for (size_t i = 0; i < columns; ++i)
      REQUIRE(out[row * columns + i] ==
              Approx(std::exp(in[row * columns + i] - largest) / sum).epsilon(2e-6));
  }
}

TEST_CASE("A loop over K with two-dimensional pointers multiplies matrices",
          "[compiler][interpreter]") {
  constexpr std::string_view kMatmul = R"(
tt.func public @matmul(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %c: !tt.ptr<f32>, %m: i32, %n: i32, %k: i32) {
  %c16 = arith.constant 16 : i32
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %step = arith.constant dense<16> : tensor<16x16xi32>
  %pm = tt.get_program_id x : i32
  %pn = tt.get_program_id y : i32
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %m0 = arith.muli %pm, %c16 : i32
  %n0 = arith.muli %pn, %c16 : i32
  %ms = tt.splat %m0 : i32 -> tensor<16xi32>
  %nsp = tt.splat %n0 : i32 -> tensor<16xi32>
  %om = arith.addi %ms, %r : tensor<16xi32>
  %on = arith.addi %nsp, %r : tensor<16xi32>
  %om1 = tt.expand_dims %om {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %on1 = tt.expand_dims %on {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %rk0 = tt.expand_dims %r {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %rk1 = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %kcol = tt.splat %k : i32 -> tensor<16x1xi32>
  %arow = arith.muli %om1, %kcol : tensor<16x1xi32>
  %arow2 = tt.broadcast %arow : tensor<16x1xi32> -> tensor<16x16xi32>
  %rk0b = tt.broadcast %rk0 : tensor<1x16xi32> -> tensor<16x16xi32>
  %ao = arith.addi %arow2, %rk0b : tensor<16x16xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %ap = tt.addptr %as, %ao : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %ncol = tt.splat %n : i32 -> tensor<16x1xi32>
  %brow = arith.muli %rk1, %ncol : tensor<16x1xi32>
  %brow2 = tt.broadcast %brow : tensor<16x1xi32> -> tensor<16x16xi32>
  %on1b = tt.broadcast %on1 : tensor<1x16xi32> -> tensor<16x16xi32>
  %bo = arith.addi %brow2, %on1b : tensor<16x16xi32>
  %bs = tt.splat %b : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %bp = tt.addptr %bs, %bo : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %bstep0 = arith.muli %n, %c16 : i32
  %bstep = tt.splat %bstep0 : i32 -> tensor<16x16xi32>
  %mlim = tt.splat %m : i32 -> tensor<16x1xi32>
  %nlim = tt.splat %n : i32 -> tensor<1x16xi32>
  %mm = arith.cmpi slt, %om1, %mlim : tensor<16x1xi32>
  %mn = arith.cmpi slt, %on1, %nlim : tensor<1x16xi32>
  %mmb = tt.broadcast %mm : tensor<16x1xi1> -> tensor<16x16xi1>
  %mnb = tt.broadcast %mn : tensor<1x16xi1> -> tensor<16x16xi1>
  %res:3 = scf.for %i = %c0 to %k step %c16 iter_args(%acc = %zero, %apc = %ap, %bpc = %bp) -> (tensor<16x16xf32>, tensor<16x16x!tt.ptr<f32>>, tensor<16x16x!tt.ptr<f32>>) : i32 {
    %left = arith.subi %k, %i : i32
    %l0 = tt.splat %left : i32 -> tensor<1x16xi32>
    %l1 = tt.splat %left : i32 -> tensor<16x1xi32>
    %ka = arith.cmpi slt, %rk0, %l0 : tensor<1x16xi32>
    %kb = arith.cmpi slt, %rk1, %l1 : tensor<16x1xi32>
    %kab = tt.broadcast %ka : tensor<1x16xi1> -> tensor<16x16xi1>
    %kbb = tt.broadcast %kb : tensor<16x1xi1> -> tensor<16x16xi1>
    %ma = arith.andi %mmb, %kab : tensor<16x16xi1>
    %mb = arith.andi %kbb, %mnb : tensor<16x16xi1>
    %av = tt.load %apc, %ma, %zero : tensor<16x16x!tt.ptr<f32>>
    %bv = tt.load %bpc, %mb, %zero : tensor<16x16x!tt.ptr<f32>>
    %d = tt.dot %av, %bv, %acc : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    %an = tt.addptr %apc, %step : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    %bn = tt.addptr %bpc, %bstep : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    scf.yield %d, %an, %bn : tensor<16x16xf32>, tensor<16x16x!tt.ptr<f32>>, tensor<16x16x!tt.ptr<f32>>
  }
  %crow = arith.muli %om1, %ncol : tensor<16x1xi32>
  %crow2 = tt.broadcast %crow : tensor<16x1xi32> -> tensor<16x16xi32>
  %co = arith.addi %crow2, %on1b : tensor<16x16xi32>
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %cp = tt.addptr %cs, %co : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %cm = arith.andi %mmb, %mnb : tensor<16x16xi1>
  tt.store %cp, %res#0, %cm : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
)";
  const int m = 37, n = 29, k = 50;
  std::vector<float> a(m * k), b(k * n), c(m * n, -1);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<float>(static_cast<int>(i * 7 % 13) - 6);
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = static_cast<float>(static_cast<int>(i * 5 % 11) - 5);
  Interpretation result = runTtir(kMatmul, {{3, 2, 1},
                                            {memory("a", a), memory("b", b), memory("c", c),
                                             scalar("m", m), scalar("n", n), scalar("k", k)}});
  CHECK(result.completed);
  CHECK(result.findings.empty());
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float expected = 0;
      for (int l = 0; l < k; ++l)
        expected += a[i * k + l] * b[l * n + j];
      REQUIRE(c[i * n + j] == expected);
    }
}

TEST_CASE("Atomic additions of all programs add up", "[compiler][interpreter]") {
  constexpr std::string_view kSum = R"(
tt.func public @sum(%total: !tt.ptr<f32>, %count: !tt.ptr<i32>, %half: !tt.ptr<f16>) {
  %one = arith.constant 1 : i32
  %onef = arith.constant 1.0 : f32
  %oneh = arith.constant 1.0 : f16
  %0 = tt.atomic_rmw fadd, acq_rel, gpu, %total, %onef : (!tt.ptr<f32>, f32) -> f32
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %zero = arith.constant dense<0> : tensor<64xi32>
  %ones = arith.constant dense<1> : tensor<64xi32>
  %lim = arith.constant dense<50> : tensor<64xi32>
  %mask = arith.cmpi slt, %r, %lim : tensor<64xi32>
  %p = tt.splat %count : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %1 = tt.atomic_rmw add, relaxed, gpu, %p, %ones, %mask : (tensor<64x!tt.ptr<i32>>, tensor<64xi32>, tensor<64xi1>) -> tensor<64xi32>
  %2 = tt.atomic_rmw fadd, relaxed, gpu, %half, %oneh : (!tt.ptr<f16>, f16) -> f16
  tt.return
}
)";
  std::vector<float> total(1, 0);
  std::vector<int32_t> count(1, 0);
  std::vector<uint16_t> half(1, 0);
  InterpreterOptions options;
  options.numThreads = 4;
  Interpretation result = runTtir(
      kSum, {{100, 5, 2}, {memory("total", total), memory("count", count), memory("half", half)}},
      options);
  CHECK(result.completed);
  CHECK(total[0] == 1000);
  CHECK(count[0] == 50000);
  // 1000 in f16.
  CHECK(half[0] == 0x63d0);
}

TEST_CASE("An endless loop is stopped and named; other programs run on",
          "[compiler][interpreter]") {
  constexpr std::string_view kEndless = R"(
tt.func public @endless(%out: !tt.ptr<i32>) {
  %pid = tt.get_program_id x : i32
  %one = arith.constant 1 : i32
  %first = arith.cmpi eq, %pid, %one : i32
  %r = scf.while (%i = %first) : (i1) -> i1 {
    scf.condition(%i) %i : i1
  } do {
  ^bb0(%i: i1):
    scf.yield %i : i1
  }
  %p = tt.addptr %out, %pid : !tt.ptr<i32>, i32
  tt.store %p, %one : !tt.ptr<i32>
  tt.return
}
)";
  std::vector<int32_t> out(3, 0);
  InterpreterOptions options;
  options.maxInstructionsPerProgram = 10000;
  Interpretation result = runTtir(kEndless, {{3, 1, 1}, {memory("out", out)}}, options);
  CHECK_FALSE(result.completed);
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].kind == InterpreterFindingKind::StepLimit);
  CHECK(result.findings[0].programId[0] == 1);
  CHECK(out == std::vector<int32_t>{1, 0, 1});

  options.maxInstructionsPerProgram = 0;
  std::stop_source source;
  options.stop = source.get_token();
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    source.request_stop();
  });
  result = runTtir(kEndless, {{3, 1, 1}, {memory("out", out)}}, options);
  CHECK(result.cancelled);
  CHECK_FALSE(result.completed);
}

TEST_CASE("a print says which elements a mask has left undefined", "[compiler][interpreter]") {
  constexpr std::string_view kMasked = R"(
tt.func public @masked(%p: !tt.ptr<i32>) {
  %one = arith.constant dense<1> : tensor<2xi32>
  %r = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
  %b = tt.splat %p : !tt.ptr<i32> -> tensor<2x!tt.ptr<i32>>
  %a = tt.addptr %b, %r : tensor<2x!tt.ptr<i32>>, tensor<2xi32>
  %m = arith.cmpi slt, %r, %one : tensor<2xi32>
  %x = tt.load %a, %m : tensor<2x!tt.ptr<i32>>
  tt.print " x: " {hex = false, isSigned = array<i32: 1>} : %x : tensor<2xi32>
  tt.return
}
)";
  std::vector<int32_t> data{7, 8};
  Interpretation result = runTtir(kMasked, {{1, 1, 1}, {memory("p", data)}});
  REQUIRE(result.prints.size() == 1);
  CHECK(result.prints[0].text ==
        "pid (0, 0, 0) idx (0) x: 7\npid (0, 0, 0) idx (1) x: undefined\n");
}

TEST_CASE("Prints and failed assertions name their program", "[compiler][interpreter]") {
  constexpr std::string_view kTalk = R"(
tt.func public @talk(%x: i32) {
  %pid = tt.get_program_id x : i32
  %r = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
  %h = arith.constant dense<[1.5, -2.0]> : tensor<2xf16>
  tt.print " v: " {hex = false, isSigned = array<i32: 1, 0>} : %r, %h : tensor<2xi32>, tensor<2xf16>
  tt.print " x: " {hex = true, isSigned = array<i32: 1>} : %x : i32
  %c = arith.cmpi ne, %pid, %x : i32
  tt.assert %c, "pid is x" : i1
  tt.return
}
)";
  Interpretation result = runTtir(kTalk, {{2, 1, 1}, {scalar("x", 1)}});
  CHECK_FALSE(result.completed);
  REQUIRE(result.prints.size() == 4);
  CHECK(result.prints[0].text ==
        "pid (0, 0, 0) idx (0) v: (operand 0) 0\npid (0, 0, 0) idx (1) v: (operand 0) 1\n"
        "pid (0, 0, 0) idx (0) v: (operand 1) 1.500000\n"
        "pid (0, 0, 0) idx (1) v: (operand 1) -2.000000\n");
  CHECK(result.prints[3].text == "pid (1, 0, 0) idx () x: 0x00000001\n");
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].kind == InterpreterFindingKind::AssertFailed);
  CHECK(result.findings[0].programId[0] == 1);
  CHECK(result.findings[0].message == "the assertion does not hold: pid is x");
}
