// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Launch blocks that cannot be read: what is said about them.
#include "profiler/package/LaunchBlock.h"

#include <catch2/catch.hpp>

using namespace tilescope::profiler;

static void check(const std::string &line, const std::string &message) {
  const LaunchBlocks blocks =
      parseLaunchBlocks("# /// tilescope\n# [sizes]\n# n = 1\n# " + line + "\n# ///\n");
  INFO(line);
  REQUIRE(blocks.problems.size() == 1);
  CHECK(blocks.problems[0].message == message);
  CHECK(blocks.problems[0].range.begin.line == 3);
}

TEST_CASE("a line that cannot be read is told in the words of launch blocks", "[profiler]") {
  check("m = abc", "`abc` is neither a number nor a string");
  check("m = 2 * n", "`2 * n` is neither a number nor a string");
  check("m =", "`m` has no value");
  check("m", "`m` has no value");
  check("[args", "the name of the table `[args` is not closed by `]`");
  check("m = \"n", "the string `\"n` is not closed");
  check("p = { dtype = \"fp32, shape = [\"n\"], init = \"randn\" }",
        "the string `\"fp32` is not closed");
  check("p = { dtype = \"fp32\", shape = [\"cdiv(n, 2), \"n\"] }",
        "the string `\"cdiv(n, 2)` is not closed");
  check("x = { dtype = int8fp16, shape = [\"n\"] }", "`int8fp16` is neither a number nor a string");
  check("p = { dtype = \"fp32\", shape = [4], expe }", "`expe` in the value of `p` has no value");
  check("p = { dtype = \"fp32\", expe, shape = [4] }", "`expe` in the value of `p` has no value");
  check("p = { dtype = \"fp32\", shape = [4], }",
        "nothing follows the last comma in the value of `p`");
  check("p = { dtype = fp32, shape = [4] }", "`fp32` is neither a number nor a string");
  check("p = { dtype = \"fp32\", shape = [4, n] }", "`n` is neither a number nor a string");
  check("p = { value = 1e5, shape = [4 }", "`[` in the value of `p` is never closed");
  check("p = { value = 1e5, shape = 4] }", "`]` in the value of `p` closes nothing");
  check("p = { value = 1e5 shape = [4] }", "a comma is missing in front of `shape`");
  check("p = { value = 1e5, shape = [4] ! }", "the value of `p` cannot be read: "
                                              "`{ value = 1e5, shape = [4] ! }`");
  check("n = 2", "the launch block says `n = 2`, but it already has this key");
}

TEST_CASE("a number with letters behind it is a slip, not an expression", "[profiler]") {
  const LaunchBlocks blocks = parseLaunchBlocks("# /// tilescope\n# [sizes]\n# n = 208x\n# ///\n");
  REQUIRE(blocks.problems.size() == 1);
  CHECK(blocks.problems[0].message == "`208x` is not a number");
  CHECK(blocks.problems[0].hint == "did you mean `n = 208`?");
  check("m = 2 * n", "`2 * n` is neither a number nor a string");
}

TEST_CASE("a string without quotes is shown with them", "[profiler]") {
  const LaunchBlocks blocks =
      parseLaunchBlocks("# /// tilescope\n# [args]\n# p = { dtype = int8, shape = [4] }\n# ///\n");
  REQUIRE(blocks.problems.size() == 1);
  CHECK(blocks.problems[0].hint == "a string needs quotes: `dtype = \"int8\"`");
}

TEST_CASE("what lacks quotes is told as a whole, with its place and what belongs there",
          "[profiler]") {
  const auto problem = [](const std::string &line) {
    const LaunchBlocks blocks = parseLaunchBlocks("# /// tilescope\n# " + line + "\n# ///\n");
    REQUIRE(blocks.problems.size() == 1);
    return blocks.problems[0];
  };
  const LaunchProblem call = problem("grid = [cdiv(n, BLOCK), 2]");
  CHECK(call.message == "`cdiv(n, BLOCK)` is neither a number nor a string");
  CHECK(call.hint == "a string needs quotes: `\"cdiv(n, BLOCK)\"`");
  CHECK(call.replacement == "\"cdiv(n, BLOCK)\"");
  CHECK(call.range == tilescope::SourceRange{{1, 10}, {1, 24}});
  // As scripts have it.
  const LaunchProblem shape =
      problem("p = { dtype = \"fp32\", shape = (n, 4,), init = \"randn\" }");
  CHECK(shape.message == "`(n, 4,)` is a tuple, and a launch block has lists");
  CHECK(shape.replacement == "[\"n\", 4]");
  CHECK(shape.range == tilescope::SourceRange{{1, 32}, {1, 39}});
  const LaunchProblem grid = problem("grid = (cdiv(n, BLOCK),)");
  CHECK(grid.replacement == "[\"cdiv(n, BLOCK)\"]");
  const LaunchProblem script = problem("x_ptr = torch.randn(n, device=\"cuda\")");
  CHECK(script.message == "`torch.randn(n, device=\"cuda\")` makes an array, which a launch block "
                          "describes");
  CHECK(script.replacement == "{ dtype = \"fp32\", shape = [\"n\"], init = \"randn\" }");
  CHECK(problem("m = (2 * n)").message == "`(2 * n)` is neither a number nor a string");
  const LaunchProblem type = problem("p = { dtype = torch.float16, shape = [4] }");
  CHECK(type.message == "`torch.float16` is neither a number nor a string");
  CHECK(type.replacement == "\"fp16\"");
  CHECK(type.range == tilescope::SourceRange{{1, 16}, {1, 29}});
}

/// The block with the fix of its only problem applied to the line, which is the third one.
static std::string mended(const std::string &line, const std::string &hint) {
  const std::string head = "# /// tilescope\n# kernel = \"k\"\n";
  const LaunchBlocks blocks = parseLaunchBlocks(head + "# " + line + "\n# ///\n");
  INFO(line);
  REQUIRE(blocks.problems.size() == 1);
  const LaunchProblem &problem = blocks.problems[0];
  CHECK(problem.hint == hint);
  REQUIRE(problem.range.begin.line == 2);
  std::string fixed = "# " + line;
  fixed.replace(problem.range.begin.column, problem.range.end.column - problem.range.begin.column,
                problem.replacement);
  // What the advice leads to is right.
  const LaunchBlocks after = parseLaunchBlocks(head + fixed + "\n# ///\n");
  CHECK(after.problems.empty());
  return fixed.substr(2);
}

TEST_CASE("what is written as in a script becomes what a launch block says", "[profiler]") {
  CHECK(mended("grid = (cdiv(n, BLOCK),)", "write `grid = [\"cdiv(n, BLOCK)\"]`") ==
        "grid = [\"cdiv(n, BLOCK)\"]");
  CHECK(mended("grid = (cdiv(n, BLOCK), 4)", "write `grid = [\"cdiv(n, BLOCK)\", 4]`") ==
        "grid = [\"cdiv(n, BLOCK)\", 4]");
  // Also where an earlier advice was to write it in quotes.
  CHECK(mended("grid = \"(cdiv(n, BLOCK),)\"", "write `[\"cdiv(n, BLOCK)\"]`") ==
        "grid = [\"cdiv(n, BLOCK)\"]");
  CHECK(mended("grid = [\"(m, n)\"]", "write `[\"m\", \"n\"]`") == "grid = [\"m\", \"n\"]");
  CHECK(mended("args.p = { dtype = \"fp32\", shape = (n,), init = \"randn\" }",
               "write `shape = [\"n\"]`") ==
        "args.p = { dtype = \"fp32\", shape = [\"n\"], init = \"randn\" }");
  CHECK(mended("args.p = { dtype = \"fp32\", shape=(n, 2 * m) }",
               "write `shape = [\"n\", \"2 * m\"]`") ==
        "args.p = { dtype = \"fp32\", shape=[\"n\", \"2 * m\"] }");
  CHECK(mended("args.p = torch.randn(n)",
               "write `args.p = { dtype = \"fp32\", shape = [\"n\"], init = \"randn\" }`") ==
        "args.p = { dtype = \"fp32\", shape = [\"n\"], init = \"randn\" }");
  CHECK(mended("args.p = torch.zeros((n, 4), device=\"cuda\", dtype=torch.float16)",
               "write `args.p = { dtype = \"fp16\", shape = [\"n\", 4], init = \"zeros\" }`") ==
        "args.p = { dtype = \"fp16\", shape = [\"n\", 4], init = \"zeros\" }");
  CHECK(mended("args.p = np.full((n,), 3)",
               "write `args.p = { dtype = \"fp32\", shape = [\"n\"], init = \"full\", value = 3 "
               "}`") ==
        "args.p = { dtype = \"fp32\", shape = [\"n\"], init = \"full\", value = 3 }");
  CHECK(mended("args.p = torch.randint(0, 10, (n,))",
               "write `args.p = { dtype = \"i64\", shape = [\"n\"], init = \"randint\", low = 0, "
               "high = 10 }`") ==
        "args.p = { dtype = \"i64\", shape = [\"n\"], init = \"randint\", low = 0, high = 10 }");
  // An expression in brackets is one extent.
  CHECK(parseLaunchBlocks("# /// tilescope\n# grid = \"(n)\"\n# ///\n").problems.empty());
}

namespace {
/// What the first problem of a block with two lines is about: a part of the file, and what belongs there.
struct Told {
  std::string message, part, replacement;
  uint32_t line = 0;
};
} // namespace

static Told told(const std::string &first, const std::string &second = "# n = 1") {
  const std::string text = "# /// tilescope\n" + first + "\n" + second + "\n# ///\n";
  const LaunchBlocks blocks = parseLaunchBlocks(text);
  INFO(text);
  REQUIRE(blocks.problems.size() == 1);
  const LaunchProblem &problem = blocks.problems[0];
  const std::string &line = problem.range.begin.line == 1 ? first : second;
  return {problem.message,
          line.substr(problem.range.begin.column,
                      problem.range.end.column - problem.range.begin.column),
          problem.replacement, problem.range.begin.line};
}

TEST_CASE("one wrong quote is told at its place, with what belongs there", "[profiler]") {
  const auto check = [](const std::string &line, const std::string &message,
                        const std::string &part, const std::string &replacement) {
    INFO(line);
    const Told problem = told(line);
    CHECK(problem.message == message);
    CHECK(problem.part == part);
    CHECK(problem.replacement == replacement);
    CHECK(problem.line == 1);
  };
  const std::string foreign =
      "strings are in straight quotes, as \"…\": this one is in typographic quotes";
  check("# m = “1024”", foreign, "“1024”", "\"1024\"");
  check("# x = { dtype = ‘fp32’, shape = [4] }", foreign, "‘fp32’", "\"fp32\"");
  check("# m = “1024\"", foreign, "“1024\"", "\"1024\"");
  check("# m = `1024`", "strings are in straight quotes, as \"…\": this one is in backticks",
        "`1024`", "\"1024\"");
  check("# m = \"\"1024\"", "there is a quote too many", "\"\"1024\"", "\"1024\"");
  check("# m = \"1024\"\"", "there is a quote too many", "\"1024\"\"", "\"1024\"");
  check("# m = '1024\"", "the string begins with a single quote and ends with a double one",
        "'1024\"", "\"1024\"");
  check("# m = \'\'\'1024\"", "`\'\'\'` begins a string of several lines, which is never closed",
        "\'\'\'1024\"", "\"1024\"");
  check("# kernel = \"\"\"k\"", "`\"\"\"` begins a string of several lines, which is never closed",
        "\"\"\"k\"", "\"k\"");
  check("# m = \"10\\24\"", "`\\2` means nothing in a string: a backslash is `\\\\`", "\\2",
        "\\\\2");
  // Inside of strings and comments, such characters are nothing special.
  CHECK(parseLaunchBlocks("# /// tilescope\n# name = \"“a”\" # “b”\n# ///\n").problems.empty());
}

TEST_CASE("one wrong sign is told at its place, with what belongs there", "[profiler]") {
  const auto check = [](const std::string &line, const std::string &message,
                        const std::string &replacement) {
    INFO(line);
    const Told problem = told(line);
    CHECK(problem.message == message);
    CHECK(problem.replacement == replacement);
    CHECK(problem.line == 1);
  };
  check("# m: \"1024\"", "the name `m` and its value are joined by one `=`", "m = \"1024\"");
  check("# m == 1024", "the name `m` and its value are joined by one `=`", "m = 1024");
  check("# BLOCK 256", "the name `BLOCK` and its value are joined by one `=`", "BLOCK = 256");
  check("# grid = [4", "`[` in the value of `grid` is never closed", "[4]");
  check("# grid = [4];", "`;` does not belong behind the value of `grid`", "[4]");
  check("# [args", "the name of the table `[args` is not closed by `]`", "[args]");
  check("# x = { dtype = \"fp32\" shape = [4] }", "a comma is missing in front of `shape`",
        ", shape");
  check("# grid = [4 2]", "a comma is missing in front of `2`", ", 2");
  check("# x = { dtype: \"fp32\", shape: [4] }",
        "a key and its value are joined by `=`, not by `:`", "{ dtype = \"fp32\", shape = [4] }");
  check("# x = { dtype = \"fp32\", guessed = True }", "`True` is not a value of a launch block",
        "true");
  check("# flag = FALSE", "`FALSE` is not a value of a launch block", "false");
  // Lists may go over several lines.
  CHECK(parseLaunchBlocks("# /// tilescope\n# grid = [\n#   4,\n#   2]\n# ///\n").problems.empty());
}

TEST_CASE("a grid that is a function of a script is told as the list that it returns",
          "[profiler]") {
  const auto grid = [](const std::string &value) {
    return parseLaunchBlocks("# /// tilescope\n# grid = " + value + "\n# ///\n").problems.at(0);
  };
  const auto one = grid("lambda meta: (triton.cdiv(n, meta[\"BLOCK\"]),)");
  CHECK(one.message == "a grid in a launch block is a list of expressions, not a function");
  CHECK(one.replacement == "[\"cdiv(n, BLOCK)\"]");
  const auto two = grid("lambda META: (triton.cdiv(M, META['BM']), triton.cdiv(N, META['BN']), )");
  CHECK(two.replacement == "[\"cdiv(M, BM)\", \"cdiv(N, BN)\"]");
  CHECK(grid("lambda meta: f(meta, \"x\")").replacement.empty());
}
