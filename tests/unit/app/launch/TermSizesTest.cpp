// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The sizes that are worked out beside expected values (RoundedNumber.h).
#include "app/launch/ExpectedResult.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

using namespace tilescope;
using namespace tilescope::app;
using profiler::Dtype;
using profiler::PlanTensor;
using profiler::TensorInit;

/// Small numbers, of which a sum with a large one loses bits.
static PlanTensor fractions(Dtype type) {
  return {type,
          {3},
          {.kind = TensorInit::Kind::Rand, .seed = 3, .low = 0.0001, .high = 0.001},
          false,
          ""};
}

/// The sizes of the terms of an output of [3], of `x` = `fractions` of fp32, `h` of fp16, and `i` =
/// 0, 1, 2 of i32 and `f` of fp32.
static std::vector<double> sizes(const char *expected, Dtype dtype = Dtype::Fp32) {
  INFO(expected);
  const auto ramp = [](Dtype type) {
    return PlanTensor{type, {3}, {.kind = TensorInit::Kind::Arange}, false, ""};
  };
  profiler::LaunchPlan plan;
  plan.args = {{"x", fractions(Dtype::Fp32)},
               {"h", fractions(Dtype::Fp16)},
               {"i", ramp(Dtype::Int32)},
               {"f", ramp(Dtype::Fp32)},
               {"out", PlanTensor{dtype, {3}, {}, false, expected}}};
  const Result<Expectation> result = expectationOf(plan.args.back(), {plan, "/tmp/kernel.py", ""});
  REQUIRE(result);
  std::vector<double> all;
  for (int64_t i = 0; i < result->terms.sizes.numElements(); ++i)
    all.push_back(result->terms.sizes.at(i));
  return all;
}

static void checkSizes(const std::vector<double> &found, const std::vector<double> &wanted) {
  REQUIRE(found.size() == wanted.size());
  for (size_t i = 0; i < found.size(); ++i)
    CHECK(found[i] == Approx(wanted[i]).epsilon(1e-3).margin(1e-30));
}

TEST_CASE("a factor of an exact sum may be one of each of its terms", "[app][launch]") {
  const auto ofEach = [](const std::function<double(double)> &size) {
    return std::vector<double>{size(0), size(1), size(2)};
  };
  // i = 0, 1, 2: i - 2 is exact, and so is what a power of two makes of it.
  checkSizes(sizes("i - 2"), {0, 0, 0});
  checkSizes(sizes("(i - 2) / 4"), {0, 0, 0});
  checkSizes(sizes("3 * (i - 2)"), {0, 0, 0});
  // Beside the terms, the result is rounded, and 0.1 itself.
  const auto scaled = [](double i) {
    return 0.1 * std::hypot(std::sqrt(2) * (i - 2), std::hypot(i, 2));
  };
  checkSizes(sizes("(i - 2) * 0.1"), ofEach(scaled));
  checkSizes(sizes("(i - 2) / 4 * 0.4"), ofEach(scaled));
  checkSizes(sizes("(f - 2) * 0.1"), ofEach(scaled));
  checkSizes(sizes("(i - 2) / 10"),
             ofEach([](double i) { return 0.1 * std::hypot(i - 2, std::hypot(i, 2)); }));
  // One integer has no terms.
  checkSizes(sizes("(i * 2) * 0.1"), ofEach([](double i) { return 0.1 * std::sqrt(2) * 2 * i; }));
}

TEST_CASE("beside each expected value the size of its terms is worked out", "[app][launch]") {
  const profiler::Tensor x = profiler::makeTensor(Dtype::Fp32, {3}, fractions(Dtype::Fp32).init);
  const auto ofEach = [&](const std::function<double(double)> &size) {
    return std::vector<double>{size(x.at(0)), size(x.at(1)), size(x.at(2))};
  };
  // An input enters as it is, and what is computed of it is rounded.
  checkSizes(sizes("x"), {0, 0, 0});
  const auto more = [](double each) { return each + 2; };
  checkSizes(sizes("x + 2"), ofEach(more));
  checkSizes(sizes("x * x"), ofEach([](double each) { return each * each; }));
  // What cancels out leaves the roundings.
  checkSizes(sizes("(x + 2) - (x + 2)"),
             ofEach([&](double each) { return std::sqrt(2) * more(each); }));
  checkSizes(sizes("2 * (x + 2)"), ofEach([&](double each) { return std::sqrt(8) * more(each); }));
  // By a function errors go as steep as it is; its operand may have been scaled for it.
  checkSizes(sizes("exp(x)"),
             ofEach([](double each) { return std::exp(each) * std::hypot(1, each); }));
  checkSizes(sizes("exp(x + 2)"), ofEach([&](double each) {
               return std::exp(more(each)) * std::hypot(1, std::sqrt(2) * more(each));
             }));
  checkSizes(sizes("sqrt(x)"), ofEach([](double each) { return std::sqrt(each); }));
  checkSizes(sizes("(x + 2) / 3"),
             ofEach([&](double each) { return std::sqrt(2) * more(each) / 3; }));
  checkSizes(sizes("(x + 2) ** 2"),
             ofEach([&](double each) { return std::sqrt(5) * more(each) * more(each); }));
  // Of the operand that is chosen.
  checkSizes(sizes("where(x > 0, x + 2, x)"), ofEach(more));
  checkSizes(sizes("maximum(x + 2, 3.5)"), {0, 0, 0});
  checkSizes(sizes("abs(-(x + 2))"), ofEach(more));
  checkSizes(sizes("roll(x + 2, 1)"), {more(x.at(2)), more(x.at(0)), more(x.at(1))});
  checkSizes(sizes("(x + 2)[::-1]"), {more(x.at(2)), more(x.at(1)), more(x.at(0))});
  checkSizes(sizes("take(x + 2, 2 - i)"), {more(x.at(2)), more(x.at(1)), more(x.at(0))});
  // Sums and products of matrices, with what long sums add.
  const double sum = x.at(0) + x.at(1) + x.at(2), growth = 0.03;
  const double squares = x.at(0) * x.at(0) + x.at(1) * x.at(1) + x.at(2) * x.at(2);
  CHECK(sizes("sum(x) + 0 * x")[0] == Approx(std::hypot(std::sqrt(squares), sum)).epsilon(growth));
  const double fourths = std::pow(x.at(0), 4) + std::pow(x.at(1), 4) + std::pow(x.at(2), 4);
  CHECK(sizes("(x @ x) + 0 * x")[0] ==
        Approx(std::hypot(std::sqrt(fourths), squares)).epsilon(growth));
  // Integers and truths are exact, and of integers nothing is rounded.
  checkSizes(sizes("i * 2 + 1"), {0, 0, 0});
  checkSizes(sizes("arange(3) + 0 * i"), {0, 0, 0});
  checkSizes(sizes("x > 1"), {0, 0, 0});
  checkSizes(sizes("i * 2", Dtype::Int32), {0, 0, 0});
  // Whatever the type of the output is, its terms are those of fp32.
  checkSizes(sizes("h", Dtype::Fp16), {0, 0, 0});
  checkSizes(sizes("x", Dtype::Fp16), {0, 0, 0});
  checkSizes(sizes("x * x", Dtype::Fp16), ofEach([](double each) { return each * each; }));
  // A number that fp32 does not hold is rounded, and where an operation is not known, nobody can tell.
  const double twice = 0.1 * std::sqrt(2);
  checkSizes(sizes("0.1 + 0 * i"), {twice, twice, twice});
  CHECK(std::isnan(sizes("float(x) + 1")[0]));
}

TEST_CASE("what the type holds as it comes out is not rounded", "[app][launch]") {
  checkSizes(sizes("f + 2"), {0, 0, 0});
  checkSizes(sizes("f * f - 0.25"), {0, 0, 0});
  // By a power of two; GPUs multiply by the reciprocal of other numbers.
  checkSizes(sizes("(f + 1) / 16"), {0, 0, 0});
  CHECK(sizes("(f + 1) / 3")[2] > 0);
  // `floor` jumps where an integer is within the error of its operand, and nowhere else.
  checkSizes(sizes("floor(f / 4)"), {0, 0, 0});
  checkSizes(sizes("(f / 4) // 1 + f % 2"), {0, 0, 0});
  checkSizes(sizes("floor(x * 0.7)"), {0, 0, 0});
  checkSizes(sizes("floor(f * 3 / 3)"), {0, 0, 0});
}

/// How far below and above its value the middle element may lie.
static std::pair<double, double> bounds(const char *expected, Dtype dtype = Dtype::Fp32,
                                        const compiler::RoundingFacts &kernel = {}) {
  INFO(expected);
  profiler::LaunchPlan plan;
  plan.args = {{"f", PlanTensor{Dtype::Fp32, {3}, {.kind = TensorInit::Kind::Arange}, false, ""}},
               {"out", PlanTensor{dtype, {3}, {}, false, expected}}};
  ExpectedSources sources{plan, "/tmp/kernel.py", ""};
  sources.roundings = {kernel};
  sources.roundings.front().argument = "out";
  const Result<Expectation> result = expectationOf(plan.args.back(), sources);
  REQUIRE(result);
  return {result->terms.below.at(1), result->terms.above.at(1)};
}

TEST_CASE("a step has bounds on the side to which it may jump", "[app][launch]") {
  using Bounds = std::pair<double, double>;
  CHECK(bounds("floor(f * 3 / 3)") == Bounds(1, 0));
  CHECK(bounds("ceil(f * 3 / 3)") == Bounds(0, 1));
  CHECK(bounds("round(f * 0.3 * 5)") == Bounds(1, 0));
  CHECK(bounds("-floor(f * 3 / 3) * 4") == Bounds(0, 4));
  CHECK(bounds("10 - floor(f * 3 / 3)", Dtype::Int8) == Bounds(0, 1));
  CHECK(bounds("maximum(floor(f * 3 / 3), 1)") == Bounds(0, 0));
  CHECK(bounds("clip(floor(f * 3 / 3), -1, 1)") == Bounds(1, 0));
  CHECK(bounds("abs(floor(f * 3 / 3) - 1)") == Bounds(0, 1));
  CHECK(bounds("where(f * 3 / 3 >= 1, 5, 2)") == Bounds(3, 0));
  CHECK(bounds("(f * 3 / 3 >= 1) + 0", Dtype::Int8) == Bounds(1, 0));
  CHECK(bounds("max(floor(f * 3 / 3)) + 0 * f") == Bounds(1, 0));
  CHECK(bounds("stack((f, floor(f * 3 / 3)))[1]") == Bounds(1, 0));
  CHECK(bounds("floor(f * 3 / 3 + 0.5)") == Bounds(0, 0));
}

TEST_CASE("operations of a narrow type have bounds of half a unit each", "[app][launch]") {
  compiler::RoundingFacts kernel;
  kernel.operations = {0x1p-7, 0x1p-126, false};
  CHECK(bounds("f * 1.5", Dtype::Bf16, kernel) == std::pair(0.0, 0.0));
  CHECK(bounds("f / 3", Dtype::Bf16, kernel).first == Approx(0x1p-8 / 3));
  CHECK(bounds("f / 3 * f / 3", Dtype::Bf16, kernel).first == Approx(3 * 0x1p-8 / 9).epsilon(0.01));
}

TEST_CASE("infinity is exact, and what is not known is off by what the kernel rounds",
          "[app][launch]") {
  for (const char *infinite : {"-np.inf", "float('-inf')"})
    checkSizes(sizes(("where(i < 3, 1, " + std::string(infinite) + ") + 0 * x").c_str()),
               {0, 0, 0});
  const std::vector<double> masked = sizes("exp(where(i < 2, x, -np.inf))");
  CHECK(masked[0] > 1);
  CHECK(masked[2] == Approx(0).margin(1e-30));
  compiler::RoundingFacts kernel;
  kernel.factors = {0x1p-7, 0x1p-126, false};
  CHECK(bounds("float(f) + 1", Dtype::Bf16, kernel).first >= 8 * 0x1p-7);
}
