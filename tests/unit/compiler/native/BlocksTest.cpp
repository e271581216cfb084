// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Shapes, memory, reductions and control flow, against the interpreter.
#include "tests/unit/compiler/native/BothRuns.h"
#include "tests/unit/compiler/native/RunNative.h"

#include <catch2/catch.hpp>

using namespace tilescope::tests;

/// `%row` and `%column` of a block [16, 64], and offsets `%o` of a matrix with rows of `%stride`.
static const std::string kOffsets = R"(
  %rows = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %rows1 = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %columns1 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %s1 = tt.splat %stride : i32 -> tensor<16x1xi32>
  %begin = arith.muli %rows1, %s1 : tensor<16x1xi32>
  %row = tt.broadcast %begin : tensor<16x1xi32> -> tensor<16x64xi32>
  %column = tt.broadcast %columns1 : tensor<1x64xi32> -> tensor<16x64xi32>
  %o = arith.addi %row, %column : tensor<16x64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %o : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
  %v = tt.load %xp : tensor<16x64x!tt.ptr<f32>>
)";

TEST_CASE("a transposed block is stored", "[compiler][native]") {
  checkAgrees("tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %stride: i32) {" + kOffsets +
                  R"(
  %t = tt.trans %v {order = array<i32: 1, 0>} : tensor<16x64xf32> -> tensor<64x16xf32>
  %c1 = tt.expand_dims %columns {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %r1 = tt.expand_dims %rows {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %sixteen = arith.constant dense<16> : tensor<64x1xi32>
  %b = arith.muli %c1, %sixteen : tensor<64x1xi32>
  %b2 = tt.broadcast %b : tensor<64x1xi32> -> tensor<64x16xi32>
  %r2 = tt.broadcast %r1 : tensor<1x16xi32> -> tensor<64x16xi32>
  %to = arith.addi %b2, %r2 : tensor<64x16xi32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x16x!tt.ptr<f32>>
  %op = tt.addptr %os, %to : tensor<64x16x!tt.ptr<f32>>, tensor<64x16xi32>
  tt.store %op, %t : tensor<64x16x!tt.ptr<f32>>
  tt.return
})",
              {1, 1, 1}, {sampleOf("f32", 16 * 80, 1), poisoned(16 * 64 * 4), number(80)},
              {"f32", "f32"});
}

TEST_CASE("a reshaped block keeps its order", "[compiler][native]") {
  checkAgrees("tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %stride: i32) {" + kOffsets +
                  R"(
  %f = tt.reshape %v : tensor<16x64xf32> -> tensor<1024xf32>
  %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %op = tt.addptr %os, %range : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  tt.store %op, %f : tensor<1024x!tt.ptr<f32>>
  tt.return
})",
              {1, 1, 1}, {sampleOf("f32", 16 * 80, 1), poisoned(1024 * 4), number(80)},
              {"f32", "f32"});
}

/// A reduction of the block along an axis with this body, stored.
static std::string reduction(int axis, const std::string &combiner) {
  const std::string n = axis == 0 ? "64" : "16", result = "tensor<" + n + "xf32>";
  return "tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %stride: i32) {" + kOffsets +
         "  %q = \"tt.reduce\"(%v) <{axis = " + std::to_string(axis) +
         " : i32}> ({\n  ^bb0(%a: f32, %b: f32):\n    %g = " + combiner +
         " %a, %b : f32\n    tt.reduce.return %g : f32\n  }) : (tensor<16x64xf32>) -> " + result +
         "\n  %os = tt.splat %out : !tt.ptr<f32> -> tensor<" + n +
         "x!tt.ptr<f32>>\n  %op = tt.addptr %os, %" + (axis == 0 ? "columns" : "rows") +
         " : tensor<" + n + "x!tt.ptr<f32>>, tensor<" + n + "xi32>\n  tt.store %op, %q : tensor<" +
         n + "x!tt.ptr<f32>>\n  tt.return\n}";
}

TEST_CASE("reductions along both axes agree", "[compiler][native]") {
  const int axis = GENERATE(0, 1);
  const std::string combiner =
      GENERATE("arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf");
  // Whole numbers, so that no order of zeros or sums matters.
  std::vector<float> x;
  for (int i = 0; i < 16 * 80; ++i)
    x.push_back(static_cast<float>((i * 7919) % 1009 + 1));
  x[100] = NAN;
  checkAgrees(reduction(axis, combiner), {1, 1, 1}, {memoryOf(x), poisoned(64 * 4), number(80)},
              {"f32", "f32"});
}

TEST_CASE("sums and products along both axes agree", "[compiler][native]") {
  const int axis = GENERATE(0, 1);
  std::vector<float> x;
  for (int i = 0; i < 16 * 80; ++i)
    x.push_back(static_cast<float>(i * 7919 % 1009));
  checkAgrees(reduction(axis, "arith.addf"), {1, 1, 1}, {memoryOf(x), poisoned(64 * 4), number(80)},
              {"f32", "f32"});
  for (float &value : x)
    value = value < 500 ? 1 : 2;
  checkAgrees(reduction(axis, "arith.mulf"), {1, 1, 1}, {memoryOf(x), poisoned(64 * 4), number(80)},
              {"f32", "f32"});
}

TEST_CASE("the place of the largest element agrees", "[compiler][native]") {
  const std::string kernel = R"(
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<i32>, %n: i32) {
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %ns = tt.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %r, %ns : tensor<1024xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %low = arith.constant dense<0xFF800000> : tensor<1024xf32>
  %v = tt.load %xp, %m, %low : tensor<1024x!tt.ptr<f32>>
  %b:2 = "tt.reduce"(%v, %r) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %ai: i32, %c: f32, %ci: i32):
    %eq = arith.cmpf oeq, %a, %c : f32
    %lt = arith.cmpi slt, %ai, %ci : i32
    %first = arith.andi %eq, %lt : i1
    %gt = arith.cmpf ogt, %a, %c : f32
    %left = arith.ori %gt, %first : i1
    %w = arith.select %left, %a, %c : f32
    %wi = arith.select %left, %ai, %ci : i32
    tt.reduce.return %w, %wi : f32, i32
  }) : (tensor<1024xf32>, tensor<1024xi32>) -> (f32, i32)
  tt.store %out, %b#1 : !tt.ptr<i32>
  tt.return
})";
  std::vector<float> x;
  for (int i = 0; i < 1000; ++i)
    x.push_back(static_cast<float>(i * 7919 % 97));
  checkAgrees(kernel, {1, 1, 1}, {memoryOf(x), poisoned(4), number(1000)}, {"f32", "i32"});
}

/// `out[i] = in[i % n]`, by addresses that are no neighbors.
TEST_CASE("elements are gathered and scattered", "[compiler][native]") {
  const std::string kernel = R"(
tt.func public @k(%x: !tt.ptr<i16>, %out: !tt.ptr<i16>, %n: i32) {
  %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
  %ns = tt.splat %n : i32 -> tensor<256xi32>
  %q = arith.remsi %r, %ns : tensor<256xi32>
  %three = arith.constant dense<3> : tensor<256xi32>
  %m = arith.cmpi sgt, %q, %three : tensor<256xi32>
  %xs = tt.splat %x : !tt.ptr<i16> -> tensor<256x!tt.ptr<i16>>
  %xp = tt.addptr %xs, %q : tensor<256x!tt.ptr<i16>>, tensor<256xi32>
  %other = arith.constant dense<-7> : tensor<256xi16>
  %v = tt.load %xp, %m, %other : tensor<256x!tt.ptr<i16>>
  %os = tt.splat %out : !tt.ptr<i16> -> tensor<256x!tt.ptr<i16>>
  %far = arith.muli %r, %three : tensor<256xi32>
  %op = tt.addptr %os, %far : tensor<256x!tt.ptr<i16>>, tensor<256xi32>
  tt.store %op, %v : tensor<256x!tt.ptr<i16>>
  tt.return
})";
  checkAgrees(kernel, {1, 1, 1}, {sampleOf("i16", 50, 1), poisoned(256 * 3 * 2), number(50)},
              {"i16", "i16"});
}

/// Two ways to move elements up by one in place: all are loaded before any is stored.
TEST_CASE("what is loaded before a store is loaded before it", "[compiler][native]") {
  const std::string kernel = R"(
tt.func public @k(%x: !tt.ptr<i32>) {
  %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
  %one = arith.constant dense<1> : tensor<256xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
  %xp = tt.addptr %xs, %r : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
  %v = tt.load %xp : tensor<256x!tt.ptr<i32>>
  %op = tt.addptr %xp, %one : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
  tt.store %op, %v : tensor<256x!tt.ptr<i32>>
  %w = arith.addi %v, %v : tensor<256xi32>
  tt.store %xp, %w : tensor<256x!tt.ptr<i32>>
  tt.return
})";
  checkAgrees(kernel, {1, 1, 1}, {sampleOf("i32", 257, 1)}, {"i32"});
}

TEST_CASE("arguments that overlap are loaded before they are stored", "[compiler][native]") {
  const std::string kernel = R"(
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>) {
  %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
  %xp = tt.addptr %xs, %r : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
  %v = tt.load %xp : tensor<256x!tt.ptr<i32>>
  %ys = tt.splat %y : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
  %yp = tt.addptr %ys, %r : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
  tt.store %yp, %v : tensor<256x!tt.ptr<i32>>
  tt.return
})";
  std::vector<int32_t> memory(257);
  for (int i = 0; i < 257; ++i)
    memory[i] = i;
  const NativeRun run =
      runNative(kernel, {1, 1, 1}, {word(memory), word(memory) + 4}, {.argumentsOverlap = true});
  INFO(run.errors);
  REQUIRE(run.completed);
  for (int i = 1; i < 257; ++i)
    REQUIRE(memory[i] == i - 1);
}

TEST_CASE("loops carry blocks and scalars", "[compiler][native]") {
  // Two blocks that change places at every turn, and a running sum.
  const std::string kernel = R"(
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %xp = tt.addptr %xs, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %v = tt.load %xp : tensor<64x!tt.ptr<i32>>
  %q:3 = scf.for %i = %zero to %n step %step iter_args(%a = %r, %b = %v, %s = %zero) -> (tensor<64xi32>, tensor<64xi32>, i32) : i32 {
    %is = tt.splat %i : i32 -> tensor<64xi32>
    %c = arith.addi %a, %is : tensor<64xi32>
    %t = arith.addi %s, %i : i32
    scf.yield %b, %c, %t : tensor<64xi32>, tensor<64xi32>, i32
  }
  %ss = tt.splat %q#2 : i32 -> tensor<64xi32>
  %d = arith.muli %q#0, %ss : tensor<64xi32>
  %e = arith.subi %d, %q#1 : tensor<64xi32>
  %os = tt.splat %out : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %op = tt.addptr %os, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %op, %e : tensor<64x!tt.ptr<i32>>
  tt.return
})";
  const uint64_t n = GENERATE(0, 1, 7);
  checkAgrees(kernel, {1, 1, 1}, {sampleOf("i32", 64, 1), poisoned(64 * 4), number(n)},
              {"i32", "i32"});
}

TEST_CASE("branches make blocks, and loops end by a condition", "[compiler][native]") {
  const std::string kernel = R"(
tt.func public @k(%out: !tt.ptr<i32>, %n: i32) {
  %pid = tt.get_program_id x : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %size = arith.constant 64 : i32
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %odd = arith.andi %pid, %one : i32
  %isOdd = arith.cmpi eq, %odd, %one : i32
  %v = scf.if %isOdd -> (tensor<64xi32>) {
    %d = arith.addi %r, %r : tensor<64xi32>
    scf.yield %d : tensor<64xi32>
  } else {
    scf.yield %r : tensor<64xi32>
  }
  %w:2 = scf.while (%a = %v, %k = %one) : (tensor<64xi32>, i32) -> (tensor<64xi32>, i32) {
    %go = arith.cmpi slt, %k, %n : i32
    scf.condition(%go) %a, %k : tensor<64xi32>, i32
  } do {
  ^bb0(%a: tensor<64xi32>, %k: i32):
    %k2 = arith.muli %k, %two : i32
    %ks = tt.splat %k2 : i32 -> tensor<64xi32>
    %a2 = arith.muli %a, %ks : tensor<64xi32>
    scf.yield %a2, %k2 : tensor<64xi32>, i32
  }
  %base = arith.muli %pid, %size : i32
  %p = tt.addptr %out, %base : !tt.ptr<i32>, i32
  scf.if %isOdd {
    tt.store %p, %w#1 : !tt.ptr<i32>
  } else {
    %os = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %op = tt.addptr %os, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %op, %w#0 : tensor<64x!tt.ptr<i32>>
  }
  tt.return
})";
  checkAgrees(kernel, {5, 1, 1}, {poisoned(5 * 64 * 4), number(20)}, {"i32"});
}

TEST_CASE("programs know their place in the grid", "[compiler][native]") {
  const std::string kernel = R"(
tt.func public @k(%out: !tt.ptr<i32>) {
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %z = tt.get_program_id z : i32
  %nx = tt.get_num_programs x : i32
  %ny = tt.get_num_programs y : i32
  %nz = tt.get_num_programs z : i32
  %a = arith.muli %z, %ny : i32
  %b = arith.addi %a, %y : i32
  %c = arith.muli %b, %nx : i32
  %i = arith.addi %c, %x : i32
  %v = arith.muli %i, %nz : i32
  %p = tt.addptr %out, %i : !tt.ptr<i32>, i32
  tt.store %p, %v : !tt.ptr<i32>
  tt.return
})";
  checkAgrees(kernel, {3, 5, 7}, {poisoned(3 * 5 * 7 * 4)}, {"i32"});
}

TEST_CASE("functions that a kernel calls are part of it", "[compiler][native]") {
  const std::string kernel = R"(
tt.func private @square(%v: i32) -> i32 attributes {noinline = true} {
  %s = arith.muli %v, %v : i32
  tt.return %s : i32
}
tt.func public @k(%out: !tt.ptr<i32>) {
  %x = tt.get_program_id x : i32
  %v = tt.call @square(%x) : (i32) -> i32
  %p = tt.addptr %out, %x : !tt.ptr<i32>, i32
  tt.store %p, %v : !tt.ptr<i32>
  tt.return
})";
  checkAgrees(kernel, {9, 1, 1}, {poisoned(9 * 4)}, {"i32"});
}

TEST_CASE("what is not supported is named, and nothing is executed", "[compiler][native]") {
  const std::string kernel = R"(
tt.func public @k(%out: !tt.ptr<i32>) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %x = tt.elementwise_inline_asm "no.such.u32 $0, $1;"
    {constraints = "=r,r", packed_element = 1 : i32, pure = false} %r : tensor<64xi32> -> tensor<64xi32>
  tt.return
})";
  std::vector<int32_t> out(64, 5);
  const NativeRun run = runNative(kernel, {1, 1, 1}, {word(out)});
  CHECK_FALSE(run.completed);
  CHECK(run.errors.find("not supported by the cpu target yet: `tt.elementwise_inline_asm`: the "
                        "assembly cannot be executed on the CPU: `no.such.u32` is not known") !=
        std::string::npos);
}
