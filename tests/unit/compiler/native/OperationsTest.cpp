// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Scans of functions, products, atomic operations, and blocks that are put together otherwise.
#include "tests/unit/compiler/native/BothRuns.h"

#include <catch2/catch.hpp>

using namespace tilescope::tests;

/// `%name = block[rows, columns]` of integers, row after row from `pointer`; all names begin with it.
static std::string block(const std::string &name, const std::string &pointer,
                         const std::string &type, int rows, int columns) {
  const std::string r = std::to_string(rows), c = std::to_string(columns);
  const auto n = [&](const std::string &part) { return "%" + name + part; };
  const std::string shape = r + "x" + c + "x";
  return "  " + n("r") + " = tt.make_range {end = " + r + " : i32, start = 0 : i32} : tensor<" + r +
         "xi32>\n  " + n("c") + " = tt.make_range {end = " + c +
         " : i32, start = 0 : i32} : tensor<" + c + "xi32>\n  " + n("r1") + " = tt.expand_dims " +
         n("r") + " {axis = 1 : i32} : tensor<" + r + "xi32> -> tensor<" + r + "x1xi32>\n  " +
         n("c1") + " = tt.expand_dims " + n("c") + " {axis = 0 : i32} : tensor<" + c +
         "xi32> -> tensor<1x" + c + "xi32>\n  " + n("w") + " = arith.constant dense<" + c +
         "> : tensor<" + r + "x1xi32>\n  " + n("b") + " = arith.muli " + n("r1") + ", " + n("w") +
         " : tensor<" + r + "x1xi32>\n  " + n("b2") + " = tt.broadcast " + n("b") + " : tensor<" +
         r + "x1xi32> -> tensor<" + shape + "i32>\n  " + n("c2") + " = tt.broadcast " + n("c1") +
         " : tensor<1x" + c + "xi32> -> tensor<" + shape + "i32>\n  " + n("o") + " = arith.addi " +
         n("b2") + ", " + n("c2") + " : tensor<" + shape + "i32>\n  " + n("s") + " = tt.splat " +
         pointer + " : !tt.ptr<" + type + "> -> tensor<" + shape + "!tt.ptr<" + type + ">>\n  " +
         n("p") + " = tt.addptr " + n("s") + ", " + n("o") + " : tensor<" + shape + "!tt.ptr<" +
         type + ">>, tensor<" + shape + "i32>\n";
}

static std::string load(const std::string &name, const std::string &type, int rows, int columns) {
  return "  %" + name + " = tt.load %" + name + "p : tensor<" + std::to_string(rows) + "x" +
         std::to_string(columns) + "x!tt.ptr<" + type + ">>\n";
}

static std::string store(const std::string &name, const std::string &value, const std::string &type,
                         int rows, int columns) {
  return "  tt.store %" + name + "p, " + value + " : tensor<" + std::to_string(rows) + "x" +
         std::to_string(columns) + "x!tt.ptr<" + type + ">>\n";
}

static void checkAgrees(const std::string &parameters, const std::string &body,
                        const std::vector<TestArgument> &arguments,
                        const std::vector<std::string> &types,
                        std::array<int32_t, 3> grid = {1, 1, 1}) {
  tilescope::tests::checkAgrees("tt.func public @k(" + parameters + ") {\n" + body +
                                    "  tt.return\n}\n",
                                grid, arguments, types);
}

TEST_CASE("a scan whose order matters keeps it", "[compiler][native]") {
  // (a, b) then (c, d) is (a c, b c + d): what a chain of linear functions does.
  const std::string reverse = GENERATE("false", "true");
  checkAgrees("%x: !tt.ptr<i32>, %z: !tt.ptr<i32>, %y: !tt.ptr<i32>",
              block("a", "%x", "i32", 2, 128) + load("a", "i32", 2, 128) +
                  block("b", "%z", "i32", 2, 128) + load("b", "i32", 2, 128) +
                  "  %v:2 = \"tt.scan\"(%a, %b) <{axis = 1 : i32, reverse = " + reverse +
                  "}> ({\n  ^bb0(%la: i32, %lb: i32, %ra: i32, %rb: i32):\n"
                  "    %s = arith.muli %la, %ra : i32\n    %t = arith.muli %lb, %ra : i32\n"
                  "    %u = arith.addi %t, %rb : i32\n    tt.scan.return %s, %u : i32, i32\n"
                  "  }) : (tensor<2x128xi32>, tensor<2x128xi32>) -> (tensor<2x128xi32>, "
                  "tensor<2x128xi32>)\n" +
                  block("c", "%y", "i32", 2, 128) + store("c", "%v#1", "i32", 2, 128),
              {sampleOf("i32", 256, 1), sampleOf("i32", 256, 2), poisoned(256 * 4)},
              {"i32", "i32", "i32"});
}

TEST_CASE("products of integers agree", "[compiler][native]") {
  checkAgrees("%x: !tt.ptr<i8>, %y: !tt.ptr<i8>, %z: !tt.ptr<i32>",
              block("a", "%x", "i8", 16, 32) + load("a", "i8", 16, 32) +
                  block("b", "%y", "i8", 32, 64) + load("b", "i8", 32, 64) +
                  block("c", "%z", "i32", 16, 64) + load("c", "i32", 16, 64) +
                  "  %d = tt.dot %a, %b, %c : tensor<16x32xi8> * tensor<32x64xi8> -> "
                  "tensor<16x64xi32>\n" +
                  store("c", "%d", "i32", 16, 64),
              {sampleOf("i8", 16 * 32, 1), sampleOf("i8", 32 * 64, 2), sampleOf("i32", 16 * 64, 3)},
              {"i8", "i8", "i32"});
}

TEST_CASE("products of floats that are whole numbers agree", "[compiler][native]") {
  std::vector<_Float16> a, b;
  for (int i = 0; i < 32 * 64; ++i) {
    a.push_back(static_cast<_Float16>(i * 7919 % 17 - 8));
    b.push_back(static_cast<_Float16>(i * 104729 % 13 - 6));
  }
  a.resize(16 * 32);
  // In a loop that carries the sum.
  checkAgrees("%x: !tt.ptr<f16>, %y: !tt.ptr<f16>, %z: !tt.ptr<f32>, %n: i32",
              block("a", "%x", "f16", 16, 32) + load("a", "f16", 16, 32) +
                  block("b", "%y", "f16", 32, 64) + load("b", "f16", 32, 64) +
                  block("c", "%z", "f32", 16, 64) +
                  "  %zero = arith.constant dense<0.0> : tensor<16x64xf32>\n"
                  "  %i0 = arith.constant 0 : i32\n  %i1 = arith.constant 1 : i32\n"
                  "  %d = scf.for %i = %i0 to %n step %i1 iter_args(%s = %zero) -> "
                  "(tensor<16x64xf32>) : i32 {\n    %t = tt.dot %a, %b, %s : tensor<16x32xf16> * "
                  "tensor<32x64xf16> -> tensor<16x64xf32>\n    scf.yield %t : tensor<16x64xf32>\n"
                  "  }\n" +
                  store("c", "%d", "f32", 16, 64),
              {memoryOf(a), memoryOf(b), poisoned(16 * 64 * 4), number(3)}, {"f16", "f16", "f32"});
}

TEST_CASE("atomic operations of many programs agree", "[compiler][native]") {
  const std::string kind = GENERATE("add", "max", "umin", "xor");
  checkAgrees("%x: !tt.ptr<i32>, %y: !tt.ptr<i32>",
              "  %pid = tt.get_program_id x : i32\n  %n = arith.constant 256 : i32\n"
              "  %first = arith.muli %pid, %n : i32\n"
              "  %mine = tt.addptr %x, %first : !tt.ptr<i32>, i32\n" +
                  block("a", "%mine", "i32", 4, 64) + load("a", "i32", 4, 64) +
                  block("b", "%y", "i32", 4, 64) +
                  "  %three = arith.constant dense<3> : tensor<4x64xi32>\n"
                  "  %bits = arith.andi %a, %three : tensor<4x64xi32>\n"
                  "  %m = arith.cmpi ne, %bits, %three : tensor<4x64xi32>\n"
                  "  %old = tt.atomic_rmw " +
                  kind +
                  ", relaxed, gpu, %bp, %a, %m : (tensor<4x64x!tt.ptr<i32>>, tensor<4x64xi32>, "
                  "tensor<4x64xi1>) -> tensor<4x64xi32>\n",
              {sampleOf("i32", 50 * 256, 1), sampleOf("i32", 256, 2)}, {"i32", "i32"}, {50, 1, 1});
}

TEST_CASE("atomic extremes of floats agree", "[compiler][native]") {
  const std::string kind = GENERATE("max", "min");
  const std::string type = GENERATE("f16", "bf16", "f32", "f64");
  const std::string blockOf = "tensor<4x64x" + type + ">";
  const std::string narrowed = type == "f32" ? "  %v = arith.mulf %s, %unit : tensor<4x64xf32>\n"
                               : type == "f64"
                                   ? "  %v = arith.extf %s : tensor<4x64xf32> to " + blockOf + "\n"
                                   : "  %t = arith.mulf %s, %small : tensor<4x64xf32>\n"
                                     "  %v = arith.truncf %t : tensor<4x64xf32> to " +
                                         blockOf + "\n";
  checkAgrees("%x: !tt.ptr<i32>, %y: !tt.ptr<" + type + ">",
              "  %pid = tt.get_program_id x : i32\n  %n = arith.constant 256 : i32\n"
              "  %first = arith.muli %pid, %n : i32\n"
              "  %mine = tt.addptr %x, %first : !tt.ptr<i32>, i32\n" +
                  block("a", "%mine", "i32", 4, 64) + load("a", "i32", 4, 64) +
                  block("b", "%y", type, 4, 64) +
                  "  %s = arith.sitofp %a : tensor<4x64xi32> to tensor<4x64xf32>\n"
                  "  %unit = arith.constant dense<1.0> : tensor<4x64xf32>\n"
                  "  %small = arith.constant dense<1.0e-6> : tensor<4x64xf32>\n" +
                  narrowed + "  %old = tt.atomic_rmw " + kind +
                  ", acq_rel, gpu, %bp, %v : (tensor<4x64x!tt.ptr<" + type + ">>, " + blockOf +
                  ") -> " + blockOf + "\n",
              {sampleOf("i32", 50 * 256, 1), poisoned(256 * bytesOf(type))}, {"i32", type},
              {50, 1, 1});
}

TEST_CASE("what an atomic operation returns agrees", "[compiler][native]") {
  checkAgrees("%x: !tt.ptr<i32>, %y: !tt.ptr<i32>",
              block("a", "%x", "i32", 4, 64) +
                  "  %five = arith.constant dense<5> : tensor<4x64xi32>\n"
                  "  %two = arith.constant dense<2> : tensor<4x64xi32>\n"
                  "  %o1 = tt.atomic_rmw add, acq_rel, gpu, %ap, %five : "
                  "(tensor<4x64x!tt.ptr<i32>>, tensor<4x64xi32>) -> tensor<4x64xi32>\n"
                  "  %o2 = tt.atomic_cas acq_rel, gpu, %ap, %five, %two : "
                  "(tensor<4x64x!tt.ptr<i32>>, tensor<4x64xi32>, tensor<4x64xi32>) -> "
                  "tensor<4x64xi32>\n"
                  "  %v = arith.subi %o1, %o2 : tensor<4x64xi32>\n" +
                  block("b", "%y", "i32", 4, 64) + store("b", "%v", "i32", 4, 64),
              {memoryOf(std::vector<int32_t>(256, 0)), poisoned(256 * 4)}, {"i32", "i32"});
}

TEST_CASE("elements are picked and counted", "[compiler][native]") {
  const int axis = GENERATE(0, 1);
  checkAgrees(
      "%x: !tt.ptr<i32>, %i: !tt.ptr<i32>, %y: !tt.ptr<i32>",
      block("a", "%x", "i32", 16, 32) + load("a", "i32", 16, 32) + block("b", "%i", "i32", 16, 32) +
          load("b", "i32", 16, 32) +
          "  %fifteen = arith.constant dense<15> : tensor<16x32xi32>\n"
          "  %k = arith.andi %b, %fifteen : tensor<16x32xi32>\n"
          "  %g = tt.gather %a[%k] {axis = " +
          std::to_string(axis) +
          " : i32} : (tensor<16x32xi32>, tensor<16x32xi32>) -> tensor<16x32xi32>\n"
          "  %flat = tt.reshape %k : tensor<16x32xi32> -> tensor<512xi32>\n"
          "  %h = tt.histogram %flat : tensor<512xi32> -> tensor<32xi32>\n"
          "  %h1 = tt.expand_dims %h {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>\n"
          "  %h2 = tt.broadcast %h1 : tensor<1x32xi32> -> tensor<16x32xi32>\n"
          "  %v = arith.xori %g, %h2 : tensor<16x32xi32>\n" +
          block("c", "%y", "i32", 16, 32) + store("c", "%v", "i32", 16, 32),
      {sampleOf("i32", 512, 1), sampleOf("i32", 512, 2), poisoned(512 * 4)}, {"i32", "i32", "i32"});
}

TEST_CASE("blocks are joined, split and put after one another", "[compiler][native]") {
  checkAgrees("%x: !tt.ptr<i16>, %y: !tt.ptr<i16>",
              block("a", "%x", "i16", 8, 16) + load("a", "i16", 8, 16) +
                  "  %seven = arith.constant dense<7> : tensor<8x16xi16>\n"
                  "  %b = arith.xori %a, %seven : tensor<8x16xi16>\n"
                  "  %j = tt.join %a, %b : tensor<8x16xi16> -> tensor<8x16x2xi16>\n"
                  "  %f = tt.reshape %j : tensor<8x16x2xi16> -> tensor<8x4x4x2xi16>\n"
                  "  %l, %r = tt.split %f : tensor<8x4x4x2xi16> -> tensor<8x4x4xi16>\n"
                  "  %l2 = tt.reshape %l : tensor<8x4x4xi16> -> tensor<8x16xi16>\n"
                  "  %r2 = tt.reshape %r : tensor<8x4x4xi16> -> tensor<8x16xi16>\n"
                  "  %d = arith.subi %r2, %l2 : tensor<8x16xi16>\n"
                  "  %d1 = tt.reshape %d : tensor<8x16xi16> -> tensor<128xi16>\n"
                  "  %l1 = tt.reshape %l : tensor<8x4x4xi16> -> tensor<128xi16>\n"
                  "  %c1 = tt.cat %d1, %l1 : tensor<128xi16> -> tensor<256xi16>\n"
                  "  %c = tt.reshape %c1 : tensor<256xi16> -> tensor<16x16xi16>\n" +
                  block("e", "%y", "i16", 16, 16) + store("e", "%c", "i16", 16, 16),
              {sampleOf("i16", 128, 1), poisoned(256 * 2)}, {"i16", "i16"});
}

TEST_CASE("pointers and integers that a loop moves on agree", "[compiler][native]") {
  checkAgrees("%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32, %step: i32",
              block("a", "%x", "i32", 2, 32) +
                  "  %zero = arith.constant dense<0> : tensor<2x32xi32>\n"
                  "  %i0 = arith.constant 0 : i32\n  %i1 = arith.constant 1 : i32\n"
                  "  %q:3 = scf.for %i = %i0 to %n step %i1 iter_args(%p = %ap, %o = %ao, %s = "
                  "%zero) -> (tensor<2x32x!tt.ptr<i32>>, tensor<2x32xi32>, tensor<2x32xi32>) : i32 "
                  "{\n    %v = tt.load %p : tensor<2x32x!tt.ptr<i32>>\n"
                  "    %t = arith.muli %v, %o : tensor<2x32xi32>\n"
                  "    %u = arith.addi %s, %t : tensor<2x32xi32>\n"
                  "    %m = tt.splat %step : i32 -> tensor<2x32xi32>\n"
                  "    %p2 = tt.addptr %p, %m : tensor<2x32x!tt.ptr<i32>>, tensor<2x32xi32>\n"
                  "    %is = tt.splat %i : i32 -> tensor<2x32xi32>\n"
                  "    %o2 = arith.addi %is, %o : tensor<2x32xi32>\n"
                  "    scf.yield %p2, %o2, %u : tensor<2x32x!tt.ptr<i32>>, tensor<2x32xi32>, "
                  "tensor<2x32xi32>\n  }\n"
                  "  %w = arith.xori %q#2, %q#1 : tensor<2x32xi32>\n"
                  "  %last = tt.load %q#0 : tensor<2x32x!tt.ptr<i32>>\n"
                  "  %w2 = arith.addi %w, %last : tensor<2x32xi32>\n" +
                  block("b", "%y", "i32", 2, 32) + store("b", "%w2", "i32", 2, 32),
              {sampleOf("i32", 64 + 5 * 9, 1), poisoned(64 * 4), number(5), number(9)},
              {"i32", "i32"});
}
