// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions of scalars that branch, and sums of 16 bits that programs make at once.
#include "tests/unit/compiler/native/BothRuns.h"

#include <catch2/catch.hpp>

using namespace tilescope::tests;

static void checkAgrees(const std::string &kernel, const std::vector<TestArgument> &arguments,
                        const std::vector<std::string> &types,
                        std::array<int32_t, 3> grid = {1, 1, 1}) {
  tilescope::tests::checkAgrees(kernel, grid, arguments, types);
}

/// Pointers to rows of 32 i32.
static const std::string kRows = R"(
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %c = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %w = arith.constant dense<32> : tensor<16x1xi32>
  %b = arith.muli %r1, %w : tensor<16x1xi32>
  %b2 = tt.broadcast %b : tensor<16x1xi32> -> tensor<16x32xi32>
  %c2 = tt.broadcast %c1 : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %b2, %c2 : tensor<16x32xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<16x32x!tt.ptr<i32>>
  %xp = tt.addptr %xs, %o : tensor<16x32x!tt.ptr<i32>>, tensor<16x32xi32>
  %v = tt.load %xp : tensor<16x32x!tt.ptr<i32>>
)";

TEST_CASE("a function of elements that branches agrees", "[compiler][native]") {
  checkAgrees("tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %z: !tt.ptr<i32>) {" + kRows +
                  R"(
  %m:2 = "tt.map_elementwise"(%v, %o) <{pack = 1 : i32}> ({
  ^bb0(%e: i32, %at: i32):
    %zero = arith.constant 0 : i32
    %isNegative = arith.cmpi slt, %e, %zero : i32
    %f:2 = scf.if %isNegative -> (i32, i32) {
      %negated = arith.subi %zero, %e : i32
      scf.yield %negated, %at : i32, i32
    } else {
      %rest = arith.muli %at, %e : i32
      scf.yield %rest, %e : i32, i32
    }
    tt.map_elementwise.return %f#0, %f#1 : i32, i32
  }) : (tensor<16x32xi32>, tensor<16x32xi32>) -> (tensor<16x32xi32>, tensor<16x32xi32>)
  %ys = tt.splat %y : !tt.ptr<i32> -> tensor<16x32x!tt.ptr<i32>>
  %yp = tt.addptr %ys, %o : tensor<16x32x!tt.ptr<i32>>, tensor<16x32xi32>
  tt.store %yp, %m#0 : tensor<16x32x!tt.ptr<i32>>
  %zs = tt.splat %z : !tt.ptr<i32> -> tensor<16x32x!tt.ptr<i32>>
  %zp = tt.addptr %zs, %o : tensor<16x32x!tt.ptr<i32>>, tensor<16x32xi32>
  tt.store %zp, %m#1 : tensor<16x32x!tt.ptr<i32>>
  tt.return
}
)",
              {sampleOf("i32", 512, 1), poisoned(2048), poisoned(2048)}, {"i32", "i32", "i32"});
}

TEST_CASE("a block that regions keep in memory is known behind them", "[compiler][native]") {
  checkAgrees("tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>) {" + kRows + R"(
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %s = scf.for %i = %zero to %three step %one iter_args(%sum = %o) -> (tensor<16x32xi32>) : i32 {
    %isOdd = arith.trunci %i : i32 to i1
    %t = scf.if %isOdd -> (tensor<512xi32>) {
      %f = tt.reshape %v : tensor<16x32xi32> -> tensor<512xi32>
      scf.yield %f : tensor<512xi32>
    } else {
      %f = tt.reshape %v : tensor<16x32xi32> -> tensor<512xi32>
      %g = arith.muli %f, %f : tensor<512xi32>
      scf.yield %g : tensor<512xi32>
    }
    %block = tt.reshape %t : tensor<512xi32> -> tensor<16x32xi32>
    %next = arith.addi %sum, %block : tensor<16x32xi32>
    scf.yield %next : tensor<16x32xi32>
  }
  %all = arith.addi %s, %v : tensor<16x32xi32>
  %ys = tt.splat %y : !tt.ptr<i32> -> tensor<16x32x!tt.ptr<i32>>
  %yp = tt.addptr %ys, %o : tensor<16x32x!tt.ptr<i32>>, tensor<16x32xi32>
  tt.store %yp, %all : tensor<16x32x!tt.ptr<i32>>
  tt.return
}
)",
              {sampleOf("i32", 512, 1), poisoned(2048)}, {"i32", "i32"});
}

TEST_CASE("a function gets packs of neighbors in memory, also across rows", "[compiler][native]") {
  checkAgrees(R"(
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>) {
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %o = tt.reshape %r : tensor<128xi32> -> tensor<64x2xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x2x!tt.ptr<i32>>
  %xp = tt.addptr %xs, %o : tensor<64x2x!tt.ptr<i32>>, tensor<64x2xi32>
  %v = tt.load %xp : tensor<64x2x!tt.ptr<i32>>
  %m = "tt.map_elementwise"(%v) <{pack = 4 : i32}> ({
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    %isLess = arith.cmpi slt, %a, %b : i32
    %f:2 = scf.if %isLess -> (i32, i32) {
      scf.yield %c, %d : i32, i32
    } else {
      scf.yield %d, %c : i32, i32
    }
    tt.map_elementwise.return %f#0, %a, %f#1, %b : i32, i32, i32, i32
  }) : (tensor<64x2xi32>) -> tensor<64x2xi32>
  %ys = tt.splat %y : !tt.ptr<i32> -> tensor<64x2x!tt.ptr<i32>>
  %yp = tt.addptr %ys, %o : tensor<64x2x!tt.ptr<i32>>, tensor<64x2xi32>
  tt.store %yp, %m : tensor<64x2x!tt.ptr<i32>>
  tt.return
}
)",
              {sampleOf("i32", 128, 1), poisoned(512)}, {"i32", "i32"});
}

TEST_CASE("what combines elements may branch", "[compiler][native]") {
  const std::string axis = GENERATE("0", "1");
  const std::string kind = GENERATE("reduce", "scan");
  const std::string type = kind == "scan" ? "16x32" : axis == "0" ? "32" : "16";
  const std::string reverse = kind == "scan" ? ", reverse = false" : "";
  const std::string offsets = kind == "scan" ? "%o" : axis == "0" ? "%c" : "%r";
  checkAgrees("tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>) {" + kRows + "  %m = \"tt." +
                  kind + "\"(%v) <{axis = " + axis + " : i32" + reverse + R"(}> ({
  ^bb0(%l: i32, %q: i32):
    %isLess = arith.cmpi slt, %l, %q : i32
    %f = scf.if %isLess -> (i32) {
      scf.yield %q : i32
    } else {
      scf.yield %l : i32
    }
    tt.)" + kind + ".return %f : i32\n  }) : (tensor<16x32xi32>) -> tensor<" +
                  type + "xi32>\n  %ys = tt.splat %y : !tt.ptr<i32> -> tensor<" + type +
                  "x!tt.ptr<i32>>\n  %yp = tt.addptr %ys, " + offsets + " : tensor<" + type +
                  "x!tt.ptr<i32>>, tensor<" + type + "xi32>\n  tt.store %yp, %m : tensor<" + type +
                  "x!tt.ptr<i32>>\n  tt.return\n}\n",
              {sampleOf("i32", 512, 1), poisoned(2048)}, {"i32", "i32"});
}

TEST_CASE("floats of 16 bits are added and exchanged", "[compiler][native]") {
  const std::string type = GENERATE("bf16", "f16");
  const std::string operation = GENERATE("fadd", "exch");
  std::string kernel = R"(
tt.func public @k(%x: !tt.ptr<T>, %y: !tt.ptr<T>, %z: !tt.ptr<T>) {
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %n = arith.constant dense<100> : tensor<128xi32>
  %mask = arith.cmpi slt, %r, %n : tensor<128xi32>
  %xs = tt.splat %x : !tt.ptr<T> -> tensor<128x!tt.ptr<T>>
  %xp = tt.addptr %xs, %r : tensor<128x!tt.ptr<T>>, tensor<128xi32>
  %v = tt.load %xp : tensor<128x!tt.ptr<T>>
  %ys = tt.splat %y : !tt.ptr<T> -> tensor<128x!tt.ptr<T>>
  %yp = tt.addptr %ys, %r : tensor<128x!tt.ptr<T>>, tensor<128xi32>
  %old = tt.atomic_rmw OP, acq_rel, gpu, %yp, %v, %mask : (tensor<128x!tt.ptr<T>>, tensor<128xT>, tensor<128xi1>) -> tensor<128xT>
  %zs = tt.splat %z : !tt.ptr<T> -> tensor<128x!tt.ptr<T>>
  %zp = tt.addptr %zs, %r : tensor<128x!tt.ptr<T>>, tensor<128xi32>
  tt.store %zp, %old : tensor<128x!tt.ptr<T>>
  tt.return
}
)";
  const auto replace = [&](const std::string &what, const std::string &with) {
    for (size_t at = 0; (at = kernel.find(what, at)) != std::string::npos; at += with.size())
      kernel.replace(at, what.size(), with);
  };
  replace("<T>", "<" + type + ">");
  replace("xT>", "x" + type + ">");
  replace("OP", operation);
  checkAgrees(kernel, {sampleOf(type, 128, 1), sampleOf(type, 128, 2), poisoned(256)},
              {type, type, type});
}

TEST_CASE("no sum of 16 bits is lost between programs", "[compiler][native]") {
  // Small numbers: every order has the same sum.
  checkAgrees(R"(
tt.func public @k(%y: !tt.ptr<bf16>) {
  %one = arith.constant 1.0 : bf16
  %true = arith.constant true
  %old = tt.atomic_rmw fadd, relaxed, gpu, %y, %one, %true : (!tt.ptr<bf16>, bf16, i1) -> bf16
  tt.return
}
)",
              {memoryOf(std::vector<uint16_t>{0, 0})}, {"bf16"}, {200, 1, 1});
}
