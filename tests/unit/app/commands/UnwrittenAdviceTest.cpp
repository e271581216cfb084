// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/UnwrittenAdvice.h"

#include "app/commands/DiagonalStores.h"
#include "compiler/artifacts/AppliedFix.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <tuple>

using namespace tilescope;
using namespace tilescope::app;

static std::string kernelWith(const std::string &grid, const std::string &index) {
  return "import triton\n"
         "import triton.language as tl\n"
         "# /// tilescope\n"
         "# kernel = \"copy\"\n"
         "# grid = [" +
         grid +
         "]\n"
         "# [sizes]\n"
         "# n = 1000\n"
         "# [args]\n"
         "# x_ptr = { dtype = \"fp32\", shape = [\"n\"], init = \"randn\" }\n"
         "# out_ptr = { dtype = \"fp32\", shape = [\"n\"], expected = \"x_ptr\" }\n"
         "# n = \"n\"\n"
         "# [constexprs]\n"
         "# BLOCK = 256\n"
         "# ///\n"
         "@triton.jit\n"
         "def copy(x_ptr, out_ptr, n, BLOCK: tl.constexpr):\n"
         "    i = " +
         index +
         "\n"
         "    tl.store(out_ptr + i, tl.load(x_ptr + i, i < n), i < n)\n";
}

static Position placeOf(const std::string &text, std::string_view snippet) {
  const size_t at = text.find(snippet);
  const size_t lineBegin = text.rfind('\n', at) + 1;
  return {
      static_cast<uint32_t>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n')),
      static_cast<uint32_t>(at - lineBegin)};
}

namespace {
struct Advised {
  compiler::Diagnostic diagnostic;
  bool says(std::string_view words) const {
    return std::ranges::any_of(diagnostic.notes, [&](const std::string &note) {
      return note.find(words) != std::string::npos;
    });
  }
};
} // namespace

/// Of a run that wrote `written` of 1000 elements, all in front of the element `gap`.
static Advised adviceFor(const std::string &text, int64_t programs, int64_t written, int64_t gap,
                         const std::vector<SourceRange> &stores) {
  profiler::LaunchPlan plan;
  plan.kernel = "copy";
  plan.grid = {programs, 1, 1};
  plan.constexprs = {{"BLOCK", "256"}};
  profiler::OutputResult output;
  output.name = "out_ptr";
  output.shape = {1000};
  output.neverWritten = 1000 - written;
  output.firstNeverWritten = {gap};
  output.comparison = profiler::OutputComparison{};
  output.comparison->firstMismatch = {gap};
  Advised result;
  explainUnwritten(text, plan, output, stores, result.diagnostic);
  return result;
}

static SourceRange storeIn(uint32_t line) { return {{line, 4}, {line, 40}}; }

/// Of a run that wrote the first `written` of 1000 elements, with the store in line 20.
static Advised adviceFor(const std::string &text, int64_t programs, int64_t written) {
  return adviceFor(text, programs, written, written, {storeIn(19)});
}

static const std::string kOwnBlock = "tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)";

TEST_CASE("A grid with too few programs gets the number that it takes", "[commands]") {
  const std::string text = kernelWith("\"n // BLOCK\"", kOwnBlock);
  const Advised advice = adviceFor(text, 3, 768);
  CHECK(advice.diagnostic.range.begin == placeOf(text, "\"n // BLOCK\""));
  CHECK(advice.says("the grid has 3 programs, which write 768 of 1000 elements"));
  CHECK(advice.says("each writes 256: for 1000 it takes 4, `grid = [\"cdiv(n, BLOCK)\"]`"));
  REQUIRE(advice.diagnostic.fixes.size() == 1);
  CHECK(advice.diagnostic.fixes.front().range == advice.diagnostic.range);
  CHECK(advice.diagnostic.fixes.front().replacement == "\"cdiv(n, BLOCK)\"");
}

TEST_CASE("A gap that more programs would not close is placed at the stores", "[commands]") {
  const std::string text = kernelWith("4", kOwnBlock);
  const Advised gap = adviceFor(text, 4, 900, 32, {storeIn(19), storeIn(20)});
  CHECK(gap.diagnostic.range == storeIn(19));
  REQUIRE(gap.diagnostic.labels.size() == 1);
  CHECK(gap.diagnostic.labels.front().range == storeIn(20));
  CHECK(gap.diagnostic.labels.front().message == "this writes to `out_ptr`, too");
  CHECK(gap.diagnostic.fixes.empty());
  // All programs write to one place.
  CHECK(adviceFor(kernelWith("4", "tl.arange(0, BLOCK)"), 4, 256).diagnostic.range == storeIn(19));
  CHECK(adviceFor(kernelWith("4", "tl.program_id(0) + tl.arange(0, BLOCK)"), 4, 259)
            .diagnostic.range == storeIn(19));
  // Where it is not known what stores, the grid is all there is.
  CHECK(adviceFor(text, 4, 900, 32, {}).diagnostic.range.begin == placeOf(text, "4]"));
}

namespace {
/// A matrix of 40 rows of 30.
struct MatrixRun {
  std::array<int64_t, 3> grid;
  int64_t neverWritten = 0;
  std::vector<int64_t> first;
};
} // namespace

static std::string matrixKernel(const char *grid, const char *body) {
  return std::string("import triton\nimport triton.language as tl\n# /// tilescope\n"
                     "# kernel = \"copy\"\n# grid = [") +
         grid +
         "]\n# [args]\n"
         "# out_ptr = { dtype = \"fp32\", shape = [\"R\", \"C\"], expected = \"0\" }\n"
         "# ///\n@triton.jit\ndef copy(out_ptr, n, C, B: tl.constexpr):\n" +
         body;
}

static Advised adviceFor(const std::string &text, int64_t block, const MatrixRun &run) {
  profiler::LaunchPlan plan;
  plan.kernel = "copy";
  plan.grid = run.grid;
  plan.constexprs = {{"B", std::to_string(block)}};
  profiler::OutputResult output;
  output.name = "out_ptr";
  output.shape = {40, 30};
  output.neverWritten = run.neverWritten;
  output.firstNeverWritten = run.first;
  output.comparison = profiler::OutputComparison{};
  output.comparison->firstMismatch = run.first;
  Advised result;
  explainUnwritten(text, plan, output, {storeIn(11)}, result.diagnostic);
  return result;
}

TEST_CASE("A mask that leaves half of a matrix out is not the grid's fault", "[commands]") {
  for (const char *number : {"tl.program_id(0)", "(tl.program_id(0) + 1)"}) {
    const Advised half = adviceFor(
        matrixKernel("\"cdiv(R * C, B)\"", (std::string("    o = ") + number +
                                            " * B + tl.arange(0, B)\n"
                                            "    tl.store(out_ptr + o, 0.0, mask=o < n // 2)\n")
                                               .c_str()),
        128, {{10, 1, 1}, 600, {20, 0}});
    INFO(number);
    CHECK(half.diagnostic.range == storeIn(11));
    CHECK(half.says("a mask or a condition leaves them out"));
  }
}

TEST_CASE("An axis of the grid with too few programs gets the number that it takes", "[commands]") {
  const std::string text =
      matrixKernel("\"R\", \"C // B\"", "    r = tl.program_id(0)\n"
                                        "    c = tl.program_id(1) * B + tl.arange(0, B)\n"
                                        "    tl.store(out_ptr + r * C + c, 0.0, mask=c < C)\n");
  const Advised few = adviceFor(text, 16, {{40, 1, 1}, 40 * 14, {0, 16}});
  CHECK(few.diagnostic.range.begin == placeOf(text, "\"C // B\""));
  CHECK(few.says("1 program along axis 1 of the grid, each with `B` = 16, reach 16 of 30: it takes "
                 "2, `cdiv(C, B)`"));
  REQUIRE(few.diagnostic.fixes.size() == 1);
  CHECK(few.diagnostic.fixes.front().replacement == "\"cdiv(C, B)\"");
}

TEST_CASE("Programs without a number of their own are told so", "[commands]") {
  const Advised advice = adviceFor(kernelWith("4", "tl.arange(0, BLOCK)"), 4, 256);
  CHECK(advice.says("the grid has 4 programs, which write 256 of 1000 elements"));
  CHECK(advice.says(
      "the kernel does not use `tl.program_id`: all programs write to the same places"));
  REQUIRE(advice.diagnostic.fixes.size() == 1);
  CHECK(advice.diagnostic.fixes.front().replacement == kOwnBlock);
}

TEST_CASE("Blocks that overlap are told so, with where they begin", "[commands]") {
  const Advised advice =
      adviceFor(kernelWith("4", "tl.program_id(0) + tl.arange(0, BLOCK)"), 4, 259);
  CHECK(advice.says("blocks of 256 overlap: program `pid` begins at `pid * BLOCK`"));
  REQUIRE(advice.diagnostic.fixes.size() == 1);
  CHECK(advice.diagnostic.fixes.front().replacement == "tl.program_id(0) * BLOCK");
}

TEST_CASE("Blocks that lie side by side do not overlap, whatever their mask leaves out",
          "[commands]") {
  const std::string text = kernelWith("4", kOwnBlock);
  for (const auto &[programs, written, gap] :
       {std::tuple(4, 999, 999), std::tuple(4, 998, 0), std::tuple(4, 256, 256)}) {
    const Advised advice = adviceFor(text, programs, written, gap, {storeIn(19)});
    INFO(written);
    CHECK_FALSE(advice.says("overlap"));
    CHECK(advice.says("no program stores the others: a mask or a condition leaves them out"));
    CHECK(advice.diagnostic.range == storeIn(19));
    CHECK(advice.diagnostic.fixes.empty());
  }
  // One program has nothing to overlap with.
  CHECK_FALSE(
      adviceFor(kernelWith("1", "tl.program_id(0) + tl.arange(0, BLOCK)"), 1, 200).says("overlap"));
}

TEST_CASE("Exchanged axes of a grid are told where the other order reaches the end", "[commands]") {
  const std::string text =
      "import triton\n"
      "import triton.language as tl\n"
      "# /// tilescope\n"
      "# kernel = \"copy\"\n"
      "# grid = [\"cdiv(w, B)\", \"cdiv(h, B)\"]\n"
      "# [sizes]\n"
      "# h = 70\n"
      "# w = 100\n"
      "# [args]\n"
      "# out = { dtype = \"fp32\", shape = [\"w\", \"h\"], expected = \"0\" }\n"
      "# [constexprs]\n"
      "# B = 32\n"
      "# ///\n"
      "@triton.jit\n"
      "def copy(out, h, w, B: tl.constexpr):\n"
      "    i = tl.program_id(0) * B\n";
  profiler::LaunchPlan plan;
  plan.kernel = "copy";
  plan.grid = {4, 3, 1};
  plan.constexprs = {{"B", "32"}};
  profiler::OutputResult output;
  output.name = "out";
  output.shape = {100, 70};
  output.comparison = profiler::OutputComparison{};
  const auto advise = [&](std::vector<int64_t> first, int64_t count) {
    output.firstNeverWritten = output.comparison->firstMismatch = std::move(first);
    output.neverWritten = count;
    Advised advice;
    explainUnwritten(text, plan, output, {storeIn(15)}, advice.diagnostic);
    return advice;
  };
  const Advised advice = advise({96, 0}, 4 * 70);
  CHECK(
      advice.says("3 programs along axis 1 of the grid, each with 32, reach 96 of 100, and axis 0 "
                  "has 4: the axes are exchanged, in `grid` or in the kernel"));
  REQUIRE(advice.diagnostic.fixes.size() == 1);
  CHECK(advice.diagnostic.fixes.front().replacement == "\"cdiv(h, B)\", \"cdiv(w, B)\"");
  CHECK(compiler::fixedText(text, advice.diagnostic.fixes.front())
            .find("# grid = [\"cdiv(h, B)\", \"cdiv(w, B)\"]\n") != std::string::npos);
  // A mask that leaves out the last row, or some elements of it.
  CHECK_FALSE(advise({99, 0}, 70).says("exchanged"));
  CHECK_FALSE(advise({96, 0}, 4 * 70 - 1).says("exchanged"));
}

TEST_CASE("Where nothing is stored, the argument is at fault and not the grid", "[commands]") {
  const std::string text = kernelWith("4", kOwnBlock);
  const Advised advice = adviceFor(text, 4, 0, 0, {});
  CHECK(advice.diagnostic.range.begin == placeOf(text, "out_ptr, n, BLOCK"));
  CHECK(advice.says("no program stores anything there: results are written with "
                    "`tl.store(out_ptr + …, value)`"));
  CHECK_FALSE(advice.says("the grid has"));
  CHECK(advice.diagnostic.fixes.empty());
  // A store that is there and leaves everything out is not denied.
  CHECK(adviceFor(text, 4, 0)
            .says("no program stores anything there, although the kernel does it on line 20: its "
                  "mask is false "
                  "everywhere, or no program comes to it"));
}

TEST_CASE("Elements that were written and are wrong get no advice on the grid", "[commands]") {
  profiler::LaunchPlan plan;
  plan.kernel = "copy";
  plan.grid = {4, 1, 1};
  profiler::OutputResult output;
  output.name = "out_ptr";
  output.shape = {1000};
  output.neverWritten = 10;
  output.firstNeverWritten = {990};
  output.comparison = profiler::OutputComparison{};
  output.comparison->firstMismatch = {3};
  compiler::Diagnostic diagnostic;
  explainUnwritten(kernelWith("4", kOwnBlock), plan, output, {storeIn(19)}, diagnostic);
  CHECK(diagnostic.range.empty());
  CHECK(diagnostic.notes.empty());
  // Of an array that held values before, what no program writes is told at the stores.
  output.neverWritten.reset();
  explainUnwritten(kernelWith("4", kOwnBlock), plan, output, {storeIn(19)}, diagnostic);
  CHECK(diagnostic.range == storeIn(19));
  CHECK(diagnostic.notes.size() == 1);
}

TEST_CASE("Two blocks of one axis each that are added up write a diagonal", "[app]") {
  const auto kernel = [](const std::string &rows, const std::string &columns,
                         const std::string &place) {
    return "import triton\nimport triton.language as tl\n@triton.jit\n"
           "def outer(a_ptr, out_ptr, m, n, B: tl.constexpr):\n"
           "    i = " +
           rows + "\n    j = " + columns + "\n    tl.store(out_ptr + " + place + ", 1.0)\n";
  };
  profiler::OutputResult output;
  output.name = "out_ptr";
  output.shape = {208, 304};
  output.neverWritten = 63024;
  const std::string text =
      kernel("tl.program_id(0) * B + tl.arange(0, B)", "tl.arange(0, B)", "i * n + j");
  const std::optional<compiler::Diagnostic> found = diagonalStore(text, "outer", output);
  REQUIRE(found);
  CHECK(found->message.starts_with("63024 of 63232 elements of `out_ptr` were never written: `i` "
                                   "and `j` have one axis each"));
  CHECK(found->range.begin == Position{6, 4});
  REQUIRE(found->fixes.size() == 1);
  CHECK(compiler::fixedText(text, found->fixes.front()) ==
        kernel("(tl.program_id(0) * B + tl.arange(0, B))[:, None]", "tl.arange(0, B)[None, :]",
               "i * n + j"));
  // Their sum may have a name.
  std::string named = text;
  named.replace(named.find("    tl.store(out_ptr + i * n + j"), 32,
                "    o = i * n + j\n    tl.store(out_ptr + o");
  const std::optional<compiler::Diagnostic> same = diagonalStore(named, "outer", output);
  REQUIRE(same);
  CHECK(same->message == found->message);
  // With their axes, with a place for each element, and where all but a border is written.
  CHECK_FALSE(diagonalStore(compiler::fixedText(text, found->fixes.front()), "outer", output));
  CHECK_FALSE(
      diagonalStore(kernel("tl.program_id(0)", "tl.arange(0, B)", "i * n + j"), "outer", output));
  output.neverWritten = 208;
  CHECK_FALSE(diagonalStore(text, "outer", output));
}

TEST_CASE("A mask along other axes than the address is why elements are left out", "[commands]") {
  const std::string text = "import triton\n"
                           "import triton.language as tl\n"
                           "# /// tilescope\n"
                           "# kernel = \"copy\"\n"
                           "# grid = [4]\n"
                           "# [args]\n"
                           "# out_ptr = { dtype = \"fp32\", shape = [1000], expected = \"0\" }\n"
                           "# ///\n"
                           "@triton.jit\n"
                           "def copy(out_ptr, M, N, B: tl.constexpr):\n"
                           "    i = tl.program_id(0) * B + tl.arange(0, B)\n"
                           "    j = tl.arange(0, B)\n"
                           "    at = i[:, None] * N + j[None, :]\n"
                           "    tl.store(out_ptr + at, 0.0, mask=(j < N) & (i < M))\n";
  const Advised advice = adviceFor(text, 4, 900, 32, {{{13, 4}, {13, 55}}});
  CHECK(advice.says("the store leaves the others out: its `mask` must take its indices along the "
                    "axes of the address: `(j[None, :] < N) & (i[:, None] < M)`"));
  CHECK(advice.diagnostic.fixes.size() == 1);
}
