// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Other shapes, several axes and truths in what an output should be.
#include "app/launch/ExpectedResult.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace tilescope;
using namespace tilescope::app;
using profiler::Dtype;
using profiler::PlanTensor;
using profiler::Tensor;
using profiler::TensorInit;

/// A launch over `x` = 0, 1, … of [2, 3], `bias` = 0, 1, 2, and a size.
static profiler::LaunchPlan makePlan(const std::string &expected) {
  profiler::LaunchPlan plan;
  plan.args = {
      {"x", PlanTensor{Dtype::Fp32, {2, 3}, {.kind = TensorInit::Kind::Arange}, false, ""}},
      {"bias", PlanTensor{Dtype::Fp32, {3}, {.kind = TensorInit::Kind::Arange}, false, ""}},
      {"out", PlanTensor{Dtype::Fp32, {2, 3}, {}, false, expected}}};
  plan.sizes = {{"n", "6"}};
  return plan;
}

static Result<Tensor> expect(const std::string &expected) {
  const profiler::LaunchPlan plan = makePlan(expected);
  Result<Expectation> made = expectationOf(plan.args.back(), {plan, "/tmp/kernel.py", ""}, {});
  return made ? Result<Tensor>(std::move(made->values)) : made.error();
}

static std::vector<double> values(const std::string &expected) {
  const Result<Tensor> result = expect(expected);
  REQUIRE(result);
  std::vector<double> all;
  for (int64_t i = 0; i < result->numElements(); ++i)
    all.push_back(result->at(i));
  return all;
}

/// What is said when it is evaluated.
static std::string error(const std::string &expected) { return expect(expected).error().message; }

static std::string reason(const std::string &expected) {
  const profiler::LaunchPlan plan = makePlan(expected);
  const std::optional<Error> fault = expectationFault(plan.args.back(), plan);
  return fault ? fault->message : "none";
}

TEST_CASE("elements get another shape, and reductions take several axes", "[app][launch]") {
  using Values = std::vector<double>;
  for (const char *flat : {"x.reshape(6)", "np.reshape(x, (-1,))", "x.ravel()", "x.flatten()"}) {
    INFO(flat);
    CHECK(values(("(" + std::string(flat) + " * 2).reshape(2, 3)").c_str()) ==
          Values{0, 2, 4, 6, 8, 10});
  }
  CHECK(values("x.reshape(3, -1)[:, 0]") == Values{0, 2, 4, 0, 2, 4});
  CHECK(values("x + x.reshape(1, 2, 3).sum(axis=(0, 2), keepdims=True)[0]") ==
        Values{3, 4, 5, 15, 16, 17});
  CHECK(values("x + np.max(x.reshape(2, 3, 1), axis=(-1, -2))[:, None]") ==
        Values{2, 3, 4, 8, 9, 10});
  CHECK(values("x + x.mean(axis=(0, 1))") == Values{2.5, 3.5, 4.5, 5.5, 6.5, 7.5});
  CHECK(reason("x.reshape(4, -1)").find("has 6 elements, which do not make [4, ") !=
        std::string::npos);
  CHECK(reason("x.reshape()").find("write it as `reshape(a, (2, -1))`") != std::string::npos);
  CHECK(values("x + np.amax(x.reshape(2, 3, 1), (1, 2))[:, None]") == Values{2, 3, 4, 8, 9, 10});
  CHECK(values("x + x.reshape(2, 3, 1).mean(axis=[1, 2], keep_dims=True)[:, 0]") ==
        Values{1, 2, 3, 7, 8, 9});
  CHECK(values("x + 0 * np.std(x.reshape(2, 3, 1), axis=(1, 2))[:, None] + np.var(x, (0, 1))") ==
        values("x + np.var(x.reshape(6))"));
  CHECK(reason("x.sum(axis=(0, -1))")
            .find("several axes are numbers that all count from the "
                  "first") != std::string::npos);
  CHECK(reason("x.sum(axis='a')").find("the axis is one number") != std::string::npos);
}

TEST_CASE("truths are added, inverted and moved as in NumPy", "[app][launch]") {
  using Values = std::vector<double>;
  CHECK(values("(x > 0) + (x < 5)") == Values{1, 1, 1, 1, 1, 1});
  CHECK(values("(x > 4) + (bias > 1) + True") == Values{1, 1, 1, 1, 1, 1});
  CHECK(values("(x > 0) + 1") == Values{1, 2, 2, 2, 2, 2});
  CHECK(values("~roll(x > 1, 1, axis=1)") == Values{0, 1, 1, 0, 0, 0});
  CHECK(values("~((x > 1).T).T") == Values{1, 1, 0, 0, 0, 0});
  CHECK(values("where(~where(x > 1, x > 2, x > 0), x, 9)") == Values{0, 9, 2, 9, 9, 9});
  CHECK(error("x + x[x > 2].sum()").find("choose with `np.where(condition, x, 0)`") !=
        std::string::npos);
  CHECK(error("x[:, bias > 0]").find("as many as there are") != std::string::npos);
  CHECK(error("divmod(x, 3)[0]").find("but of the type `tuple`") != std::string::npos);
  CHECK(values("x * 0 + ((x > 3) + (x > 4)).sum()") == Values{2, 2, 2, 2, 2, 2});
  // Numbers of the launch are Python's.
  CHECK(values("x * 0 + (n > 0) + (n > 1)") == Values{2, 2, 2, 2, 2, 2});
  // Nothing is expected where a condition is not defined.
  CHECK(std::isnan(expect("where(x / (x - 3) > 1, 1, 2)")->at(3)));
}

TEST_CASE("reductions are written as Triton has them, too, and not as Python's maximum of two",
          "[app][launch]") {
  using Values = std::vector<double>;
  CHECK(values("x - tl.max(x, 1)[:, None]") == Values{-2, -1, 0, -2, -1, 0});
  CHECK(values("x + tl.sum(x)") == Values{15, 16, 17, 18, 19, 20});
  const auto reasonOfRows = [](const char *expected) {
    profiler::LaunchPlan plan = makePlan(expected);
    plan.args.back() = {"out", PlanTensor{Dtype::Fp32, {2}, {}, false, expected}};
    const std::optional<Error> fault = expectationFault(plan.args.back(), plan);
    return fault ? fault->message : "none";
  };
  CHECK(reasonOfRows("tl.max(x, 1)") == "none");
  CHECK(reasonOfRows("max(x, axis=1)") == "none");
  for (const std::string name : {"max", "min"})
    CHECK(reasonOfRows((name + "(x, 1)").c_str()) ==
          "`out` could not be checked: `x` has the shape [2, 3], which does not fit [2] of `out`; "
          "`" +
              name + "(x, axis=1)` has one axis less: without `axis=`, `" + name +
              "` compares its arguments element by element");
  // Of all others, a sum is as likely as any reduction.
  CHECK(reasonOfRows("tl.maximum(x, 1)").find("`sum(x, axis=1)` has one axis less") !=
        std::string::npos);
}

TEST_CASE("what has too many elements or dimensions is refused", "[app][launch]") {
  const auto refused = [](const std::string &expected, const std::string &why) {
    INFO(expected);
    CHECK(reason(expected).find(why) != std::string::npos);
    CHECK(error(expected).find(why) != std::string::npos);
  };
  std::string newAxes, ones, stacked = "x";
  for (int i = 0; i < 33; ++i) {
    newAxes += "None, ";
    ones += "1, ";
    stacked = "stack((" + stacked + ",))";
  }
  refused("x[" + newAxes + "0].sum()", "at most 32 dimensions");
  refused("x.reshape(" + ones + "-1).sum()", "at most 32 dimensions");
  refused("sum(" + stacked + ")", "at most 32 dimensions");

  // The elements of some are more than there are numbers of 64 bits.
  for (const char *each :
       {"repeat(x, 1 << 20, axis=0).sum()", "arange(1 << 40).sum()",
        "(arange(4000)[:, None] @ arange(4000)[None, :]).sum()",
        "arange(-9223372036854775807, 9223372036854775807).sum()",
        "sum(arange(65536) + arange(65536)[:, None] + arange(65536)[:, None, None] + "
        "arange(65536)[:, None, None, None])",
        "(arange(65536)[:, None, None] @ arange(65536)[:, None, None, None]).sum()"})
    refused(each, "at most 4194304 elements");
}

TEST_CASE("a step beyond an axis takes one element of it", "[app][launch]") {
  using Values = std::vector<double>;
  CHECK(values("x + x[::9223372036854775807][:, 1]") == Values{1, 2, 3, 4, 5, 6});
  CHECK(values("x + x[::-9223372036854775807 - 1, 0]") == Values{3, 4, 5, 6, 7, 8});
  CHECK(values("x + x[1:1:9223372036854775807].sum()") == Values{0, 1, 2, 3, 4, 5});
}
