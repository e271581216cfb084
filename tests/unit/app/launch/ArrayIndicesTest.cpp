// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ExpectedResult.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using profiler::Dtype;
using profiler::PlanTensor;
using profiler::TensorInit;
using Shape = std::vector<int64_t>;
using Values = std::vector<double>;

/// Of `x`, 0 to 11 as [3, 4], `i`, 0 to 2, and `f`, 0 to 2 of fp32.
static Result<Expectation> expect(const char *expected, const Shape &shape) {
  const TensorInit ramp{.kind = TensorInit::Kind::Arange};
  profiler::LaunchPlan plan;
  plan.args = {{"x", PlanTensor{Dtype::Fp32, {3, 4}, ramp, false, ""}},
               {"i", PlanTensor{Dtype::Int32, {3}, ramp, false, ""}},
               {"f", PlanTensor{Dtype::Fp32, {3}, ramp, false, ""}},
               {"out", PlanTensor{Dtype::Fp32, shape, {}, false, expected}}};
  plan.sizes = {{"n", "4"}, {"length", "3"}};
  return expectationOf(plan.args.back(), {plan, "/tmp/kernel.py", ""});
}

static Values values(const char *expected, const Shape &shape) {
  INFO(expected);
  const Result<Expectation> result = expect(expected, shape);
  REQUIRE(result);
  Values all;
  for (int64_t i = 0; i < result->values.numElements(); ++i)
    all.push_back(result->values.at(i));
  return all;
}

TEST_CASE("an array between brackets picks from its axis", "[app][launch]") {
  CHECK(values("x[arange(4) // 2]", {4, 4}) ==
        Values{0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7});
  CHECK(values("x[:, arange(n) // 2]", {3, 4}) == Values{0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9});
  CHECK(values("x[..., arange(2) + 1]", {3, 2}) == Values{1, 2, 5, 6, 9, 10});
  CHECK(values("x[arange(2), 1:3]", {2, 2}) == Values{1, 2, 5, 6});
  CHECK(values("x[1, arange(n) % 2]", {4}) == Values{4, 5, 4, 5});
  CHECK(values("x[None, 2 - i, 3]", {1, 3}) == Values{11, 7, 3});
  CHECK(values("x[i, 0] + x[2 - i][:, 0]", {3}) == Values{8, 8, 8});
  CHECK(values("x[-1 - i][:, 0]", {3}) == Values{8, 4, 0});
  CHECK(values("sum(x[:, arange(2) * 2] * 10, axis=1)", {3}) == Values{20, 100, 180});
}

TEST_CASE("two arrays between brackets pick an element for each pair", "[app][launch]") {
  CHECK(values("x[i, i]", {3}) == Values{0, 5, 10});
  CHECK(values("x[arange(length), 3 - i]", {3}) == Values{3, 6, 9});
  CHECK(values("x[(i + 1) % 3, arange(3)] + i", {3}) == Values{4, 10, 4});
  CHECK(values("log(sum(exp(x), axis=1)) - x[arange(length), i] > 0", {3}) == Values{1, 1, 1});
}

TEST_CASE("what is wrong with an index is said in the words of a launch block", "[app][launch]") {
  const auto says = [](const char *expected, const char *words) {
    const Result<Expectation> result = expect(expected, {3});
    REQUIRE_FALSE(result);
    INFO(expected << ": " << result.error().message);
    CHECK(result.error().message.find(words) != std::string::npos);
    CHECK(result.error().message.find("NameError") == std::string::npos);
  };
  says("x[i + 3, 0]", "no index 3 along an axis of 3");
  says("take(f, f * 1e30, axis=0)", "no index 1e+30 along an axis of 3");
  says("take(f, sqrt(f - 2), axis=0)", "no index nan along an axis of 3");
  says("x[f, 0]", "an array of integers");
  says("x[i, i, None]", "one array of integers");
  says("x[arange(3), None, arange(3)]", "one array of integers");
  says("x[arange(2), i]", "do not fit");
  says("x[0, None, i]", "one array of integers");
  says("x[arange(m) // 2, 0]",
       "`m` is not defined; the names here are `x`, `i`, `f`, `out`, `length`, `n`");
  says("x[arrange(3), 0]", "did you mean `arange`?");
  says("x[lenght, 0]", "did you mean `length`?");
  says("flor(f)", "did you mean `floor`?");
}

TEST_CASE("`~` inverts truths as NumPy does", "[app][launch]") {
  CHECK(values("where(~(f > 0), 7, f)", {3}) == Values{7, 1, 2});
  CHECK(values("where(~((f > 0) & ~(f > 1)), 7, f)", {3}) == Values{7, 1, 7});
  CHECK(values("np.where(~np.isnan(f), f, 7)", {3}) == Values{0, 1, 2});
  CHECK(values("~~(f > 0)", {3}) == Values{0, 1, 1});
  // Of integers it inverts bits.
  CHECK(values("~i", {3}) == Values{-1, -2, -3});
}

TEST_CASE("the remainder of integers that are held as floats is exact", "[app][launch]") {
  const Result<Expectation> remainder = expect("f % 2", {3});
  REQUIRE(remainder);
  for (int64_t i = 0; i < 3; ++i) {
    CHECK(remainder->values.at(i) == double(i % 2));
    // 2 in place of 0 is not a rounding.
    CHECK(remainder->terms.above.at(i) < 1);
  }
}
