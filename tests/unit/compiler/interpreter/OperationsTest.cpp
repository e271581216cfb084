// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/kernels/FloatFormats.h"
#include "tests/unit/compiler/interpreter/ComputeBlock.h"

#include <cmath>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::tests;

static std::string binary(const std::string &op, const std::string &type) {
  return "  %r = " + op + " %a, %b : tensor<8x" + type + ">";
}

TEST_CASE("Integers wrap and divide toward zero", "[compiler][interpreter]") {
  using V = std::vector<int8_t>;
  V a{127, -128, 100, -7, 7, -7, 1, -1}, b{1, -1, 100, 2, -2, -2, 3, 7};
  CHECK(compute<int8_t>("i8", "i8", binary("arith.addi", "i8"), a, b) ==
        V{-128, 127, -56, -5, 5, -9, 4, 6});
  CHECK(compute<int8_t>("i8", "i8", binary("arith.muli", "i8"), a, b) ==
        V{127, -128, 16, -14, -14, 14, 3, -7});
  CHECK(compute<int8_t>("i8", "i8", binary("arith.divsi", "i8"), a, b) ==
        V{127, -128, 1, -3, -3, 3, 0, 0});
  CHECK(compute<int8_t>("i8", "i8", binary("arith.ceildivsi", "i8"), a, b) ==
        V{127, -128, 1, -3, -3, 4, 1, 0});
  CHECK(compute<int8_t>("i8", "i8", binary("arith.floordivsi", "i8"), a, b) ==
        V{127, -128, 1, -4, -4, 3, 0, -1});
  CHECK(compute<int8_t>("i8", "i8", binary("arith.remsi", "i8"), a, b) ==
        V{0, 0, 0, -1, 1, -1, 1, -1});
  CHECK(compute<int8_t>("i8", "i8", binary("arith.divui", "i8"), a, b) ==
        V{127, 0, 1, 124, 0, 0, 0, 36});
  CHECK(compute<int8_t>("i8", "i8", binary("arith.shrui", "i8"), a, V{1, 1, 2, 1, 0, 1, 1, 1}) ==
        V{63, 64, 25, 124, 7, 124, 0, 127});
  CHECK(compute<int8_t>("i8", "i8", binary("arith.shrsi", "i8"), a, V{1, 1, 2, 1, 0, 1, 1, 1}) ==
        V{63, -64, 25, -4, 7, -4, 0, -1});
  CHECK(compute<int32_t>("i32", "i32", binary("tt.mulhiui", "i32"),
                         std::vector<int32_t>{-1, -1, 65536, 5, 0, 1, 2, 3},
                         std::vector<int32_t>{-1, 2, 65536, 5, 9, 9, 9, 9}) ==
        std::vector<int32_t>{-2, 1, 1, 0, 0, 0, 0, 0});
}

TEST_CASE("Half-precision arithmetic rounds after every operation", "[compiler][interpreter]") {
  using namespace tilescope::compiler::interpreter;
  std::vector<uint16_t> a, b, sum, product;
  for (int i = 0; i < 8; ++i) {
    float x = roundTo<kF16>(1.0f + 0.37f * static_cast<float>(i)),
          y = roundTo<kF16>(2049.0f * static_cast<float>(i));
    a.push_back(encodeF16(x));
    b.push_back(encodeF16(y));
    sum.push_back(encodeF16(roundTo<kF16>(static_cast<float>(double(x) + double(y)))));
    product.push_back(encodeF16(roundTo<kF16>(static_cast<float>(double(x) * double(y)))));
  }
  CHECK(compute<uint16_t>("f16", "f16", binary("arith.addf", "f16"), a, b) == sum);
  CHECK(compute<uint16_t>("f16", "f16", binary("arith.mulf", "f16"), a, b) == product);
}

TEST_CASE("Maxima and minima treat NaN as their names say", "[compiler][interpreter]") {
  const float nan = NAN;
  std::vector<float> a{1, nan, 3, -0.0f, 5, nan, -1, 2}, b{2, 2, nan, 0.0f, 4, nan, -2, 2};
  auto check = [&](const std::string &op, std::vector<float> expected) {
    std::vector<float> result = compute<float>("f32", "f32", binary(op, "f32"), a, b);
    for (size_t i = 0; i < 8; ++i) {
      INFO(op << " " << i);
      if (std::isnan(expected[i]))
        CHECK(std::isnan(result[i]));
      else
        CHECK(std::bit_cast<uint32_t>(result[i]) == std::bit_cast<uint32_t>(expected[i]));
    }
  };
  check("arith.maximumf", {2, nan, nan, 0.0f, 5, nan, -1, 2});
  check("arith.minimumf", {1, nan, nan, -0.0f, 4, nan, -2, 2});
  check("arith.maxnumf", {2, 2, 3, 0.0f, 5, nan, -1, 2});
  check("arith.minnumf", {1, 2, 3, -0.0f, 4, nan, -2, 2});
  std::string clamp =
      "  %lo = arith.constant dense<0.0> : tensor<8xf32>\n  %hi = arith.constant dense<2.5> : "
      "tensor<8xf32>\n  %r = tt.clampf %a, %lo, %hi, propagateNan = ";
  CHECK(std::isnan(compute<float>("f32", "f32", clamp + "all : tensor<8xf32>", a)[1]));
  CHECK(compute<float>("f32", "f32", clamp + "none : tensor<8xf32>", a) ==
        std::vector<float>{1, 0, 2.5, 0, 2.5, 0, 0, 2});
}

TEST_CASE("All types of one width can be seen as each other", "[compiler][interpreter]") {
  const std::vector<uint8_t> codes{0x38, 0x7b, 0x01, 0xb8, 0x40, 0x11, 0x85, 0x08};
  auto bitcast = [&](const std::string &from, const std::string &to) {
    return compute<uint8_t>(
        from, to, "  %r = tt.bitcast %a : tensor<8x" + from + "> -> tensor<8x" + to + ">", codes);
  };
  for (const char *from : {"i8", "f8E5M2", "f8E4M3FN", "f8E5M2FNUZ", "f8E4M3FNUZ"})
    for (const char *to : {"i8", "f8E5M2", "f8E4M3FN", "f8E5M2FNUZ", "f8E4M3FNUZ"}) {
      INFO(from << " to " << to);
      CHECK(bitcast(from, to) == codes);
    }
}

TEST_CASE("Blocks may have as many dimensions as sorting needs", "[compiler][interpreter]") {
  std::vector<int32_t> in{0, 1, 2, 3, 4, 5, 6, 7};
  CHECK(compute<int32_t>("i32", "i32", R"(
  %w = tt.reshape %a : tensor<8xi32> -> tensor<2x1x2x1x1x1x1x1x1x2xi32>
  %t = tt.trans %w {order = array<i32: 9, 1, 2, 3, 4, 5, 6, 7, 8, 0>} : tensor<2x1x2x1x1x1x1x1x1x2xi32> -> tensor<2x1x2x1x1x1x1x1x1x2xi32>
  %r = tt.reshape %t : tensor<2x1x2x1x1x1x1x1x1x2xi32> -> tensor<8xi32>)",
                         in) == std::vector<int32_t>{0, 4, 2, 6, 1, 5, 3, 7});
}

TEST_CASE("Elements move as the shape operations say", "[compiler][interpreter]") {
  std::vector<int32_t> a{0, 1, 2, 3, 4, 5, 6, 7}, b{10, 11, 12, 13, 14, 15, 16, 17};
  using V = std::vector<int32_t>;
  CHECK(compute<int32_t>("i32", "i32", R"(
  %m = tt.reshape %a : tensor<8xi32> -> tensor<2x4xi32>
  %t = tt.trans %m {order = array<i32: 1, 0>} : tensor<2x4xi32> -> tensor<4x2xi32>
  %r = tt.reshape %t : tensor<4x2xi32> -> tensor<8xi32>)",
                         a) == V{0, 4, 1, 5, 2, 6, 3, 7});
  CHECK(compute<int32_t>("i32", "i32", R"(
  %j = tt.join %a, %b : tensor<8xi32> -> tensor<8x2xi32>
  %x, %y = tt.split %j : tensor<8x2xi32> -> tensor<8xi32>
  %r = arith.subi %y, %x : tensor<8xi32>)",
                         a, b) == V(8, 10));
  CHECK(compute<int32_t>("i32", "i32", R"(
  %seven = arith.constant dense<7> : tensor<8xi32>
  %back = arith.subi %seven, %i : tensor<8xi32>
  %r = tt.gather %a[%back] {axis = 0 : i32} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>)",
                         a) == V{7, 6, 5, 4, 3, 2, 1, 0});
  CHECK(compute<int32_t>("i32", "i32", R"(
  %three = arith.constant dense<3> : tensor<8xi32>
  %few = arith.andi %a, %three : tensor<8xi32>
  %r = tt.histogram %few : tensor<8xi32> -> tensor<8xi32>)",
                         a) == V{2, 2, 2, 2, 0, 0, 0, 0});
  CHECK(compute<int32_t>("i32", "i32", R"(
  %m = tt.reshape %a : tensor<8xi32> -> tensor<2x4xi32>
  %s = "tt.reduce"(%m) <{axis = 1 : i32}> ({
  ^bb0(%l: i32, %h: i32):
    %x = arith.maxsi %l, %h : i32
    tt.reduce.return %x : i32
  }) : (tensor<2x4xi32>) -> tensor<2xi32>
  %e = tt.expand_dims %s {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
  %w = tt.broadcast %e : tensor<2x1xi32> -> tensor<2x4xi32>
  %r = tt.reshape %w : tensor<2x4xi32> -> tensor<8xi32>)",
                         a) == V{3, 3, 3, 3, 7, 7, 7, 7});
}

TEST_CASE("Regions of any kind combine, scan and map", "[compiler][interpreter]") {
  using V = std::vector<int32_t>;
  V a{3, 1, 7, 7, 0, 7, 2, 5};
  // The index of the first largest element.
  CHECK(compute<int32_t>("i32", "i32", R"(
  %v:2 = "tt.reduce"(%a, %i) <{axis = 0 : i32}> ({
  ^bb0(%va: i32, %ia: i32, %vb: i32, %ib: i32):
    %g = arith.cmpi sgt, %va, %vb : i32
    %e = arith.cmpi eq, %va, %vb : i32
    %l = arith.cmpi slt, %ia, %ib : i32
    %t = arith.andi %e, %l : i1
    %first = arith.ori %g, %t : i1
    %x = arith.select %first, %va, %vb : i32
    %y = arith.select %first, %ia, %ib : i32
    tt.reduce.return %x, %y : i32, i32
  }) : (tensor<8xi32>, tensor<8xi32>) -> (i32, i32)
  %r = tt.splat %v#1 : i32 -> tensor<8xi32>)",
                         a) == V(8, 2));
  const std::string scan = R"(
  %r = "tt.scan"(%a) <{axis = 0 : i32, reverse = REVERSE}> ({
  ^bb0(%x: i32, %y: i32):
    %s = arith.addi %x, %y : i32
    tt.scan.return %s : i32
  }) : (tensor<8xi32>) -> tensor<8xi32>)";
  auto withReverse = [&](const char *reverse) {
    return std::string(scan).replace(scan.find("REVERSE"), 7, reverse);
  };
  CHECK(compute<int32_t>("i32", "i32", withReverse("false"), a) == V{3, 4, 11, 18, 18, 25, 27, 32});
  CHECK(compute<int32_t>("i32", "i32", withReverse("true"), a) == V{32, 29, 28, 21, 14, 14, 7, 5});
  // The last combination is not commutative, and takes a value from around the region.
  CHECK(compute<int32_t>("i32", "i32", R"(
  %c100 = arith.constant 100 : i32
  %last = "tt.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%x: i32, %y: i32):
    %z = arith.muli %x, %c100 : i32
    %w = arith.divsi %z, %c100 : i32
    %d = arith.subi %w, %x : i32
    %s = arith.addi %y, %d : i32
    tt.reduce.return %s : i32
  }) : (tensor<8xi32>) -> i32
  %r = tt.splat %last : i32 -> tensor<8xi32>)",
                         a) == V(8, 5));
  CHECK(compute<int32_t>("i32", "i32", R"(
  %r = "tt.map_elementwise"(%a, %b) <{pack = 1 : i32}> ({
  ^bb0(%x: i32, %y: i32):
    %g = arith.cmpi sgt, %x, %y : i32
    cf.cond_br %g, ^bb1, ^bb2
  ^bb1:
    %d = arith.subi %x, %y : i32
    tt.map_elementwise.return %d : i32
  ^bb2:
    %e = arith.subi %y, %x : i32
    tt.map_elementwise.return %e : i32
  }) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>)",
                         a, V{5, 1, 6, 8, 0, 9, 0, 0}) == V{2, 0, 1, 1, 0, 2, 2, 5});
  // Packs of two: each pair is exchanged.
  CHECK(compute<int32_t>("i32", "i32", R"(
  %r = "tt.map_elementwise"(%a) <{pack = 2 : i32}> ({
  ^bb0(%x: i32, %y: i32):
    tt.map_elementwise.return %y, %x : i32, i32
  }) : (tensor<8xi32>) -> tensor<8xi32>)",
                         a) == V{1, 3, 7, 7, 7, 0, 5, 2});
}

TEST_CASE("Values carried by a loop may change places", "[compiler][interpreter]") {
  using V = std::vector<int32_t>;
  V a{1, 2, 3, 4, 5, 6, 7, 8}, b{10, 20, 30, 40, 50, 60, 70, 80};
  const std::string loop = R"(
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = arith.constant COUNT : i32
  %v:3 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %a) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) : i32 {
    %w = arith.addi %z, %x : tensor<8xi32>
    scf.yield %y, %x, %w : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
  }
  %d = arith.subi %v#0, %v#1 : tensor<8xi32>
  %r = arith.addi %d, %v#2 : tensor<8xi32>)";
  auto run = [&](const char *count) {
    return compute<int32_t>("i32", "i32", std::string(loop).replace(loop.find("COUNT"), 5, count),
                            a, b);
  };
  // After 3 exchanges x is b; z = a + (a + b + a).
  V expected(8);
  for (size_t i = 0; i < 8; ++i)
    expected[i] = b[i] - a[i] + 3 * a[i] + b[i];
  CHECK(run("3") == expected);
  for (size_t i = 0; i < 8; ++i)
    expected[i] = a[i] - b[i] + a[i];
  CHECK(run("0") == expected);
}

TEST_CASE("Functions that are not inlined are executed, with their early returns",
          "[compiler][interpreter]") {
  constexpr std::string_view kCalls = R"(
tt.func public @k(%out: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %a = tt.call @clip(%i) : (i32) -> i32
    %b = tt.call @clip(%a) : (i32) -> i32
    %p = tt.addptr %out, %i : !tt.ptr<i32>, i32
    tt.store %p, %b : !tt.ptr<i32>
  }
  tt.return
}
tt.func private @clip(%x: i32) -> i32 attributes {noinline = true} {
  %c3 = arith.constant 3 : i32
  %big = arith.cmpi sgt, %x, %c3 : i32
  cf.cond_br %big, ^bb1, ^bb2
^bb1:
  tt.return %c3 : i32
^bb2:
  %c10 = arith.constant 10 : i32
  %y = arith.addi %x, %c10 : i32
  tt.return %y : i32
}
)";
  std::vector<int32_t> out(6);
  Interpretation result = runTtir(kCalls, {{1, 1, 1}, {memory("out", out), scalar("n", 6)}});
  CHECK(result.completed);
  CHECK(out == std::vector<int32_t>{3, 3, 3, 3, 13, 13});
}

TEST_CASE("Descriptors are bounded and padded", "[compiler][interpreter]") {
  constexpr std::string_view kDescriptor = R"(
tt.func public @k(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>, %m: i32, %n: i32) {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %s = arith.extsi %n : i32 to i64
  %c8 = arith.constant 8 : i32
  %s8 = arith.constant 8 : i64
  %d = tt.make_tensor_descriptor %in, [%m, %n], [%s, %one] : <f32>, <tensor<4x8xf32>>
  %e = tt.make_tensor_descriptor %out, [%c4, %c8], [%s8, %one] : <f32>, <tensor<4x8xf32>>
  %v = tt.descriptor_load %d[%c0, %c4] : !tt.tensordesc<tensor<4x8xf32>> -> tensor<4x8xf32>
  tt.descriptor_store %e[%c0, %c0], %v : !tt.tensordesc<tensor<4x8xf32>>, tensor<4x8xf32>
  tt.return
}
)";
  std::vector<float> in(3 * 10), out(32, -1);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<float>(i + 1);
  Interpretation result =
      runTtir(kDescriptor,
              {{1, 1, 1}, {memory("in", in), memory("out", out), scalar("m", 3), scalar("n", 10)}});
  CHECK(result.completed);
  CHECK(result.findings.empty());
  for (size_t row = 0; row < 4; ++row)
    for (size_t column = 0; column < 8; ++column)
      CHECK(out[row * 8 + column] == (row < 3 && column < 6 ? in[row * 10 + column + 4] : 0.0f));
}

TEST_CASE("Scattered addresses are checked one by one", "[compiler][interpreter]") {
  constexpr std::string_view kScatter = R"(
tt.func public @k(%index: !tt.ptr<i32>, %out: !tt.ptr<f32>) {
  %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %s = tt.splat %index : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
  %p = tt.addptr %s, %i : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
  %x = tt.load %p : tensor<4x!tt.ptr<i32>>
  %o = tt.splat %out : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  %q = tt.addptr %o, %x : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  tt.store %q, %one : tensor<4x!tt.ptr<f32>>
  tt.return
}
)";
  std::vector<int32_t> index{2, -1, 7, 0};
  std::vector<float> out(4, 0);
  Interpretation result =
      runTtir(kScatter, {{1, 1, 1}, {memory("index", index), memory("out", out)}});
  CHECK(out == std::vector<float>{1, 0, 1, 0});
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].kind == InterpreterFindingKind::OutOfBoundsStore);
  CHECK(result.findings[0].offset == -1);
  CHECK(result.findings[0].lastOffset == 7);
  CHECK(result.findings[0].message ==
        "program 0 writes `out[-1…7]` (2 accesses), outside of its 4 elements");
}

TEST_CASE("An address that is terabytes away belongs to the tensor it was computed from",
          "[compiler][interpreter]") {
  std::vector<float> out(4, 0);
  Interpretation result = runTtir(R"(
tt.func public @k(%out: !tt.ptr<f32>, %n: i64) {
  %far = arith.constant 4096000000000 : i64
  %one = arith.constant 1.0 : f32
  %p = tt.addptr %out, %far : !tt.ptr<f32>, i64
  tt.store %p, %one : !tt.ptr<f32>
  tt.return
}
)",
                                  {{1, 1, 1}, {memory("out", out), scalar("n", int64_t{3})}});
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].message ==
        "program 0 writes `out[4096000000000]`, past its last element 3");
}

TEST_CASE("What cannot be executed is refused before anything runs", "[compiler][interpreter]") {
  std::vector<float> out(1, 5);
  Interpretation result = runTtir(R"(
tt.func public @k(%out: !tt.ptr<f32>) {
  %zero = arith.constant 0.0 : f32
  tt.store %out, %zero : !tt.ptr<f32>
  %y = tt.elementwise_inline_asm "frobnicate.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %zero : f32 -> f32
  tt.store %out, %y : !tt.ptr<f32>
  tt.return
}
)",
                                  {{1, 1, 1}, {memory("out", out)}});
  CHECK_FALSE(result.completed);
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].message ==
        "the assembly cannot be executed on the CPU: `frobnicate.f32` is not known");
  CHECK(out[0] == 5);
}

TEST_CASE("Values that share memory do not disturb each other", "[compiler][interpreter]") {
  using V = std::vector<int32_t>;
  V a{1, 2, 3, 4, 5, 6, 7, 8}, b{3, 1, 4, 1, 5, 9, 2, 6};
  // Products of loaded values are Dense; %keep is needed in every iteration, the others come and
  // go.
  V result = compute<int32_t>("i32", "i32", R"(
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = arith.constant 3 : i32
  %keep = arith.muli %a, %b : tensor<8xi32>
  %other = arith.xori %a, %b : tensor<8xi32>
  %start = arith.subi %other, %a : tensor<8xi32>
  %v = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %start) -> (tensor<8xi32>) : i32 {
    %x = arith.muli %acc, %b : tensor<8xi32>
    %y = arith.addi %x, %keep : tensor<8xi32>
    %inner = scf.for %j = %c0 to %k step %c1 iter_args(%t = %y) -> (tensor<8xi32>) : i32 {
      %z = arith.xori %t, %keep : tensor<8xi32>
      %w = arith.muli %z, %a : tensor<8xi32>
      scf.yield %w : tensor<8xi32>
    }
    %u = arith.subi %inner, %x : tensor<8xi32>
    scf.yield %u : tensor<8xi32>
  }
  %r = arith.addi %v, %keep : tensor<8xi32>)",
                              a, b);
  for (size_t i = 0; i < 8; ++i) {
    auto x = static_cast<uint32_t>(a[i]), y = static_cast<uint32_t>(b[i]);
    uint32_t keep = x * y, acc = (x ^ y) - x;
    for (int k = 0; k < 3; ++k) {
      uint32_t product = acc * y, t = product + keep;
      for (int j = 0; j < k; ++j)
        t = (t ^ keep) * x;
      acc = t - product;
    }
    CHECK(static_cast<uint32_t>(result[i]) == acc + keep);
  }
}
