// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/frontend/FrontendTestSupport.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

/// The operations that an expression over fp32 `x`, int32 `i` and int32 `n` becomes.
static void checkExpression(const std::string &expression, const std::vector<std::string> &pieces) {
  Emitted emitted = emitBody("r = " + expression + "\ntl.store(y_ptr + i, r, mask=m)");
  INFO(expression << "\n" << emitted.messages() << emitted.text);
  REQUIRE_FALSE(emitted.text.empty());
  CHECK(inOrder(emitted.text, pieces));
}

TEST_CASE("operators become operations of the promoted type", "[compiler]") {
  checkExpression("x + 1", {"arith.addf", "tensor<16xf32>"});
  checkExpression("x - i", {"arith.sitofp", "arith.subf"});
  checkExpression("-x", {"dense<-0.000000e+00>", "arith.subf"});
  checkExpression("i / n", {"arith.sitofp", "arith.sitofp", "arith.divf"});
  checkExpression("i // 3", {"arith.divsi"});
  checkExpression("i.to(tl.uint32) // 3", {"arith.divui"});
  checkExpression("x % 2.0", {"arith.remf"});
  checkExpression("i >> 2", {"arith.shrsi"});
  checkExpression("i.to(tl.uint32) >> 2", {"arith.shrui"});
  checkExpression("~i", {"dense<-1>", "arith.xori"});
  checkExpression("x != 0", {"arith.cmpf une"});
  checkExpression("i.to(tl.uint32) < 5", {"arith.cmpi ult"});
  checkExpression("(x > 0) & m", {"arith.cmpf ogt", "arith.andi"});
}

TEST_CASE("literals take part in comparisons and in where by their own rules", "[compiler]") {
  checkExpression("x.to(tl.float16) > 0.5", {"arith.truncf", "arith.extf", "arith.cmpf ogt"});
  checkExpression("tl.where(m, x.to(tl.float16), 0.0)",
                  {"arith.select", "tensor<16xi1>, tensor<16xf16>"});
  checkExpression("tl.maximum(x.to(tl.float16), 0.0)", {"arith.maxnumf", "tensor<16xf32>"});
}

TEST_CASE("casts choose the operation by both types", "[compiler]") {
  checkExpression("x.to(tl.int8)", {"arith.fptosi", "tensor<16xi8>"});
  checkExpression("x.to(tl.uint8)", {"arith.fptoui"});
  checkExpression("i.to(tl.int64)", {"arith.extsi"});
  checkExpression("m.to(tl.int32)", {"arith.extui"});
  checkExpression("x.to(tl.bfloat16).to(tl.float16)",
                  {"arith.truncf", "bf16", "arith.extf", "f32", "arith.truncf", "f16"});
  checkExpression("x.to(tl.float8e5)", {"tt.fp_to_fp", "rounding = rtne"});
  checkExpression("x.to(tl.float16, fp_downcast_rounding='rtz')",
                  {"tt.fp_to_fp", "rounding = rtz"});
  checkExpression("x.to(tl.int32, bitcast=True)", {"tt.bitcast"});
  checkExpression("x.to(tl.float8e4b15).to(tl.float32)",
                  {"rounding = rtz", "arith.trunci", "arith.extui", "tt.bitcast", "arith.extf"});
}

TEST_CASE("control flow becomes structured", "[compiler]") {
  Emitted loop = emitBody("s = 0.0\n"
                          "for j in range(n):\n"
                          "    s += j\n"
                          "for j in range(n, 0, -2):\n"
                          "    s += j\n"
                          "while s > 10:\n"
                          "    s = s / 2\n"
                          "tl.store(y_ptr, s)");
  INFO(loop.messages() << loop.text);
  CHECK(inOrder(loop.text, {"scf.for", "iter_args", "scf.yield", "scf.for", "arith.subi",
                            "arith.addi", "scf.while", "scf.condition", "scf.yield"}));

  Emitted branch = emitBody("if n > 3:\n"
                            "    x = x * 2\n"
                            "    w = 1\n"
                            "else:\n"
                            "    w = 2\n"
                            "tl.store(y_ptr + i, x + w)");
  INFO(branch.messages() << branch.text);
  CHECK(inOrder(branch.text, {"scf.if", "-> (tensor<16xf32>, i32)", "arith.mulf", "scf.yield",
                              "} else {", "scf.yield"}));
}

TEST_CASE("an early return moves the rest into the other branch", "[compiler]") {
  Emitted emitted = emitBody("if n < 0:\n"
                             "    return\n"
                             "tl.store(y_ptr + i, x)");
  INFO(emitted.messages() << emitted.text);
  CHECK(inOrder(emitted.text, {"scf.if", "} else {", "tt.store", "}", "tt.return"}));

  Emitted nested = emitBody("if n > 0:\n"
                            "    if n > 10:\n"
                            "        return\n"
                            "    x = x + 1\n"
                            "tl.store(y_ptr + i, x)");
  INFO(nested.messages() << nested.text);
  // The inner branch tells by a flag whether it has returned.
  CHECK(inOrder(nested.text, {"-> (i1, tensor<16xf32>)", "scf.if", "tt.store", "tt.return"}));
}

TEST_CASE("constexprs are computed and choose branches while compiling", "[compiler]") {
  Emitted emitted = emitBody("if B // 3 == 5 and -7 // 2 == -4:\n"
                             "    y = x + 2 ** 3\n"
                             "else:\n"
                             "    y = undefined_name\n"
                             "for j in tl.static_range(3):\n"
                             "    y = y * (j + 1)\n"
                             "z = [k * 2 for k in range(4)]\n"
                             "tl.static_assert(f'{B:>4}' == '  16')\n"
                             "tl.store(y_ptr + i, y + z[3])");
  INFO(emitted.messages() << emitted.text);
  REQUIRE_FALSE(emitted.text.empty());
  CHECK(inOrder(emitted.text, {"dense<8.000000e+00>", "dense<1.000000e+00>", "dense<2.000000e+00>",
                               "dense<3.000000e+00>", "tt.store"}));
  CHECK(emitted.text.find("scf.") == std::string::npos);
}

TEST_CASE("functions are expanded in place, recursion ends by a constexpr", "[compiler]") {
  Emitted emitted = emit(R"(import triton
from triton import language as tl

@triton.jit
def fold(x, K: tl.constexpr):
    if K > 1:
        return fold(x + x, K // 2)
    else:
        return x, K

@triton.jit
def choose(a, b=2.0, *rest):
    if a > b:
        return a
    return b + len(rest)

@triton.jit(noinline=True)
def kept(a):
    return a * a

@triton.jit
def k(p):
    v, one = fold(tl.load(p), 8)
    tl.store(p, choose(v, b=3.0) + kept(v) + choose(v, 1.0, 1, 2))
)");
  INFO(emitted.messages() << emitted.text);
  CHECK(inOrder(emitted.text,
                {"arith.addf", "arith.addf", "arith.addf", "scf.if", "-> (f32)", "tt.call @kept",
                 "tt.return", "tt.func private @kept", "noinline = true", "arith.mulf"}));
}

TEST_CASE("the prelude provides reductions, scans, random numbers and sorting", "[compiler]") {
  checkExpression("tl.sum(x, 0)", {"\"tt.reduce\"", "arith.addf", "tt.reduce.return"});
  checkExpression("tl.sum(x.to(tl.int8), 0)", {"arith.extsi", "\"tt.reduce\"", "i32"});
  checkExpression("x.max()", {"\"tt.reduce\"", "arith.maxnumf"});
  checkExpression("tl.argmax(x, 0)",
                  {"tt.make_range", "\"tt.reduce\"", "arith.cmpf", "arith.select", "(f32, i32)"});
  checkExpression("tl.cumsum(x, 0, reverse=True)", {"\"tt.scan\"", "reverse = true"});
  checkExpression("tl.softmax(x)", {"arith.maxnumf", "math.exp", "arith.addf", "arith.divf"});
  checkExpression("tl.rand(n, i)", {"tt.mulhiui", "arith.muli", "arith.mulf"});
  checkExpression("tl.randn(n, i)", {"math.log", "math.sqrt", "math.cos"});
  checkExpression("tl.sort(x)", {"tt.reshape", "2x2x2x2", "arith.select"});
  checkExpression("tl.flip(x)", {"tt.reshape", "\"tt.reduce\"", "arith.xori", "tt.reshape"});
  checkExpression("tl.zeros_like(x)", {"dense<0.000000e+00> : tensor<16xf32>"});
}

TEST_CASE("block pointers become pointers and masks", "[compiler]") {
  Emitted emitted =
      emitBody("p = tl.make_block_ptr(x_ptr, (n, n), (n, 1), (0, 0), (B, B), (1, 0))\n"
               "p = tl.advance(p, (0, B))\n"
               "t = tl.load(p, boundary_check=(1,), padding_option='zero')\n"
               "tl.store(y_ptr + i, tl.sum(t, 0))");
  INFO(emitted.messages() << emitted.text);
  CHECK(inOrder(emitted.text, {"arith.extsi", "tt.addptr", "arith.cmpi sge", "arith.cmpi slt",
                               "tt.load", "tensor<16x16x!tt.ptr<f32>>"}));
}

TEST_CASE("float extrema in memory split by sign", "[compiler]") {
  Emitted emitted = emitBody("tl.atomic_max(y_ptr + i, x, mask=m)");
  INFO(emitted.messages() << emitted.text);
  CHECK(inOrder(emitted.text, {"tt.atomic_rmw max, acq_rel, gpu", "tt.atomic_rmw umin"}));
}

TEST_CASE("libdevice functions are chosen by type", "[compiler]") {
  std::string source = R"(import triton
import triton.language as tl
from triton.language.extra import libdevice

@triton.jit
def k(p):
    v = tl.load(p)
    tl.store(p, libdevice.tanh(v) + libdevice.pow(v, 2) + libdevice.isnan(v))
)";
  Emitted single = emit(source, {.signature = {{"p", "*fp32"}}});
  INFO(single.messages() << single.text);
  CHECK(inOrder(single.text, {"__nv_tanhf", "__nv_powif", "__nv_isnanf", "arith.cmpi ne"}));
  Emitted twice = emit(source, {.signature = {{"p", "*fp64"}}});
  CHECK(inOrder(twice.text, {"\"__nv_tanh\"", "\"__nv_powi\"", "__nv_isnand"}));
}

TEST_CASE("expressions are described for hovers", "[compiler]") {
  Emitted emitted = emitBody("t = x[:, None] + x[None, :]\ntl.store(y_ptr, tl.sum(t))");
  INFO(emitted.messages());
  auto described = [&](uint32_t line, uint32_t column) {
    for (const ValueFacts &facts : emitted.values)
      if (facts.range.begin == Position{line, column} && facts.isDefinition)
        return facts.type;
    return std::string();
  };
  CHECK(described(4, 4) == "int32[16]");
  CHECK(described(7, 4) == "fp32[16, 16]");
  bool hasPointer = false;
  for (const ValueFacts &facts : emitted.values)
    hasPointer |= facts.type == "pointer<fp32>";
  CHECK(hasPointer);
}
