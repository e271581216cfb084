// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/Configurations.h"

#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::inference;

using Map = std::map<std::string, std::string>;

static std::vector<Configuration> offered(const std::string &decorators, const Map &known = {},
                                          const std::set<std::string> &tensors = {}) {
  auto tree = ast::parseModule("import triton\nimport triton.language as tl\n" + decorators +
                               "\n@triton.jit\ndef k(x, n, A: tl.constexpr, B: tl.constexpr, "
                               "EVEN: tl.constexpr):\n    pass\n");
  REQUIRE(tree->diagnostics.empty());
  const ast::ModuleIndex index = ast::indexModule(*tree);
  return offeredConfigurations(index, index.functions.back(), {known, tensors});
}

static constexpr const char *kEven =
    "@triton.heuristics({\"EVEN\": lambda args: args[\"n\"] % args[\"B\"] == 0})";
static constexpr const char *kTuned =
    "@triton.autotune(configs=[triton.Config({\"B\": 64}), triton.Config({\"B\": 128})], "
    "key=[\"n\"])\n";

TEST_CASE("a kernel without decorators offers nothing", "[compiler]") {
  CHECK(offered("").empty());
  CHECK(offered("", {{"n", "3"}}).empty());
}

TEST_CASE("a heuristic is computed for every configuration", "[compiler]") {
  const std::vector<Configuration> found = offered(std::string(kTuned) + kEven, {{"n", "192"}});
  REQUIRE(found.size() == 2);
  CHECK(found[0].constexprs == Map{{"B", "64"}, {"EVEN", "True"}});
  CHECK(found[1].constexprs == Map{{"B", "128"}, {"EVEN", "False"}});
}

TEST_CASE("a condition on what is not known is offered both ways", "[compiler]") {
  const std::vector<Configuration> found = offered(std::string(kTuned) + kEven);
  REQUIRE(found.size() == 4);
  CHECK(found[0].constexprs == Map{{"B", "64"}, {"EVEN", "True"}});
  CHECK(found[1].constexprs == Map{{"B", "64"}, {"EVEN", "False"}});
  CHECK(found[3].constexprs == Map{{"B", "128"}, {"EVEN", "False"}});
}

TEST_CASE("lists that name each other many times end without a choice", "[compiler]") {
  std::string names = "C0 = [triton.Config({\"B\": 64})]\n";
  for (int i = 1; i <= 7; ++i) {
    const std::string inner = "C" + std::to_string(i - 1);
    names += "C" + std::to_string(i) + " = [" + inner;
    for (int repeat = 0; repeat < 40; ++repeat)
      names += ", " + inner;
    names += "][0]\n";
  }
  CHECK(offered(names + "@triton.autotune(configs=C0, key=[])").size() == 1);
  CHECK(offered(names + "@triton.autotune(configs=C2, key=[])").size() == 1);
  // 41 to the power of 7 values.
  CHECK(offered(names + "@triton.autotune(configs=C7, key=[])").empty());
}

TEST_CASE("all heuristics of a kernel have one budget", "[compiler]") {
  std::string configs;
  for (int i = 0; i < 40; ++i)
    configs += "triton.Config({\"B\": " + std::to_string(i) + "}), ";
  const std::vector<Configuration> found =
      offered("@triton.autotune(configs=[" + configs + "], key=[])\n" +
              "@triton.heuristics({\"A\": lambda args: sum([1 for i in range(20000)])})");
  REQUIRE(found.size() == 40);
  CHECK(found.front().constexprs.contains("A"));
  // Each of them alone would take less than an evaluation may.
  CHECK_FALSE(found.back().constexprs.contains("A"));
}

TEST_CASE("heuristics compute numbers with Triton's helpers, one from another", "[compiler]") {
  const std::string text = "@triton.heuristics({\"A\": lambda args: "
                           "triton.next_power_of_2(args[\"n\"]), "
                           "\"B\": lambda args: 8 if args[\"A\"] > 512 else 4})";
  const std::vector<Configuration> found = offered(text, {{"n", "1000"}});
  REQUIRE(found.size() == 1);
  CHECK(found[0].constexprs == Map{{"A", "1024"}, {"B", "8"}});
  // A number that cannot be computed is not a choice; nor is what is not a parameter.
  CHECK(offered(text).empty());
  CHECK(offered("@triton.heuristics({\"OTHER\": lambda args: True})").empty());
}

TEST_CASE("a heuristic may be a function of the file, ask for a tensor, and choose an option",
          "[compiler]") {
  const std::string function = "def even(args):\n    \"\"\"Whether.\"\"\"\n"
                               "    return args[\"n\"] % WIDTH == 0\n\nWIDTH = 64\n"
                               "wide = lambda args: 8 if args[\"n\"] > 100 else 4\n";
  const std::vector<Configuration> found =
      offered(function + "@triton.heuristics({\"EVEN\": even, \"num_warps\": wide, "
                         "\"A\": lambda args: args[\"x\"] is not None})",
              {{"n", "128"}}, {"x"});
  REQUIRE(found.size() == 1);
  CHECK(found[0].constexprs == Map{{"A", "True"}, {"EVEN", "True"}});
  CHECK(found[0].options == Map{{"num_warps", "8"}});
}

TEST_CASE("what a heuristic asks of a tensor is not known", "[compiler]") {
  CHECK(offered("@triton.heuristics({\"A\": lambda args: args[\"x\"].stride(0)})", {}, {"x"})
            .empty());
}
