// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is said of outputs that a part of what they should hold is missing in.
#include "app/commands/BlockEnd.h"
#include "app/commands/BlocksAlone.h"
#include "app/commands/DroppedFractions.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

namespace {
/// A kernel with a launch block, and what it left in `out_ptr`.
struct Left {
  std::string body;
  std::string expected;
  profiler::LaunchPlan plan;
  profiler::OutputResult output;

  std::string text() const {
    return "import triton\nimport triton.language as tl\n# /// tilescope\n# kernel = \"k\"\n"
           "# grid = [4]\n# [args]\n# x_ptr = { dtype = \"fp32\", shape = [\"n\"] }\n"
           "# out_ptr = { dtype = \"fp32\", shape = [\"rows\", \"width\", \"channels\"] }\n"
           "# [constexprs]\n# BLOCK = 256\n# ///\n@triton.jit\n"
           "def k(x_ptr, out_ptr, n, width, channels, BLOCK: tl.constexpr):\n" +
           body;
  }
  const profiler::PlanArgument &argument() const { return plan.args.front(); }
};
} // namespace

/// Of 4 programs, an output of 1000 elements.
static Left left(const std::string &body, const std::string &expected) {
  Left made{body, expected, {}, {}};
  profiler::PlanTensor tensor;
  tensor.dtype = profiler::Dtype::Fp32;
  tensor.shape = {1000};
  tensor.expected = expected;
  made.plan.kernel = "k";
  made.plan.grid = {4, 1, 1};
  made.plan.constexprs = {{"BLOCK", "256"}};
  made.plan.args = {{"out_ptr", tensor}};
  made.output.name = "out_ptr";
  made.output.shape = {1000};
  made.output.comparison = profiler::OutputComparison{};
  made.output.comparison->isWithExpected = true;
  return made;
}

static std::string joined(const compiler::Diagnostic &diagnostic) {
  std::string all;
  for (const std::string &note : diagnostic.notes)
    all += note + "\n";
  return all;
}

static std::string saidOfBlocks(const std::string &value, const std::string &expected) {
  const Left made = left("    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
                         "    x = tl.load(x_ptr + i, mask=i < n, other=0)\n" +
                             value,
                         expected);
  compiler::Diagnostic diagnostic;
  explainBlocksAlone(KernelText(made.text(), "k"), made.plan, made.argument(), made.output,
                     diagnostic);
  return joined(diagnostic);
}

TEST_CASE("functions of a whole array know one block alone", "[commands]") {
  const std::string store = "    tl.store(out_ptr + i, y, mask=i < n)\n";
  const auto says = [&](const char *value, const char *expected) {
    return saidOfBlocks("    y = " + std::string(value) + "\n" + store, expected);
  };
  CHECK(
      says("tl.flip(x, 0)", "x_ptr[::-1]")
          .starts_with("`tl.flip` knows one block alone, `BLOCK` = 256 elements of the 1000 here: "
                       "4 programs do that"));
  CHECK(says("tl.sort(x)", "sort(x_ptr)").starts_with("`tl.sort` knows"));
  CHECK(says("tl.exp(x) / tl.sum(tl.exp(x))", "exp(x_ptr) / sum(exp(x_ptr))")
            .starts_with("`tl.sum` knows"));
  CHECK(says("tl.exp(x - tl.max(x)) / tl.sum(x)", "exp(x_ptr - max(x_ptr)) / sum(x_ptr)")
            .starts_with("`tl.max` and `tl.sum` know one"));
  // Of another function, of groups, and of sums that are passed on.
  CHECK(says("tl.flip(x, 0)", "x_ptr * 2").empty());
  CHECK(says("x / tl.sum(x)", "reshape(x_ptr, (4, 250)).sum(axis=1)").empty());
  CHECK(saidOfBlocks("    tl.atomic_add(out_ptr, tl.sum(x))\n", "sum(x_ptr)").empty());
}

static compiler::Diagnostic saidOfQuotient(const char *value, const char *expected,
                                           double expectedValue) {
  Left made = left("    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
                   "    f = tl.load(x_ptr + i // 2, mask=i < n)\n    c = " +
                       std::string(value) + "\n    tl.store(out_ptr + i, c, mask=i < n)\n",
                   expected);
  made.output.comparison->firstExpected = made.output.comparison->worstExpected = expectedValue;
  compiler::Diagnostic diagnostic;
  explainDroppedFractions(KernelText(made.text(), "k"), made.argument(), made.output, diagnostic);
  return diagnostic;
}

TEST_CASE("a fraction that is dropped is kept by another operator", "[commands]") {
  const char *expected = "(x_ptr - 32) * 5 / 9";
  const compiler::Diagnostic said = saidOfQuotient("(f - 32) * 5 // 9", expected, -13.3);
  CHECK(joined(said).starts_with("`//` drops the fraction"));
  REQUIRE(said.fixes.size() == 1);
  CHECK(said.fixes.front().range.begin == Position{15, 21});
  CHECK(said.fixes.front().range.end == Position{15, 23});
  CHECK(said.fixes.front().replacement == "/");
  CHECK(saidOfQuotient("(f + 1) // (f - 1)", expected, -13.3).fixes.size() == 1);
  CHECK(saidOfQuotient("(f - 32) * 5 / 9", expected, -13.3).notes.empty());
  CHECK(saidOfQuotient("(f - 32) * 5 // 9", expected, -13).notes.empty());
  CHECK(saidOfQuotient("(f - 32) * 5 // 9", "x_ptr * 5 // 9", -13.3).notes.empty());
}

TEST_CASE("a row of several axes that is longer than its block is told so", "[commands]") {
  const char *body = "    i = tl.arange(0, BLOCK)\n    m = i < width * channels\n"
                     "    row = tl.program_id(0)\n"
                     "    tl.store(out_ptr + row * width * channels + i, 1.0, mask=m)\n";
  const auto said = [&](const std::vector<int64_t> &shape, const std::vector<int64_t> &first,
                        int64_t unwritten, const char *expected = "") {
    Left made = left(body, expected);
    made.output.shape = shape;
    made.output.firstNeverWritten = first;
    made.output.neverWritten = unwritten;
    return shortBlock(made.text(), made.plan, made.output);
  };
  const auto found = said({4, 112, 80}, {0, 3, 16}, 4 * (8960 - 256));
  REQUIRE(found);
  CHECK(found->message ==
        "34816 of 35840 elements of `out_ptr` were never written: `BLOCK` is 256: a block ends "
        "there, and no program goes on behind it; for a row of 8960, `width * channels`, it takes "
        "16384");
  REQUIRE(found->fixes.size() == 1);
  CHECK(found->fixes.front().replacement == "16384");
  // Rows of one axis, those that end elsewhere, and those of which it is told what they differ from.
  CHECK(said({4, 1, 300}, {0, 0, 256}, 4 * 44)->message.find("for 300 it takes 512") !=
        std::string::npos);
  CHECK_FALSE(said({4, 112, 80}, {0, 3, 15}, 4 * (8960 - 255)));
  CHECK_FALSE(said({4, 112, 80}, {0, 3, 16}, 4 * (8960 - 256) - 1));
  CHECK_FALSE(said({4, 112, 80}, {0, 3, 16}, 4 * (8960 - 256), "1"));
}
