// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Exact code has the interpreter's bits where other code sums in another order or has functions of its own.
#include "tests/unit/compiler/native/BothRuns.h"

#include <catch2/catch.hpp>

using namespace tilescope::tests;

static void checkSameBits(const std::string &kernel, const std::vector<TestArgument> &arguments,
                          size_t result, const std::string &type) {
  INFO(kernel);
  for (const unsigned vectorBytes : {0U, 32U}) {
    const BothRuns runs =
        runBoth(kernel, {1, 1, 1}, arguments, {.vectorBytes = vectorBytes, .isExact = true});
    INFO(runs.cpuIr);
    REQUIRE(runs.errors == "");
    CHECK(firstDifference(runs.interpreted[result], runs.native[result], type) == -1);
  }
}

static std::string replaced(std::string text, const std::string &what, const std::string &with) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

/// Numbers of very different sizes: every order of their sum has other bits.
static TestArgument numbers(size_t count, unsigned seed) {
  std::vector<float> all(count);
  uint32_t state = seed;
  for (float &each : all) {
    state = state * 1664525 + 1013904223;
    each = (static_cast<float>(state >> 8) - 8e6F) * (state % 7 == 0 ? 1e-3F : 1e-6F);
  }
  return memoryOf(all);
}

/// `%v`, 16 rows of 64 fp32, and `out` with pointers of a shape.
static const std::string kRows = R"(
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %w = arith.constant dense<64> : tensor<16x1xi32>
  %b = arith.muli %r1, %w : tensor<16x1xi32>
  %b2 = tt.broadcast %b : tensor<16x1xi32> -> tensor<16x64xi32>
  %c2 = tt.broadcast %c1 : tensor<1x64xi32> -> tensor<16x64xi32>
  %o = arith.addi %b2, %c2 : tensor<16x64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %o : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
  %v = tt.load %xp : tensor<16x64x!tt.ptr<f32>>
)";

static std::string stored(const std::string &shape, const std::string &offsets) {
  return replaced(R"(
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<SHAPEx!tt.ptr<f32>>
  %yp = tt.addptr %ys, )" +
                      offsets +
                      R"( : tensor<SHAPEx!tt.ptr<f32>>, tensor<SHAPExi32>
  tt.store %yp, %m : tensor<SHAPEx!tt.ptr<f32>>
  tt.return
}
)",
                  "SHAPE", shape);
}

TEST_CASE("exact sums are in the interpreter's order", "[compiler][native]") {
  const std::string axis = GENERATE("0", "1");
  // One operation, and a function of two.
  const std::string body = GENERATE("%s = arith.addf %l, %q : f32",
                                    "%t = arith.addf %l, %q : f32\n    %h = arith.constant 1.5 : "
                                    "f32\n    %s = arith.mulf %t, %h : f32",
                                    "%s = arith.maxnumf %l, %q : f32");
  const std::string shape = axis == "0" ? "64" : "16";
  checkSameBits(kRows + "  %m = \"tt.reduce\"(%v) <{axis = " + axis +
                    " : i32}> ({\n  ^bb0(%l: f32, %q: f32):\n    " + body +
                    "\n    tt.reduce.return %s : f32\n  }) : (tensor<16x64xf32>) -> tensor<" +
                    shape + "xf32>" + stored(shape, axis == "0" ? "%c" : "%r"),
                {numbers(1024, 1), poisoned(4096)}, 1, "f32");
}

TEST_CASE("an exact sum of all elements is the interpreter's", "[compiler][native]") {
  checkSameBits(kRows + R"(
  %f = tt.reshape %v : tensor<16x64xf32> -> tensor<1024xf32>
  %s = "tt.reduce"(%f) <{axis = 0 : i32}> ({
  ^bb0(%l: f32, %q: f32):
    %t = arith.addf %l, %q : f32
    tt.reduce.return %t : f32
  }) : (tensor<1024xf32>) -> f32
  tt.store %y, %s : !tt.ptr<f32>
  tt.return
}
)",
                {numbers(1024, 1), poisoned(4)}, 1, "f32");
}

TEST_CASE("exact scans are in the interpreter's order", "[compiler][native]") {
  const std::string axis = GENERATE("0", "1");
  const std::string reverse = GENERATE("false", "true");
  checkSameBits(kRows + "  %m = \"tt.scan\"(%v) <{axis = " + axis + " : i32, reverse = " + reverse +
                    R"(}> ({
  ^bb0(%l: f32, %q: f32):
    %s = arith.addf %l, %q : f32
    tt.scan.return %s : f32
  }) : (tensor<16x64xf32>) -> tensor<16x64xf32>)" +
                    stored("16x64", "%o"),
                {numbers(1024, 1), poisoned(4096)}, 1, "f32");
}

TEST_CASE("exact products are summed as the interpreter sums them", "[compiler][native]") {
  checkSameBits(kRows + R"(
  %t = tt.trans %v {order = array<i32: 1, 0>} : tensor<16x64xf32> -> tensor<64x16xf32>
  %zero = arith.constant dense<0.25> : tensor<16x16xf32>
  %m = tt.dot %v, %t, %zero : tensor<16x64xf32> * tensor<64x16xf32> -> tensor<16x16xf32>
  %c16 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %d1 = tt.expand_dims %c16 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %w16 = arith.constant dense<16> : tensor<16x1xi32>
  %e = arith.muli %r1, %w16 : tensor<16x1xi32>
  %e2 = tt.broadcast %e : tensor<16x1xi32> -> tensor<16x16xi32>
  %d2 = tt.broadcast %d1 : tensor<1x16xi32> -> tensor<16x16xi32>
  %q = arith.addi %e2, %d2 : tensor<16x16xi32>)" +
                    stored("16x16", "%q"),
                {numbers(1024, 1), poisoned(1024)}, 1, "f32");
}

TEST_CASE("exact arithmetic keeps each rounding, and calls the interpreter's functions",
          "[compiler][native]") {
  const std::string function =
      GENERATE("math.exp", "math.log", "math.tanh", "math.erf", "math.sin", "math.rsqrt");
  checkSameBits(kRows +
                    "  %p = arith.mulf %v, %v : tensor<16x64xf32>\n"
                    "  %s = arith.addf %p, %v : tensor<16x64xf32>\n  %m = " +
                    function + " %s : tensor<16x64xf32>" + stored("16x64", "%o"),
                {numbers(1024, 1), poisoned(4096)}, 1, "f32");
}

TEST_CASE("exact sines and cosines of the same number are the interpreter's",
          "[compiler][native]") {
  // -3 / 32 of half a circle is among them, whose sine the C library rounds otherwise where it computes both.
  const std::string angles = R"(
  %turns = arith.sitofp %c2 : tensor<16x64xi32> to tensor<16x64xf32>
  %step = arith.constant dense<-9.81747732E-02> : tensor<16x64xf32>
  %angle = arith.mulf %turns, %step : tensor<16x64xf32>
  %cos = math.cos %angle : tensor<16x64xf32>
  %sin = math.sin %angle : tensor<16x64xf32>
  %left = arith.mulf %v, %cos : tensor<16x64xf32>
  %right = arith.mulf %v, %sin : tensor<16x64xf32>
  %m = arith.subf %left, %right : tensor<16x64xf32>
)";
  checkSameBits(kRows + angles + stored("16x64", "%o"), {numbers(1024, 7), poisoned(4096)}, 1,
                "f32");
}
