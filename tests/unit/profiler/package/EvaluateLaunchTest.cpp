// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/EvaluateLaunch.h"

#include "tests/unit/profiler/package/TinyEvaluator.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::profiler;
using test::evaluateTiny;
using test::kFile;

static LaunchEvaluation evaluated(const std::string &file, const LaunchOverrides &overrides = {}) {
  LaunchBlocks blocks = parseLaunchBlocks(file);
  REQUIRE(blocks.problems.empty());
  return evaluateLaunch(blocks.blocks.at(0), overrides, evaluateTiny);
}

TEST_CASE("a plan holds the numbers that the block's expressions give", "[profiler]") {
  LaunchEvaluation result = evaluated(kFile);
  REQUIRE(result.problems.empty());
  REQUIRE(result.plan);
  const LaunchPlan &plan = *result.plan;
  CHECK(plan.grid == std::array<int64_t, 3>{4, 1, 1});
  REQUIRE(plan.args.size() == 6);
  const PlanTensor *x = plan.args[0].tensor();
  REQUIRE(x);
  CHECK(x->dtype == Dtype::Fp16);
  CHECK(x->shape == std::vector<int64_t>{1000, 3});
  CHECK(x->init.kind == TensorInit::Kind::Randn);
  CHECK(x->init.seed == 7);
  CHECK(plan.args[1].tensor()->shape == std::vector<int64_t>{2000});
  CHECK(plan.args[1].tensor()->init.kind == TensorInit::Kind::Poison);
  CHECK(*plan.args[2].scalar() == PlanScalar{"i32", int64_t(1000)});
  CHECK(*plan.args[3].scalar() == PlanScalar{"fp32", 1e-5});
  CHECK(*plan.args[4].scalar() == PlanScalar{"fp64", 2.5});
  CHECK(*plan.args[5].scalar() == PlanScalar{"u1", true});
  CHECK(plan.constexprs.at("bias") == "None");
  CHECK(plan.constexprs.at("BLOCK") == "256");
  CHECK(plan.constexprs.at("T") == "tl.float16");
  CHECK(plan.options.at("num_warps") == "8");
  CHECK(plan.bytes == 2.0 * 1000 + 4.0 * 2000);
  CHECK(plan.flops == 1000.0);
  CHECK(plan.sweep.at("n") == std::vector<std::string>{"64", "1024"});
}

TEST_CASE("overrides replace values, and what depends on them follows", "[profiler]") {
  LaunchOverrides overrides;
  overrides.sizes = {{"n", "512"}};
  overrides.constexprs = {{"BLOCK", "64"}, {"EXTRA", "3"}};
  overrides.options = {{"num_stages", "2"}};
  LaunchEvaluation result = evaluated(kFile, overrides);
  REQUIRE(result.plan);
  CHECK(result.plan->grid[0] == 8);
  CHECK(result.plan->argument("y_ptr")->tensor()->shape[0] == 1024);
  CHECK(result.plan->constexprs.at("EXTRA") == "3");
  CHECK(result.plan->options.at("num_stages") == "2");
  CHECK(result.plan->argument("nothing") == nullptr);
}

static void checkProblem(const std::string &from, const std::string &to,
                         const std::string &message) {
  std::string file = kFile;
  size_t place = file.find(from);
  REQUIRE(place != std::string::npos);
  file.replace(place, from.size(), to);
  LaunchEvaluation result = evaluated(file);
  INFO(to);
  CHECK_FALSE(result.plan);
  REQUIRE(result.problems.size() >= 1);
  CHECK(result.problems[0].message.find(message) != std::string::npos);
  uint32_t line = uint32_t(std::count(file.begin(), file.begin() + long(place), '\n'));
  CHECK(result.problems[0].range.begin.line == line);
}

TEST_CASE("an argument that a script would make is described", "[profiler]") {
  const std::string file = "# /// tilescope\n# grid = [1]\n# [args]\n# p = \"torch.randn(n, 3)\"\n"
                           "# n = 4\n# ///\n";
  const LaunchEvaluation result = evaluated(file);
  REQUIRE(result.problems.size() == 1);
  CHECK(result.problems[0].message ==
        "`torch.randn(n, 3)` makes an array, which a launch block describes");
  CHECK(result.problems[0].replacement ==
        "{ dtype = \"fp32\", shape = [\"n\", 3], init = \"randn\" }");
}

TEST_CASE("an argument that differs from the size of its name is told of", "[profiler]") {
  const auto problemsOf = [](const std::string &value) {
    return evaluated("# /// tilescope\n# grid = [1]\n# [sizes]\n# n = 8\n# [args]\n# n = " + value +
                     "\n# ///\n");
  };
  const LaunchEvaluation result = problemsOf("2");
  REQUIRE(result.problems.size() == 1);
  CHECK_FALSE(result.problems[0].isError);
  CHECK(result.plan);
  CHECK(result.problems[0].range.begin.line == 5);
  CHECK(result.problems[0].message ==
        "the kernel gets `2` for `n`, and shapes and the grid use the "
        "size of that name, `8`");
  CHECK(problemsOf("8").problems.empty());
  CHECK(problemsOf("\"n\"").problems.empty());
}

TEST_CASE("what cannot be evaluated is told at its place", "[profiler]") {
  checkProblem("m = \"n * 2\"", "m = \"q * 2\"", "`q` is not defined: write a number, or use `n`");
  checkProblem("shape = \"m\"", "shape = [\"2.5\"]", "an extent must be an integer");
  checkProblem("shape = \"m\"", "shape = [-1]", "cannot be negative");
  checkProblem("shape = \"m\"", "shape = [1000000000, 1000]", "more than a tebibyte");
  checkProblem("fp16", "f16", "not an element type");
  checkProblem("randn", "gauss", "not a kind of initial data");
  checkProblem("= 1e-5", "= \"'text'\"", "must be a number");
  checkProblem("\"2.5\", type = \"fp64\"", "\"2.5\", type = \"i32\"", "not a value of type `i32`");
  checkProblem("type = \"fp64\"", "type = \"real\"", "not a scalar type");
  checkProblem("\"cdiv(n, BLOCK)\"", "\"n\", 100000", "not between 0 and 65535");
}

TEST_CASE("one wrong size is one problem, whatever uses it", "[profiler]") {
  std::string file = kFile;
  const size_t place = file.find("n = 1000");
  REQUIRE(place != std::string::npos);
  file.replace(place, 8, "n = \"abc\"");
  const LaunchEvaluation result = evaluated(file);
  CHECK_FALSE(result.plan);
  REQUIRE(result.problems.size() == 1);
  CHECK(result.problems[0].message == "`abc` is not defined: write a number");
  CHECK(result.problems[0].hint.empty());
  const auto line = uint32_t(std::count(file.begin(), file.begin() + long(place), '\n'));
  CHECK(result.problems[0].range.begin.line == line);
}

static std::string onlyProblem(const std::string &from, const std::string &to) {
  std::string file = kFile;
  const size_t place = file.find(from);
  REQUIRE(place != std::string::npos);
  file.replace(place, from.size(), to);
  const LaunchEvaluation result = evaluated(file);
  CHECK_FALSE(result.plan);
  REQUIRE(result.problems.size() == 1);
  const auto line = uint32_t(std::count(file.begin(), file.begin() + long(place), '\n'));
  CHECK(result.problems[0].range.begin.line == line);
  return result.problems[0].message;
}

TEST_CASE("a size that no extent can be made of is wrong itself, not where it is used",
          "[profiler]") {
  CHECK(onlyProblem("n = 1000", "n = -5") == "a size cannot be negative, found -5");
  CHECK(onlyProblem("m = \"n * 2\"", "m = -5") == "a size cannot be negative, found -5");
  CHECK(onlyProblem("n = 1000", "n = 1.5") == "a size must be a whole number, found `1.5`");
}

TEST_CASE("a grid without programs is told of at its extent", "[profiler]") {
  CHECK(onlyProblem("\"cdiv(n, BLOCK)\"", "0") == "a grid of 0 has no programs: nothing runs");
  const auto withGrid = [](std::string_view extent, const LaunchOverrides &overrides = {}) {
    std::string file = kFile;
    file.replace(file.find("cdiv(n, BLOCK)"), 14, extent);
    return evaluated(file, overrides);
  };
  LaunchOverrides overrides;
  overrides.sizes = {{"n", "3"}};
  const LaunchEvaluation rounded = withGrid("n // BLOCK", overrides);
  REQUIRE(rounded.problems.size() == 1);
  CHECK(rounded.problems[0].message ==
        "`n // BLOCK` is 0: the grid has no programs, and nothing runs");
  CHECK(rounded.problems[0].replacement == "\"cdiv(n, BLOCK)\"");
  CHECK(rounded.plan);
  // There is nothing to be done for no elements.
  overrides.sizes = {{"n", "0"}};
  CHECK(withGrid("cdiv(n, BLOCK)", overrides).problems.empty());
}

TEST_CASE("an empty value asks for one", "[profiler]") {
  CHECK(onlyProblem("n = 1000", "n = \"\"") == "`n` needs a value: a number such as `4096`");
  CHECK(onlyProblem("m = \"n * 2\"", "m = \" \"") ==
        "`m` needs a value: a number or an expression such as `2 * n`");
}

TEST_CASE("a size that the block does not have cannot be set", "[profiler]") {
  LaunchOverrides overrides;
  overrides.sizes = {{"q", "512"}};
  LaunchEvaluation result = evaluated(kFile, overrides);
  CHECK_FALSE(result.plan);
  CHECK(result.problems.at(0).message.find("no size `q`") != std::string::npos);
  CHECK(result.problems[0].hint == "its sizes are `n`, `m`");
}

TEST_CASE("an argument says how far its elements may be from what is expected", "[profiler]") {
  const auto block = [](const std::string &tolerances) {
    return "# /// tilescope\n# grid = [1]\n# [sizes]\n# n = 8\n# [args]\n"
           "# y = { dtype = \"fp16\", shape = [\"n\"], expected = \"1\"" +
           tolerances + " }\n# ///\n";
  };
  const LaunchEvaluation given = evaluated(block(", rtol = 0.5, atol = \"n\""));
  REQUIRE(given.plan);
  const PlanTensor &tensor = *given.plan->argument("y")->tensor();
  CHECK(tensor.relativeTolerance == 0.5);
  CHECK(tensor.absoluteTolerance == 8.0);
  CHECK(*launchPlanFromJson(launchPlanToJson(*given.plan)) == *given.plan);
  // The block is written as it was read.
  const LaunchBlock read = parseLaunchBlocks(block(", rtol = 0.5")).blocks.at(0);
  CHECK(formatLaunchBlock(read).find("expected = 1, rtol = 0.5") != std::string::npos);
  CHECK_FALSE(evaluated(block("")).plan->argument("y")->tensor()->relativeTolerance);
  const LaunchEvaluation negative = evaluated(block(", atol = -1"));
  REQUIRE(negative.problems.size() == 1);
  CHECK(negative.problems[0].message == "`atol` is a number that is not negative");
}

TEST_CASE("plans survive JSON", "[profiler]") {
  LaunchPlan plan = *evaluated(kFile).plan;
  plan.args.push_back({"huge", PlanScalar{"u64", uint64_t(1) << 63}});
  plan.args.push_back({"infinite", PlanScalar{"fp32", -std::numeric_limits<double>::infinity()}});
  auto read = launchPlanFromJson(launchPlanToJson(plan));
  REQUIRE(read);
  CHECK(*read == plan);
  CHECK_FALSE(launchPlanFromJson("{"));
  CHECK_FALSE(launchPlanFromJson("{\"kernel\": 3}"));
  CHECK_FALSE(launchPlanFromJson("[]"));
}

TEST_CASE("the signature is what Triton would specialize on", "[profiler]") {
  LaunchPlan plan = *evaluated(kFile).plan;
  plan.args.push_back({"one", PlanScalar{"i32", int64_t(1)}});
  plan.args.push_back({"even", PlanScalar{"i64", int64_t(64)}});
  auto signature = launchSignature(plan);
  CHECK(signature.at("x_ptr") == "*fp16:16");
  CHECK(signature.at("n") == "i32");
  CHECK(signature.at("eps") == "fp32");
  CHECK(signature.at("flag") == "u1");
  CHECK(signature.at("one") == "i32:1");
  CHECK(signature.at("even") == "i64:16");
}
