// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/Compiler.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

/// What a kernel with inputs `f` of fp32, `h` of fp16, `b` of bf16 and `e` of fp8, each a block of 32 × 32,
/// rounds on the way to `y`.
/// `n`: of the launch of one program of 4; nothing: it is not known.
static RoundingFacts roundings(const std::string &body, const std::string &output = "*fp32:16",
                               std::optional<int64_t> n = {}) {
  CompileRequest request;
  request.path = "/kernels/k.py";
  request.text = "import triton\nimport triton.language as tl\n\n@triton.jit\n"
                 "def k(f_ptr, h_ptr, b_ptr, e_ptr, y_ptr, z_ptr, n):\n"
                 "    i = tl.arange(0, 32)\n    at = i[:, None] * 32 + i[None, :]\n"
                 "    f = tl.load(f_ptr + at)\n    h = tl.load(h_ptr + at)\n"
                 "    b = tl.load(b_ptr + at)\n    e = tl.load(e_ptr + at)\n" +
                 body;
  request.selection.signature = {
      {"f_ptr", "*fp32:16"}, {"h_ptr", "*fp16:16"}, {"b_ptr", "*bf16:16"}, {"e_ptr", "*fp8e5:16"},
      {"y_ptr", output},     {"z_ptr", "*bf16:16"}, {"n", "i32"}};
  request.selection.target = "cuda:90";
  InterpretInput input;
  input.onlyRoundings = true;
  input.grid = {4, 1, 1};
  if (n)
    input.argument = [&](const KernelParameter &parameter) {
      InterpreterArgument argument{parameter.name};
      argument.bits = static_cast<uint64_t>(*n);
      return parameter.name == "n" ? std::optional(argument) : std::nullopt;
    };
  Compiler compiler{CudaToolkit{}};
  const InterpretOutcome outcome = compiler.interpret(request, input);
  CHECK_FALSE(outcome.interpretation.completed);
  const auto found = std::ranges::find(outcome.roundings, "y_ptr", &RoundingFacts::argument);
  REQUIRE(found != outcome.roundings.end());
  return *found;
}

TEST_CASE("the places of the stores to an argument are known", "[compiler]") {
  const RoundingFacts facts = roundings("    tl.store(y_ptr + at, f)\n    tl.store(z_ptr + at, b)\n"
                                        "    tl.store(y_ptr + 1024 + at, f)\n");
  REQUIRE(facts.stores.size() == 2);
  CHECK(facts.stores[0].begin == Position{11, 4});
  CHECK(facts.stores[1].begin == Position{13, 4});
}

static constexpr double kFp16 = 0x1p-10, kBf16 = 0x1p-7, kFp8 = 0x1p-2;

TEST_CASE("what is computed in fp32 and rounded when it is stored has no roundings", "[compiler]") {
  for (const char *body :
       {"    tl.store(y_ptr + at, (tl.exp(h.to(tl.float32)) * f).to(tl.bfloat16))\n",
        "    tl.store(y_ptr + at, f)\n", "    tl.store(y_ptr + at, b)\n",
        "    tl.store(y_ptr + at, tl.where(f > 0, b, -b))\n",
        "    tl.store(z_ptr + at, b * b)\n    tl.store(y_ptr + at, f * f)\n"}) {
    INFO(body);
    const RoundingFacts facts = roundings(body, "*bf16:16");
    CHECK(facts.operations.epsilon == 0);
    CHECK(facts.factors.epsilon == 0);
    CHECK(facts.sums.epsilon == 0);
  }
}

TEST_CASE("what is loaded before all stores to its argument was not rounded by them",
          "[compiler]") {
  const std::string store = "    tl.store(b_ptr + at, (b.to(tl.float32) * f).to(tl.bfloat16))\n";
  const std::string own = "    tl.store(y_ptr + at, b.to(tl.float32) * f)\n";
  CHECK(roundings(store + own).operations.epsilon == 0);
  CHECK(roundings(own + store).operations.epsilon == 0);
  // It is loaded again, or a loop comes back to it.
  CHECK(roundings(store + "    b = tl.load(b_ptr + at)\n" + own).operations.epsilon == kBf16);
  CHECK(roundings("    for _ in range(n):\n        b = tl.load(b_ptr + at)\n    " + store + "    " +
                  own)
            .operations.epsilon == kBf16);
  // Others may have stored before.
  CHECK(roundings(store + own + "    tl.atomic_add(z_ptr, 1.0)\n").operations.epsilon == kBf16);
}

TEST_CASE("the last cast is the only rounding of what is stored in a wider type", "[compiler]") {
  const RoundingFacts once =
      roundings("    tl.store(y_ptr + at, (f * 2.01 + 1.0).to(tl.bfloat16))\n");
  CHECK(once.stored.epsilon == kBf16);
  CHECK(once.operations.epsilon == 0);
  // One before it is another.
  const RoundingFacts twice = roundings(
      "    x = (f * f).to(tl.float16)\n    tl.store(y_ptr + at, (x * f).to(tl.bfloat16))\n");
  CHECK(twice.stored.epsilon == kBf16);
  CHECK(twice.operations.epsilon == kFp16);
  // What is added up is rounded for each term, and what is loaded again was rounded.
  CHECK(roundings("    tl.atomic_add(y_ptr + at, (f * f).to(tl.bfloat16))\n").stored.epsilon == 0);
  CHECK(
      roundings("    g = tl.load(y_ptr + at)\n    tl.store(y_ptr + at, (g * f).to(tl.bfloat16))\n")
          .operations.epsilon == kBf16);
}

TEST_CASE("operations of a narrow type are those before the last", "[compiler]") {
  CHECK(roundings("    tl.store(y_ptr + at, b * b)\n", "*bf16:16").operations.epsilon == 0);
  CHECK(roundings("    tl.store(y_ptr + at, b * b)\n").operations.epsilon == kBf16);
  CHECK(roundings("    tl.store(y_ptr + at, b * b * b)\n", "*bf16:16").operations.epsilon == kBf16);
  CHECK(roundings("    tl.store(y_ptr + at, f.to(tl.float16).to(tl.float32) * 2)\n")
            .operations.epsilon == kFp16);
  // The coarsest, by any way.
  CHECK(roundings("    x = h * h\n    for s in range(3):\n        x = (x * b).to(tl.float16)\n"
                  "    tl.store(y_ptr + at, x)\n")
            .operations.epsilon >= kFp16);
  CHECK(roundings("    x = f\n    if tl.program_id(0) > 0:\n        x = (b + b).to(tl.float32)\n"
                  "    tl.store(y_ptr + at, x)\n")
            .operations.epsilon == kBf16);
  // Through memory.
  CHECK(roundings("    tl.store(z_ptr + at, f.to(tl.bfloat16))\n    tl.debug_barrier()\n"
                  "    tl.store(y_ptr + at, tl.load(z_ptr + at) + f)\n")
            .operations.epsilon == kBf16);
}

TEST_CASE("factors of products are rounded, and what stands behind them", "[compiler]") {
  const RoundingFacts plain = roundings("    tl.store(y_ptr + at, tl.dot(h, h))\n");
  CHECK(plain.factors.epsilon == 0);
  CHECK(plain.plainFactors.epsilon == kFp16);
  const RoundingFacts shares = roundings(
      "    p = tl.exp(tl.dot(h, h))\n    tl.store(y_ptr + at, tl.dot(p.to(tl.bfloat16), b))\n");
  CHECK(shares.factors.epsilon == kBf16);
  CHECK(shares.operations.epsilon == 0);
  CHECK(shares.plainFactors.epsilon == kFp16);
  const RoundingFacts scaled = roundings(
      "    tl.store(y_ptr + at, tl.dot((h * 0.3).to(tl.float16), (h * 0.2).to(tl.float16)))\n");
  CHECK(scaled.factors.epsilon == kFp16);
  CHECK(scaled.plainFactors.epsilon == 0);
  // One is enough.
  CHECK(roundings("    tl.store(y_ptr + at, tl.dot((h * 0.3).to(tl.float16), h))\n")
            .plainFactors.epsilon == 0);
  const RoundingFacts tf32 = roundings("    tl.store(y_ptr + at, tl.dot(f, f))\n");
  CHECK(tf32.factors == Precision{0x1p-10, 0x1p-126, true});
  CHECK(roundings("    tl.store(y_ptr + at, tl.dot(f, f, input_precision=\"ieee\"))\n")
            .factors.epsilon == 0);
}

TEST_CASE("sums of a narrow type are accumulators, reductions and atomic additions", "[compiler]") {
  CHECK(roundings("    c = tl.dot(h, h, out_dtype=tl.float16)\n    tl.store(y_ptr + at, c)\n")
            .sums.epsilon == kFp16);
  CHECK(roundings("    s = tl.zeros([32, 32], tl.bfloat16)\n"
                  "    for step in range(tl.program_id(0)):\n"
                  "        s += b\n    tl.store(y_ptr + at, s)\n")
            .sums.epsilon == kBf16);
  CHECK(roundings("    tl.atomic_add(y_ptr + at, h)\n", "*fp16:16").sums.epsilon == kFp16);
  // Tensor cores keep fewer bits of sums of fp8.
  CHECK(roundings("    tl.store(y_ptr + at, tl.dot(e, e))\n").sums.epsilon == 0x1p-13);
  CHECK(roundings("    tl.store(y_ptr + at, tl.dot(f.to(tl.float8e5), e))\n").factors.epsilon ==
        kFp8);
}

TEST_CASE("loops of the launch's numbers are as deep as these make them", "[compiler]") {
  const auto depth = [](const char *range, std::optional<int64_t> n) {
    const std::string body = "    s = tl.zeros([32, 32], tl.bfloat16)\n    for step in range(" +
                             std::string(range) +
                             "):\n        s += b\n    tl.store(y_ptr + at, s)\n";
    const RoundingFacts facts = roundings(body, "*fp32:16", n);
    // Where it is not known, each term may be one of a sum.
    CHECK((facts.sums.epsilon == 0) == (facts.steps.depth > 0));
    return facts.steps.depth;
  };
  CHECK(depth("0, n, 32", 1000) == 32);
  CHECK(depth("tl.cdiv(n, 32)", 1000) == 32);
  CHECK(depth("0, n, 32", std::nullopt) == 0);
  // A program of 4 has a fourth of them.
  CHECK(depth("tl.program_id(0), n, tl.num_programs(0)", 1000) == 250);
  CHECK(depth("tl.program_id(0) * n", 1000) == 0);
}

TEST_CASE("sums that a kernel's text tells the depth of are as deep as that", "[compiler]") {
  // 4 warps: 8 registers of a thread, which may all be of one row, and 2 levels.
  const RoundingFacts row = roundings("    tl.store(y_ptr + i, tl.sum(b, axis=1))\n");
  CHECK(row.sums.epsilon == 0);
  CHECK(row.steps.precision.epsilon == kBf16);
  CHECK(row.steps.depth == 8 + 2);
  CHECK(row.steps.squares == Approx(2 + 64.0 / (3 * 32)));
  CHECK(roundings("    tl.store(y_ptr + i, tl.max(b, axis=1))\n").steps.depth == 0);
  CHECK(roundings("    tl.store(y_ptr + i, tl.sum(b.to(tl.float32), axis=1))\n").steps.depth == 0);
  const RoundingFacts loop =
      roundings("    s = tl.zeros([32, 32], tl.bfloat16)\n    for step in range(0, 12, 3):\n"
                "        s += b\n    tl.store(y_ptr + at, s)\n");
  CHECK(loop.sums.epsilon == 0);
  CHECK(loop.steps == SumSteps{loop.steps.precision, 4, 4.0 / 3});
  CHECK(loop.steps.precision.epsilon == kBf16);
  // An addition that the loop does not carry is no sum.
  const RoundingFacts other =
      roundings("    s = tl.zeros([32, 32], tl.float32)\n    for step in range(4):\n"
                "        s += (b + b).to(tl.float32)\n    tl.store(y_ptr + at, s)\n");
  CHECK(other.steps.depth == 0);
  CHECK(other.sums.epsilon == 0);
  CHECK(other.operations.epsilon == kBf16);
}

TEST_CASE("numbers are known that narrow types hold", "[compiler]") {
  using Numbers = std::vector<NarrowNumber>;
  const auto numbers = [](const char *value) {
    return roundings("    tl.store(y_ptr + at, " + std::string(value) + ")\n", "*fp16:16").numbers;
  };
  CHECK(numbers("h * 1.1") == Numbers{{1.099609375, kFp16}});
  CHECK(numbers("0.3 - h") == Numbers{{0.300048828125, kFp16}});
  CHECK(numbers("(b * 0.1).to(tl.float16)") == Numbers{{0.10009765625, kBf16}});
  CHECK(numbers("h.to(tl.float32) * 1.1").empty());
  CHECK(numbers("h * f").empty());
}

TEST_CASE("kernels of integers alone round nothing", "[compiler]") {
  const auto isIntegral = [](const char *body) { return roundings(body, "*i32:16").isIntegral; };
  CHECK(isIntegral("    tl.store(y_ptr + at, at // 7 + n)\n"));
  CHECK_FALSE(isIntegral("    tl.store(y_ptr + at, tl.floor(at / 7).to(tl.int32))\n"));
  CHECK_FALSE(isIntegral("    tl.store(y_ptr + at, at, mask=f > 0)\n"));
}
