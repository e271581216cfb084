// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/AddressAdvice.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

/// Lets `text` have its fixes, from the last to the first.
static std::string fixed(std::string text, std::vector<compiler::DiagnosticFix> fixes) {
  const auto offsetOf = [&](Position place) {
    size_t at = 0;
    for (uint32_t line = 0; line < place.line; ++line)
      at = text.find('\n', at) + 1;
    return at + place.column;
  };
  std::ranges::sort(fixes,
                    [](const auto &a, const auto &b) { return b.range.begin < a.range.begin; });
  for (const compiler::DiagnosticFix &fix : fixes) {
    const size_t begin = offsetOf(fix.range.begin);
    text.replace(begin, offsetOf(fix.range.end) - begin, fix.replacement);
  }
  return text;
}

static profiler::PlanArgument tensorOf(const char *name, std::vector<int64_t> shape) {
  profiler::PlanTensor tensor;
  tensor.shape = std::move(shape);
  return {name, tensor};
}

namespace {
/// A run whose output differs at its second element.
struct Differing {
  profiler::LaunchPlan plan;
  profiler::OutputResult output;
  compiler::Diagnostic diagnostic;

  Differing(std::vector<profiler::PlanArgument> args, std::vector<int64_t> shape) {
    plan.kernel = "k";
    plan.args = std::move(args);
    output.name = "out_ptr";
    output.shape = std::move(shape);
    output.comparison = profiler::OutputComparison{};
    output.comparison->isWithExpected = true;
    output.comparison->firstMismatch = {1};
  }
  std::string fixedText(const std::string &text) {
    explainAddresses(text, plan, output, diagnostic);
    return fixed(text, diagnostic.fixes);
  }
  bool labels(std::string_view words) const {
    return std::ranges::any_of(diagnostic.labels, [&](const compiler::DiagnosticLabel &label) {
      return label.message.find(words) != std::string::npos;
    });
  }
};
} // namespace

TEST_CASE("One element that is loaded in place of a block gets the offsets of the store",
          "[commands]") {
  const std::string text = "import triton\n"
                           "import triton.language as tl\n"
                           "@triton.jit\n"
                           "def k(x_ptr, out_ptr, s_ptr, n, BLOCK: tl.constexpr):\n"
                           "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
                           "    a = tl.load(x_ptr)\n"
                           "    s = tl.load(s_ptr)\n"
                           "    tl.store(out_ptr + i, a * s, mask=i < n)\n";
  Differing run({tensorOf("x_ptr", {1000}), tensorOf("out_ptr", {1000}), tensorOf("s_ptr", {1})},
                {1000});
  std::string expected = text;
  expected.replace(expected.find("tl.load(x_ptr)"), 14, "tl.load(x_ptr + i, mask=i < n)");
  CHECK(run.fixedText(text) == expected);
  CHECK(run.labels("this is one element, `x_ptr[0]`, in every program"));
}

TEST_CASE("A stride of 1 is that of columns, and not taken for that of rows", "[commands]") {
  const std::string text =
      "import triton\n"
      "import triton.language as tl\n"
      "# /// tilescope\n"
      "# kernel = \"k\"\n"
      "# grid = [1]\n"
      "# [sizes]\n"
      "# M = 20\n"
      "# N = 50\n"
      "# [args]\n"
      "# x_ptr = { dtype = \"fp32\", shape = [\"M\", \"N\"], init = \"randn\" }\n"
      "# out_ptr = { dtype = \"fp32\", shape = [\"M\", \"N\"], expected = \"x_ptr\" }\n"
      "# N = \"N\"\n"
      "# stride_row = \"N\"\n"
      "# [constexprs]\n"
      "# stride_col = 1\n"
      "# ///\n"
      "@triton.jit\n"
      "def k(x_ptr, out_ptr, N, stride_row, stride_col: tl.constexpr):\n"
      "    r = tl.arange(0, 32)[:, None]\n"
      "    c = tl.arange(0, 64)[None, :]\n"
      "    x = tl.load(x_ptr + r * stride_row + c * stride_col, mask=(r < 20) & (c < N))\n"
      "    tl.store(out_ptr + r * N + c, x + 1, mask=(r < 20) & (c < N))\n";
  Differing run({tensorOf("x_ptr", {20, 50}), tensorOf("out_ptr", {20, 50})}, {20, 50});
  for (const char *distance : {"1", "2"}) {
    run.plan.constexprs = {{"stride_col", distance}};
    // Beside the right distance of rows, another one than 1 is not taken for it either.
    run.plan.args.push_back({"stride_row", profiler::PlanScalar{"i32", int64_t{50}}});
    CHECK(run.fixedText(text) == text);
    CHECK(run.diagnostic.labels.empty());
  }
}

TEST_CASE("Rows that are taken to lie as far apart as a block is wide get the matrix's distance",
          "[commands]") {
  const std::string text =
      "import triton\n"
      "import triton.language as tl\n"
      "# /// tilescope\n"
      "# kernel = \"k\"\n"
      "# grid = [\"M\"]\n"
      "# [sizes]\n"
      "# M = 20\n"
      "# N = 50\n"
      "# [args]\n"
      "# x_ptr = { dtype = \"fp32\", shape = [\"M\", \"N\"], init = \"randn\" }\n"
      "# out_ptr = { dtype = \"fp32\", shape = [\"M\"], expected = \"sum(x_ptr, axis=1)\" }\n"
      "# N = \"N\"\n"
      "# [constexprs]\n"
      "# BLOCK = 64\n"
      "# ///\n"
      "@triton.jit\n"
      "def k(x_ptr, out_ptr, N, BLOCK: tl.constexpr):\n"
      "    row = tl.program_id(0)\n"
      "    cols = tl.arange(0, BLOCK)\n"
      "    x = tl.load(x_ptr + row * BLOCK + cols, mask=cols < N, other=0.0)\n"
      "    tl.store(out_ptr + row, tl.sum(x, axis=0))\n";
  Differing run({tensorOf("x_ptr", {20, 50}), tensorOf("out_ptr", {20})}, {20});
  run.plan.constexprs = {{"BLOCK", "64"}};
  std::string expected = text;
  expected.replace(expected.find("row * BLOCK"), 11, "row * N");
  CHECK(run.fixedText(text) == expected);
  CHECK(run.labels("rows of `x_ptr` lie `N` elements apart, which is 50, not 64"));
}

/// A kernel over a matrix `b_ptr` of K rows and N columns whose address and mask are these.
static std::string overMatrix(const std::string &address, const std::string &mask) {
  return "import triton\n"
         "import triton.language as tl\n"
         "# /// tilescope\n"
         "# kernel = \"k\"\n"
         "# grid = [1]\n"
         "# [sizes]\n"
         "# K = 32\n"
         "# N = 64\n"
         "# [args]\n"
         "# b_ptr = { dtype = \"fp32\", shape = [\"K\", \"N\"], init = \"randn\" }\n"
         "# out_ptr = { dtype = \"fp32\", shape = [\"N\"], expected = \"b_ptr.sum(0)\" }\n"
         "# K = \"K\"\n"
         "# N = \"N\"\n"
         "# ///\n"
         "@triton.jit\n"
         "def k(b_ptr, out_ptr, K, N):\n"
         "    i = tl.arange(0, 32)\n"
         "    j = tl.arange(0, 64)\n"
         "    b = tl.load(b_ptr + " +
         address + ", mask=" + mask +
         ", other=0.0)\n"
         "    tl.store(out_ptr + j, tl.sum(b, axis=0))\n";
}

TEST_CASE("Rows that are taken to lie as far apart as there are rows get the right distance",
          "[commands]") {
  // Also where nothing says what the index counts.
  for (const char *mask :
       {"i[:, None] < K", "(i[:, None] < K) & (j[None, :] < N)", "i[:, None] >= 0"}) {
    const std::string text = overMatrix("i[:, None] * K + j[None, :]", mask);
    Differing run({tensorOf("b_ptr", {32, 64}), tensorOf("out_ptr", {64})}, {64});
    CHECK(run.fixedText(text) == overMatrix("i[:, None] * N + j[None, :]", mask));
    CHECK(run.labels("`K` is the number of rows of `b_ptr`, which lie `N` elements apart"));
    CHECK_FALSE(run.labels("transpose"));
  }
}

TEST_CASE("A distance of rows is why elements are never written only where the array is stored to",
          "[commands]") {
  const auto withAddress = [](const std::string &address) {
    return "import triton\n"
           "import triton.language as tl\n"
           "# /// tilescope\n"
           "# kernel = \"k\"\n"
           "# grid = [1]\n"
           "# [sizes]\n"
           "# m = 32\n"
           "# n = 64\n"
           "# [args]\n"
           "# x_ptr = { dtype = \"fp32\", shape = [\"m\", \"n\"], init = \"randn\" }\n"
           "# out_ptr = { dtype = \"fp32\", shape = [\"m\", \"n\"], expected = \"x_ptr\" }\n"
           "# m = \"m\"\n"
           "# n = \"n\"\n"
           "# ///\n"
           "@triton.jit\n"
           "def k(x_ptr, out_ptr, m, n):\n"
           "    i = tl.arange(0, 32)\n"
           "    j = tl.arange(0, 64)\n"
           "    mask = (i[:, None] < m) & (j[None, :] < n)\n"
           "    x = tl.load(x_ptr + i[:, None] * m + j[None, :], mask=mask)\n"
           "    tl.store(out_ptr + " +
           address + ", x, mask=mask)\n";
  };
  const std::string text = withAddress("i[:, None] * m + j[None, :]");
  Differing run({tensorOf("x_ptr", {32, 64}), tensorOf("out_ptr", {32, 64})}, {32, 64});
  run.output.firstNeverWritten = run.output.comparison->firstMismatch;
  CHECK(run.fixedText(text) == withAddress("i[:, None] * n + j[None, :]"));
  REQUIRE(run.diagnostic.fixes.size() == 1);
  CHECK(run.diagnostic.fixes.front().title == "write `n` for `m` in line 21");
}

TEST_CASE("An address in the transpose of a matrix is turned round", "[commands]") {
  const std::string text =
      "import triton\n"
      "import triton.language as tl\n"
      "# /// tilescope\n"
      "# kernel = \"k\"\n"
      "# grid = [1]\n"
      "# [sizes]\n"
      "# K = 32\n"
      "# N = 64\n"
      "# [args]\n"
      "# b_ptr = { dtype = \"fp32\", shape = [\"K\", \"N\"], init = \"randn\" }\n"
      "# out_ptr = { dtype = \"fp32\", shape = [\"N\", \"K\"], expected = \"b_ptr.T\" }\n"
      "# K = \"K\"\n"
      "# N = \"N\"\n"
      "# ///\n"
      "@triton.jit\n"
      "def k(b_ptr, out_ptr, K, N):\n"
      "    rk = tl.arange(0, 32)\n"
      "    rn = tl.arange(0, 64)\n"
      "    b = tl.load(b_ptr + rn[:, None] * K + (0 + rk)[None, :], mask=rn[:, None] < N)\n"
      "    tl.store(out_ptr + rn[:, None] * K + rk[None, :], b)\n";
  Differing run({tensorOf("b_ptr", {32, 64}), tensorOf("out_ptr", {64, 32})}, {64, 32});
  std::string expected = text;
  expected.replace(expected.find("rn[:, None] * K + (0 + rk)[None, :]"), 35,
                   "rn[:, None] + (0 + rk)[None, :] * N");
  CHECK(run.fixedText(text) == expected);
  CHECK(run.labels("`K` is the number of rows of `b_ptr`, which lie `N` elements apart"));
}

TEST_CASE("Pointers that a loop forgets to advance are advanced at its end", "[commands]") {
  const std::string text = "import triton\n"
                           "import triton.language as tl\n"
                           "@triton.jit\n"
                           "def k(a_ptr, b_ptr, out_ptr, K, N, BK: tl.constexpr):\n"
                           "    rk = tl.arange(0, BK)\n"
                           "    rm = tl.arange(0, 16)\n"
                           "    a_ptrs = a_ptr + rm[:, None] * K + rk[None, :]\n"
                           "    b_ptrs = b_ptr + rk[:, None] * N + tl.arange(0, 16)[None, :]\n"
                           "    acc = tl.zeros((BK, 16), dtype=tl.float32)\n"
                           "    for k in range(0, K, BK):\n"
                           "        a = tl.load(a_ptrs)\n"
                           "        acc += tl.dot(a, tl.load(b_ptrs))\n"
                           "    tl.store(out_ptr + rk, tl.sum(acc, axis=1))\n";
  Differing run({tensorOf("out_ptr", {32})}, {32});
  const std::string result = run.fixedText(text);
  CHECK(result.find("tl.load(b_ptrs))\n        a_ptrs += BK\n        b_ptrs += BK * N\n    "
                    "tl.store") != std::string::npos);
  CHECK(run.labels(
      "`a_ptrs` and `b_ptrs` stay where they are: each turn of the loop loads the same"));
}

TEST_CASE("Addresses that are right get no advice", "[commands]") {
  const std::string text = "import triton\n"
                           "import triton.language as tl\n"
                           "@triton.jit\n"
                           "def k(a_ptr, out_ptr, K, BK: tl.constexpr):\n"
                           "    rk = tl.arange(0, BK)\n"
                           "    a_ptrs = a_ptr + rk\n"
                           "    acc = tl.zeros((BK,), dtype=tl.float32)\n"
                           "    for k in range(0, K, BK):\n"
                           "        acc += tl.load(a_ptrs)\n"
                           "        a_ptrs += BK\n"
                           "    tl.store(out_ptr + rk, acc)\n";
  Differing run({tensorOf("a_ptr", {64}), tensorOf("out_ptr", {32})}, {32});
  CHECK(run.fixedText(text) == text);
  CHECK(run.diagnostic.labels.empty());
}
