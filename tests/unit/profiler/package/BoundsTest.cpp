// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What comes from outside is bounded where it enters: launch blocks, plans, packages.
#include "profiler/package/KernelPackage.h"
#include "profiler/package/PlanBounds.h"
#include "profiler/package/TomlBlock.h"
#include "tests/unit/profiler/package/TinyEvaluator.h"

#include <catch2/catch.hpp>
#include <chrono>

using namespace tilescope;
using namespace tilescope::profiler;

static std::string repeated(const std::string &text, size_t count) {
  std::string result;
  for (size_t i = 0; i < count; ++i)
    result += text;
  return result;
}

/// Every line of `toml` as a comment of a launch block.
static std::string block(const std::string &toml) {
  return "# /// tilescope\n# " + toml + "\n# ///\n";
}

static std::string refusal(const std::string &toml) {
  const LaunchBlocks blocks = parseLaunchBlocks(block(toml));
  CHECK(blocks.blocks.empty());
  REQUIRE(blocks.problems.size() == 1);
  return blocks.problems[0].message;
}

TEST_CASE("TOML that is nested deeply or large is refused before it is parsed", "[profiler]") {
  const std::string deep = "launch block: it is nested more than 16 deep";
  CHECK(refusal("a = " + std::string(8'000, '[')) == deep);
  CHECK(refusal("a = [" + repeated("\n# [", 50'000)) == deep);
  CHECK(refusal("a = " + repeated("{ a = ", 1'000)) == deep);
  CHECK(refusal(repeated("a.", 4'000) + "a = 1") == deep);
  CHECK(refusal(repeated("a . ", 2'000) + "a = 1") == deep);
  CHECK(refusal(repeated("\"a\".", 2'000) + "a = 1") == deep);
  CHECK(refusal("[" + repeated("a.", 4'000) + "a]") == deep);
  CHECK(refusal("[[" + repeated("a.", 4'000) + "a]]") == deep);
  CHECK(refusal("a = '''" + repeated("x\n# ", 200'000) + "'''") ==
        "launch block: it is larger than 256 KiB");
  CHECK(refusal("a = 1\n# a = " + std::string(100'000, '[')) ==
        "launch block: this line is longer than 8 KiB");
}

TEST_CASE("what the TOML parser takes for granted is checked before", "[profiler]") {
  const std::string name =
      "launch block: the name of a table begins with a letter, a digit, `_`, `-` or a quote";
  for (const char *toml : {"[~null]", "[[~null]]", " [ ~a]", "a = [\n# [1],\n# ]\n# [=]"})
    CHECK(refusal(toml) == name);
  const std::string ascii =
      "launch block: only strings and comments can have characters that are not ASCII";
  for (const char *toml : {"\u0394 = 1", "a =\u0374 1", "a = 1 \u1234", "[\u00e9]"})
    CHECK_THAT(refusal(toml), Catch::Equals(ascii) || Catch::Equals(name));
  const std::string escape = "launch block: `\\` is not followed by an escape sequence";
  for (const char *toml : {"a = \"\\\u0374\"", "a = \"\"\"x \\ \n#   \u0374\"\"\""})
    CHECK(refusal(toml) == escape);
  const std::string closing = "launch block: expected a value or `]`, found `}`";
  for (const char *toml :
       {"kernel = [}", "a = [1, }", "a = { b = [\n#  [1], }", "a = [1, # [\n#  }"})
    CHECK(refusal(toml) == closing);
  for (const char *toml :
       {"[ \"a b\" ] # \u00e9", "kernel = \"\u0394\"", "kernel = '\u0374'", "[[ a ]]",
        "kernel = \"\"\"x \\ \n#   y \u0374\"\"\"", "[sweep]\n# n = [\n#   [1],\n#   [2]\n# ]",
        "kernel = \"[}\"", "kernel = '[}' # [}", "a = [{ b = [1] }, { b = [] }]"}) {
    const LaunchBlocks blocks = parseLaunchBlocks(block(toml));
    CAPTURE(toml);
    for (const LaunchProblem &problem : blocks.problems)
      for (const std::string &refused : {name, ascii, escape, closing})
        CHECK(problem.message != refused);
  }
}

TEST_CASE("a quote inside a value opens no string, and a string can end in quotes", "[profiler]") {
  const std::string ascii =
      "launch block: only strings and comments can have characters that are not ASCII";
  for (const char *toml :
       {"a = 8\"\u00df\"", "a = 8\"\"k\"\"\"\u00df", "a = 8=\"\u00df\"", "a = 8['\u00df']",
        "a = 8{\"\u00df\"}", "a = 8.\"\u00df\"", "a = [1, 2\"\u00df\"]",
        "a = { b = 1, c = 2'\u00df' }", "a = [\n# 8\"\u00df\"]", "a = \"\"\"x\"\"\"\" \u00df",
        "a = '\u00df'\n# b = \"\"\"x\"\"\"\"\" \u00df\""}) {
    CAPTURE(toml);
    CHECK(refusal(toml) == ascii);
  }
  for (const char *toml :
       {"8.\"\u00df\" = 1", "a = \"\"\"\u00df\"\"\"\"\"", "a = '''\u00df''''",
        "a = [\"\u00df\",\"\u00df\"]", "a = {\"\u00df\"='\u00df',b.\"\u00df\"=1}",
        "a=[[1],[{b=2},{\"\u00df\"=3}]]\n# \"\u00df\" = 1", "[a.\"\u00df\"]\n# b.'\u00df' = 2"}) {
    CAPTURE(toml);
    const std::vector<CommentBlock> blocks = findCommentBlocks(block(toml));
    CHECK(parseToml(std::string_view(blocks.at(0).toml)).has_value());
  }
}

TEST_CASE("brackets and dots in strings, comments and numbers are not nesting", "[profiler]") {
  const std::string brackets(100, '[');
  for (const std::string &toml : {"kernel = \"" + brackets + "\"", "kernel = '" + brackets + "'",
                                  "kernel = \"\\\"" + brackets + "\"", "kernel = 'k' # " + brackets,
                                  "kernel = \"\"\"" + brackets + "\"\"\"",
                                  "[sweep]\n# n = [" + repeated("0.5, ", 50) + "]"}) {
    const LaunchBlocks blocks = parseLaunchBlocks(block(toml));
    CAPTURE(toml);
    CHECK(blocks.blocks.size() == 1);
  }
}

TEST_CASE("a block of twenty thousand keys is read within a second", "[profiler]") {
  std::string keys = "[sizes]";
  for (int i = 0; i < 20'000; ++i)
    keys += "\n# k" + std::to_string(i) + "=1";
  const auto start = std::chrono::steady_clock::now();
  CHECK(parseLaunchBlocks(block(keys)).blocks.at(0).sizes.size() == 20'000);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(3));
}

TEST_CASE("argument names that would leave a folder are refused at their place", "[profiler]") {
  for (const char *name : {"../x", "/tmp/x", "..", "a/b", "-x", ".x"}) {
    const LaunchBlocks blocks = parseLaunchBlocks(
        block("[args]\n# \"" + std::string(name) + "\" = { dtype = \"fp32\", shape = [1] }"));
    REQUIRE(blocks.problems.size() == 1);
    CHECK(blocks.problems[0].message.find("cannot be the name of a file") != std::string::npos);
    CHECK(blocks.problems[0].range.begin.line == 2);
  }
}

TEST_CASE("shapes whose sizes overflow are refused", "[profiler]") {
  CHECK(tensorBytes(Dtype::Fp32, {4, 5}) == 80);
  CHECK(tensorBytes(Dtype::Fp32, {}) == 4);
  CHECK(tensorBytes(Dtype::Fp32, {0, 5}) == 0);
  CHECK(tensorBytes(Dtype::Int8, {int64_t(1) << 40}) == int64_t(1) << 40);
  for (const std::vector<int64_t> &shape : {std::vector<int64_t>{-1},
                                            {int64_t(1) << 62, 4},
                                            {int64_t(1) << 32, int64_t(1) << 32},
                                            {0, int64_t(1) << 62, int64_t(1) << 62},
                                            {INT64_MAX},
                                            std::vector<int64_t>(33, 1)})
    CHECK_FALSE(tensorBytes(Dtype::Fp32, shape));
}

static LaunchPlan plan() {
  LaunchPlan result;
  result.kernel = "k";
  result.args.push_back({"x", PlanTensor{Dtype::Fp32, {4}, {}}});
  result.args.push_back({"n", PlanScalar{"i32", int64_t(4)}});
  return result;
}

TEST_CASE("a plan is bounded, also as JSON", "[profiler]") {
  CHECK(checkPlan(plan()));
  CHECK(launchPlanFromJson(launchPlanToJson(plan())));
  std::vector<LaunchPlan> bad(7, plan());
  bad[0].grid = {-1, 1, 1};
  bad[1].grid = {1, 65536, 1};
  bad[2].args[0].name = "../x";
  bad[3].args[0].value = PlanTensor{Dtype::Fp32, {int64_t(1) << 62, 4}, {}};
  bad[4].args[1].name = "x";
  bad[5].args[1].value = PlanScalar{"", int64_t(4)};
  bad[6].args.resize(kMostArguments + 1, bad[6].args[0]);
  for (const LaunchPlan &each : bad) {
    CHECK_FALSE(checkPlan(each));
    CHECK_FALSE(launchPlanFromJson(launchPlanToJson(each)));
  }
}

static KernelPackage package() {
  KernelPackage result;
  result.symbol = "k";
  result.target = "cuda:90";
  result.plan = plan();
  result.ptx = "ptx";
  result.cubin = "cubin";
  return result;
}

TEST_CASE("numbers of a package are bounded", "[profiler]") {
  CHECK(decodePackage(encodePackage(package())));
  std::vector<KernelPackage> bad(6, package());
  bad[0].sharedBytes = int64_t(1) << 40;
  bad[1].globalScratchBytes = int64_t(1) << 62;
  bad[2].numCtas = 16;
  bad[2].plan.grid = {2147483647, 1, 1};
  bad[3].plan.args[0].name = "/tmp/x";
  bad[4].numWarps = -4;
  bad[5].parameters.resize(5000, {"x", "*fp32"});
  for (const KernelPackage &each : bad)
    CHECK_FALSE(decodePackage(encodePackage(each)));
}

TEST_CASE("blobs of a package do not overlap", "[profiler]") {
  std::string bytes = encodePackage(package());
  const std::string second = "\"offset\":16";
  REQUIRE(bytes.find(second) != std::string::npos);
  bytes.replace(bytes.find(second), second.size(), "\"offset\": 4");
  const Result<KernelPackage> read = decodePackage(bytes);
  REQUIRE_FALSE(read);
  CHECK(read.error().message.find("overlaps") != std::string::npos);
}
