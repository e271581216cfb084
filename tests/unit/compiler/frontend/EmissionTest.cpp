// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/frontend/FrontendTestSupport.h"
#include "tests/unit/compiler/interpreter/RunTtir.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

using namespace tilescope;
using namespace tilescope::compiler;

/// The operations that an expression over fp32 `x`, int32 `i` and int32 `n` becomes.
static void checkExpression(const std::string &expression, const std::vector<std::string> &pieces) {
  Emitted emitted = emitBody("r = " + expression + "\ntl.store(y_ptr + i, r, mask=m)");
  INFO(expression << "\n" << emitted.messages() << emitted.text);
  REQUIRE_FALSE(emitted.text.empty());
  CHECK(inOrder(emitted.text, pieces));
}

/// What `x` is at `i`, of both signs.
static double valueAt(int64_t i) { return static_cast<double>(i) - 4.5; }

/// What one program of the kernel around `body` leaves at `y_ptr`, by the interpreter; `n` tells
/// how many of the 16 elements of `x` there are. Nothing is there before.
static std::vector<float> storedBy(const std::string &body, int64_t n = 16) {
  static constexpr float kNothing = -1000;
  Emitted emitted = emitBody(body);
  INFO(body << "\n" << emitted.messages() << emitted.text);
  REQUIRE_FALSE(emitted.text.empty());
  std::vector<float> x(16), y(16, kNothing);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(valueAt(static_cast<int64_t>(i)));
  const Interpretation run = tests::runTtir(
      emitted.text,
      {{1, 1, 1}, {tests::memory("x_ptr", x), tests::memory("y_ptr", y), tests::scalar("n", n)}});
  REQUIRE(run.completed);
  REQUIRE(run.findings.empty());
  return y;
}

/// `expected` of `x` and `i`.
static void checkValues(const std::string &expression,
                        const std::function<double(double x, int64_t i)> &expected) {
  INFO(expression);
  const std::vector<float> values =
      storedBy("r = " + expression + "\ntl.store(y_ptr + i, r, mask=m)");
  for (int64_t i = 0; i < 16; ++i)
    CHECK(values[static_cast<size_t>(i)] == Approx(expected(valueAt(i), i)).margin(1e-5));
}

TEST_CASE("operators compute in the promoted type", "[compiler]") {
  checkValues("x + 1", [](double x, int64_t) { return x + 1; });
  checkValues("x - i", [](double x, int64_t i) { return x - static_cast<double>(i); });
  checkValues("-x", [](double x, int64_t) { return -x; });
  checkValues("i / n", [](double, int64_t i) { return static_cast<double>(i) / 16; });
  // C's division, and without a sign another one.
  checkValues("(i - 8) // 3", [](double, int64_t i) { return (i - 8) / 3; });
  checkValues("(i - 8).to(tl.uint32) // 3",
              [](double, int64_t i) { return static_cast<uint32_t>(i - 8) / 3; });
  checkValues("x % 2.0", [](double x, int64_t) { return std::fmod(x, 2.0); });
  checkValues("(i - 8) >> 2", [](double, int64_t i) { return (i - 8) >> 2; });
  checkValues("(i - 8).to(tl.uint32) >> 2",
              [](double, int64_t i) { return static_cast<uint32_t>(i - 8) >> 2; });
  checkValues("~i", [](double, int64_t i) { return -1 - i; });
  checkValues("(x != 0.5)", [](double x, int64_t) { return x != 0.5; });
  checkValues("(i - 8).to(tl.uint32) < 5", [](double, int64_t i) { return i >= 8 && i < 13; });
  checkValues("(x > 0) & (i < 9)", [](double x, int64_t i) { return x > 0 && i < 9; });
}

TEST_CASE("what is not a number differs from everything", "[compiler]") {
  const std::string nan = "(x * 0 + float('nan'))";
  checkValues(nan + " != " + nan, [](double, int64_t) { return 1; });
  checkValues(nan + " == " + nan, [](double, int64_t) { return 0; });
}

TEST_CASE("literals take part in comparisons and in where by their own rules", "[compiler]") {
  // As fp16 the literal would be 0.5.
  checkValues("x.to(tl.float16) >= 0.50001", [](double x, int64_t) { return x > 0.5; });
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

TEST_CASE("loops run as often as they say, with what they carry", "[compiler]") {
  const std::vector<float> loop = storedBy("s = 0.0\n"
                                           "for j in range(n):\n"
                                           "    s += j\n"
                                           "for j in range(n, 0, -2):\n"
                                           "    s += j\n"
                                           "while s > 10:\n"
                                           "    s = s / 2\n"
                                           "tl.store(y_ptr, s)");
  // 120 and 72, halved until at most 10.
  CHECK(loop[0] == 6);
}

TEST_CASE("branches set what they assign", "[compiler]") {
  const std::string body = "if n > 3:\n"
                           "    x = x * 2\n"
                           "    w = 1\n"
                           "else:\n"
                           "    w = 2\n"
                           "tl.store(y_ptr + i, x + w, mask=m)";
  CHECK(storedBy(body, 16)[5] == 2);
  CHECK(storedBy(body, 3)[2] == -0.5);
}

TEST_CASE("nothing is done after an early return", "[compiler]") {
  const std::string one = "if n < 4:\n"
                          "    return\n"
                          "tl.store(y_ptr + i, x, mask=m)";
  CHECK(storedBy(one, 3)[0] == -1000);
  CHECK(storedBy(one, 4)[0] == -4.5);
  const std::string nested = "if n > 2:\n"
                             "    if n > 10:\n"
                             "        return\n"
                             "    x = x + 1\n"
                             "tl.store(y_ptr + i, x, mask=m)";
  CHECK(storedBy(nested, 11)[0] == -1000);
  CHECK(storedBy(nested, 10)[0] == -3.5);
  CHECK(storedBy(nested, 2)[0] == -4.5);
}

TEST_CASE("constexprs are computed and choose branches while compiling", "[compiler]") {
  const std::string body = "if B // 3 == 5 and -7 // 2 == -4:\n"
                           "    y = x + 2 ** 3\n"
                           "else:\n"
                           "    y = undefined_name\n"
                           "for j in tl.static_range(3):\n"
                           "    y = y * (j + 1)\n"
                           "z = [k * 2 for k in range(4)]\n"
                           "tl.static_assert(f'{B:>4}' == '  16')\n"
                           "tl.store(y_ptr + i, y + z[3])";
  CHECK(emitBody(body).text.find("scf.") == std::string::npos);
  CHECK(storedBy(body)[5] == (0.5 + 8) * 6 + 6);
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
  CHECK(inOrder(emitted.text, {"tt.call @kept", "tt.func private @kept", "noinline = true"}));
  CHECK(emitted.text.find("@fold") == std::string::npos);
  for (const float v : {0.25F, 1.0F}) {
    std::vector<float> memory = {v};
    REQUIRE(tests::runTtir(emitted.text, {{1, 1, 1}, {tests::memory("p", memory)}}).completed);
    const float folded = 8 * v;
    CHECK(memory[0] == std::max(folded, 3.0F) + folded * folded + (folded > 1 ? folded : 1.0F + 2));
  }
}

TEST_CASE("the prelude provides reductions, scans, random numbers and sorting", "[compiler]") {
  // x is -4.5 to 10.5.
  checkValues("tl.sum(x, 0)", [](double, int64_t) { return 48; });
  // In eight bits the sum would be another one.
  checkValues("tl.sum((i * 8).to(tl.int8), 0)", [](double, int64_t) { return 960; });
  checkValues("x.max()", [](double, int64_t) { return 10.5; });
  checkValues("tl.argmax(x * x, 0)", [](double, int64_t) { return 15; });
  checkValues("tl.argmin(x * x, 0)", [](double, int64_t) { return 4; });
  checkValues("tl.cumsum(x, 0, reverse=True)", [](double, int64_t i) {
    double sum = 0;
    for (; i < 16; ++i)
      sum += valueAt(i);
    return sum;
  });
  checkValues("tl.softmax(x)", [](double x, int64_t) {
    double sum = 0;
    for (int64_t i = 0; i < 16; ++i)
      sum += std::exp(valueAt(i));
    return std::exp(x) / sum;
  });
  checkValues("tl.sort(-x)", [](double, int64_t i) { return -valueAt(15 - i); });
  checkValues("tl.flip(x)", [](double, int64_t i) { return valueAt(15 - i); });
  checkValues("tl.zeros_like(x)", [](double, int64_t) { return 0; });
}

TEST_CASE("random numbers are spread, and the same for the same seed", "[compiler]") {
  const auto numbers = [](const std::string &call) {
    return storedBy("tl.store(y_ptr + i, " + call + ")");
  };
  const std::vector<float> uniform = numbers("tl.rand(n, i)"), normal = numbers("tl.randn(n, i)");
  CHECK(std::ranges::all_of(uniform, [](float value) { return value >= 0 && value < 1; }));
  CHECK(std::ranges::max(uniform) - std::ranges::min(uniform) > 0.5F);
  CHECK(std::ranges::min(normal) < 0);
  CHECK(std::ranges::max(normal) > 0);
  CHECK(numbers("tl.rand(n, i)") == uniform);
  CHECK(numbers("tl.rand(n + 1, i)") != uniform);
}

TEST_CASE("block pointers read within their array, and zeros beyond", "[compiler]") {
  // A row of ten, read from its eighth element on.
  const std::vector<float> sums =
      storedBy("p = tl.make_block_ptr(x_ptr, (1, 10), (n, 1), (0, 0), (1, B), (1, 0))\n"
               "p = tl.advance(p, (0, 8))\n"
               "t = tl.load(p, boundary_check=(0, 1), padding_option='zero')\n"
               "tl.store(y_ptr + i, tl.sum(t, 0))");
  CHECK(sums[0] == valueAt(8));
  CHECK(sums[1] == valueAt(9));
  CHECK(sums[2] == 0);
}

TEST_CASE("float extrema in memory split by sign", "[compiler]") {
  Emitted emitted = emitBody("tl.atomic_max(y_ptr + i, x, mask=m)");
  INFO(emitted.messages() << emitted.text);
  CHECK(inOrder(emitted.text, {"tt.atomic_rmw max, acq_rel, gpu", "tt.atomic_rmw umin"}));
  const std::vector<float> largest = storedBy("tl.store(y_ptr + i, 0.25 - i / 4)\n"
                                              "tl.atomic_max(y_ptr + i, x, mask=m)");
  for (int64_t i = 0; i < 16; ++i)
    CHECK(largest[static_cast<size_t>(i)] ==
          std::max(valueAt(i), 0.25 - static_cast<double>(i) / 4));
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
