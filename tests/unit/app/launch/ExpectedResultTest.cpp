// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ExpectedResult.h"

#include "profiler/data/Npy.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>

using namespace tilescope;
using namespace tilescope::app;
using profiler::Dtype;
using profiler::PlanArgument;
using profiler::PlanTensor;
using profiler::Tensor;
using profiler::TensorInit;

static PlanArgument tensor(const char *name, std::vector<int64_t> shape, TensorInit init,
                           const char *expected = "") {
  return {name, PlanTensor{Dtype::Fp32, std::move(shape), init, false, expected}};
}

/// A launch over `x` = 0, 1, … of [2, 3], `bias` = 0, 1, 2 of [3], a scalar, a size, a constexpr.
static profiler::LaunchPlan makePlan(const char *expected) {
  profiler::LaunchPlan plan;
  plan.args = {tensor("x", {2, 3}, {.kind = TensorInit::Kind::Arange}),
               tensor("bias", {3}, {.kind = TensorInit::Kind::Arange}),
               tensor("rows", {2}, {.kind = TensorInit::Kind::Arange}),
               {"scale", profiler::PlanScalar{"fp32", 0.5}},
               tensor("out", {2, 3}, {}, expected)};
  plan.sizes = {{"n", "6"}};
  plan.constexprs = {{"BLOCK", "4"}};
  return plan;
}

/// The values alone.
static Result<Tensor> expectedTensor(const PlanArgument &argument, const ExpectedSources &sources,
                                     const std::stop_token &stop = {}) {
  Result<Expectation> expected = expectationOf(argument, sources, stop);
  return expected ? Result<Tensor>(std::move(expected->values)) : expected.error();
}

static Result<Tensor> expect(const char *expected, const std::string &folder = "/tmp") {
  const profiler::LaunchPlan plan = makePlan(expected);
  return expectedTensor(plan.args.back(), {plan, folder + "/kernel.py", ""});
}

static std::vector<double> values(const char *expected) {
  const Result<Tensor> result = expect(expected);
  REQUIRE(result);
  std::vector<double> all;
  for (int64_t i = 0; i < result->numElements(); ++i)
    all.push_back(result->at(i));
  return all;
}

TEST_CASE("what an output should be is evaluated for every element", "[app][launch]") {
  using Values = std::vector<double>;
  CHECK(values("x") == Values{0, 1, 2, 3, 4, 5});
  CHECK(values("x * scale + n - BLOCK") == Values{2, 2.5, 3, 3.5, 4, 4.5});
  // As NumPy broadcasts: along the last axis.
  CHECK(values("x + 10 * bias") == Values{0, 11, 22, 3, 14, 25});
  CHECK(values("max(x, 2.5)") == Values{2.5, 2.5, 2.5, 3, 4, 5});
  CHECK(values("1 if x > 2 else 0") == Values{0, 0, 0, 1, 1, 1});
  CHECK(values("math.sqrt(x * x)") == Values{0, 1, 2, 3, 4, 5});
  // As NumPy writes it.
  CHECK(values("where(x > 2, x, -1)") == Values{-1, -1, -1, 3, 4, 5});
  CHECK(values("np.maximum(x, 2) + numpy.minimum(bias, 1)") == Values{2, 3, 3, 3, 5, 6});
  CHECK(values("np.abs(x - 3)") == Values{3, 2, 1, 0, 1, 2});
  CHECK(values("torch.sqrt(square(x)) + exp(0 * x) - 1") == Values{0, 1, 2, 3, 4, 5});
  CHECK(values("clip(x, 1, np.inf)") == Values{1, 1, 2, 3, 4, 5});
  CHECK(values("x * rsqrt(0 * x + 4)") == Values{0, 0.5, 1, 1.5, 2, 2.5});
  CHECK(values("reciprocal(sigmoid(0 * x)) + torch.erf(0 * x)") == Values{2, 2, 2, 2, 2, 2});
  CHECK(values("where(isnan(np.sqrt(0 - x)), 7, 0)") == Values{0, 7, 7, 7, 7, 7});
}

/// The expected value of an output of [2].
static Result<Tensor> expectRows(const char *expected) {
  profiler::LaunchPlan plan = makePlan("");
  plan.args.back() = tensor("out", {2}, {}, expected);
  return expectedTensor(plan.args.back(), {plan, "/tmp/kernel.py", ""});
}

TEST_CASE("an axis of an input is reduced as in NumPy", "[app][launch]") {
  using Values = std::vector<double>;
  const auto rows = [](const char *expected) {
    INFO(expected);
    const Result<Tensor> result = expectRows(expected);
    if (!result)
      FAIL(result.error().message);
    REQUIRE(result->shape == std::vector<int64_t>{2});
    return Values{result->at(0), result->at(1)};
  };
  for (const char *sum : {"sum(x, axis=1)", "sum(x, 1)", "x.sum(axis=1)", "x.sum(-1)",
                          "np.sum(x, axis=1)", "torch.sum(x, dim=1)", "(x + 0 * bias).sum(1)",
                          "3 * mean(x, axis=1)", "prod(x + 1, axis=1) * 0 + x.sum(1)"})
    CHECK(rows(sum) == Values{3, 12});
  CHECK(rows("x.max(axis=1) - np.min(x, 1)") == Values{2, 2});
  CHECK(rows("argmax(0 - x, axis=1) + 10 * x.argmin(1) + np.argmax(x, -1)") == Values{2, 2});
  CHECK(rows("rows + sum(x)") == Values{15, 16});
  CHECK(rows("(x > 2).sum(axis=1)") == Values{0, 3});
  // Of integers the sum is one.
  CHECK(rows("sum(x > 1, axis=1) % 2") == Values{1, 1});
  // One in another: the sum of what each row has above its least.
  CHECK(rows("sum(x - min(x, axis=1, keepdims=True), axis=1)") == Values{3, 3});
  // Two values are compared element by element.
  CHECK(values("max(x, 2.5)") == Values{2.5, 2.5, 2.5, 3, 4, 5});
  CHECK(values("x - x.max(axis=1, keepdims=True)") == Values{-2, -1, 0, -2, -1, 0});
  CHECK(values("max(x, axis=0)") == Values{3, 4, 5, 3, 4, 5});
}

TEST_CASE("a spread divides by the number of elements, as in NumPy", "[app][launch]") {
  using Values = std::vector<double>;
  CHECK(values("np.var(x, axis=0) + 2 * x.std(0)") == Values(6, 5.25));
  CHECK(values("(x - x.mean(axis=0)) / x.std(axis=0, ddof=0)") == Values{-1, -1, -1, 1, 1, 1});
  CHECK(values("3 * x.var(axis=1, keep_dims=True)") == Values(6, 2));
  CHECK(values("12 * var(x) + 4 * var(sum(x, axis=1))") == Values(6, 116));
  CHECK(expect("x.std(ddof=1)").error().message.find("`ddof` is 0 here") != std::string::npos);
}

TEST_CASE("tensors are put together and moved along an axis as in NumPy", "[app][launch]") {
  using Values = std::vector<double>;
  // The halves of a rotary embedding.
  CHECK(values("concatenate((-x[:, 1:], x[:, :1]), axis=1)") == Values{-1, -2, 0, -4, -5, 3});
  CHECK(values("np.concatenate([x[1:], x[:1]])") == Values{3, 4, 5, 0, 1, 2});
  // Parts without elements add nothing.
  CHECK(values("concatenate((x[2:], x, x[1:1]))") == Values{0, 1, 2, 3, 4, 5});
  CHECK(values("concatenate((sum(x, axis=0), x[2:, 0]))") == Values{3, 5, 7, 3, 5, 7});
  CHECK(values("sum(x[2:], axis=0)") == Values{0, 0, 0, 0, 0, 0});
  CHECK(values("x[:, 2:2] @ x[2:, :]") == Values{0, 0, 0, 0, 0, 0});
  CHECK(values("torch.cat((x[..., 2:], x[..., :2]), dim=-1)") == Values{2, 0, 1, 5, 3, 4});
  CHECK(values("stack((bias, 2 * bias))") == Values{0, 1, 2, 0, 2, 4});
  CHECK(values("stack((rows, rows + 1, rows + 2), axis=1)") == Values{0, 1, 2, 1, 2, 3});
  CHECK(values("roll(x, 1, axis=1)") == Values{2, 0, 1, 5, 3, 4});
  CHECK(values("roll(x, -1, axis=0) + x") == Values{3, 5, 7, 3, 5, 7});
  CHECK(values("roll(x, 1)") == Values{5, 0, 1, 2, 3, 4});
  // One scale for each group of elements.
  CHECK(values("x * repeat(x[:, :1], 3, axis=1)") == Values{0, 0, 0, 9, 12, 15});
  CHECK(values("repeat(x, repeats=2, axis=-1)[:, 1:4]") == Values{0, 1, 1, 3, 4, 4});
  CHECK(values("reshape(repeat(x, 2)[3:9], (2, 3))") == Values{1, 2, 2, 3, 3, 4});
  const auto reason = [](const char *expected) {
    const profiler::LaunchPlan plan = makePlan(expected);
    const std::optional<Error> fault = expectationFault(plan.args.back(), plan);
    return fault ? fault->message : "none";
  };
  CHECK(reason("stack((bias, 2 * bias))") == "none");
  CHECK(reason("take(x[2:], arange(2), axis=0)").find("there is no index 0 along an axis of 0") !=
        std::string::npos);
  CHECK(reason("max(x[2:])").find("`max(x[2:])`: it has no element to choose from") !=
        std::string::npos);
  CHECK(reason("concatenate((x, bias))").find("[2, 3] and [3] do not fit together") !=
        std::string::npos);
  CHECK(reason("concatenate(x, x)").find("write it as `concatenate((a, b), axis=0)`") !=
        std::string::npos);
  CHECK(reason("roll(x)").find("write it as `roll(x, 2, axis=0)`") != std::string::npos);
  CHECK(reason("repeat(x)").find("write it as `repeat(x, 2, axis=0)`") != std::string::npos);
  CHECK(reason("repeat(x, 0, axis=0)").find("cannot be repeated 0 times") != std::string::npos);
  CHECK(reason("roll(x, 1, axis=2)").find("there is no axis 2 of 2") != std::string::npos);
}

TEST_CASE("axes are put into another order as in NumPy and PyTorch", "[app][launch]") {
  using Values = std::vector<double>;
  CHECK(values("swapaxes(swapaxes(x, 0, 1), -1, -2)") == Values{0, 1, 2, 3, 4, 5});
  // [2, 3] as [3, 2], taken apart again.
  for (const char *order :
       {"swapaxes(x, 0, 1)", "x.swapaxes(0, 1)", "np.transpose(x)", "transpose(x, (1, 0))",
        "x.transpose(1, 0)", "torch.permute(x, (1, 0))", "x.permute(1, 0)", "moveaxis(x, 0, -1)"}) {
    INFO(order);
    const std::string whole = order;
    const std::string columns = "stack((" + whole + "[:, 0], 2 * " + whole + "[:, 1]))";
    CHECK(values(columns.c_str()) == Values{0, 1, 2, 6, 8, 10});
  }
  // Products of stacks, as in attention: [1, 2, 3] @ [1, 3, 2].
  CHECK(values("(x[None] @ swapaxes(x[None], 1, 2))[0] @ x") == Values{42, 61, 80, 150, 214, 278});
  CHECK(values("(x[None] @ x[None].transpose(1, 2))[0] @ x") == values("(x @ x.T) @ x"));
  const auto reason = [](const char *expected) {
    const profiler::LaunchPlan plan = makePlan(expected);
    const std::optional<Error> fault = expectationFault(plan.args.back(), plan);
    return fault ? fault->message : "none";
  };
  CHECK(reason("swapaxes(x, 0, 2)").find("there is no axis 2 of 2") != std::string::npos);
  CHECK(reason("swapaxes(x)").find("write it as `swapaxes(a, 0, 1)`") != std::string::npos);
  CHECK(reason("transpose(x, (0, 0))").find("is named once") != std::string::npos);
}

TEST_CASE("shapes that do not fit are named with a way out, before anything runs",
          "[app][launch]") {
  const auto reason = [](const char *expected, std::vector<int64_t> shape) {
    profiler::LaunchPlan plan = makePlan("");
    plan.args.back() = tensor("out", std::move(shape), {}, expected);
    const std::optional<Error> fault = expectationFault(plan.args.back(), plan);
    return fault ? fault->message : "none";
  };
  CHECK(reason("x", {2}) ==
        "`out` could not be checked: `x` has the shape [2, 3], which does not fit [2] of `out`; "
        "`sum(x, axis=1)` has one axis less; the reductions over an axis are argmax, argmin, max, "
        "mean, "
        "min, prod, std, sum, var");
  CHECK(reason("2 * x", {3}).find("`sum(x, axis=0)` has one axis less") != std::string::npos);
  CHECK(reason("x / sum(x, axis=1)", {2, 3})
            .find("`sum(x, axis=1)` has the shape [2], which does not fit [2, 3] of `out`; "
                  "`keepdims=True` keeps the axis") != std::string::npos);
  CHECK(reason("sum(x + rows, axis=1)", {2}).find("of what it is combined with") !=
        std::string::npos);
  CHECK(reason("sum(x, axis=2)", {2}).find("`x` of the shape [2, 3] has no axis 2") !=
        std::string::npos);
  CHECK(reason("x.sum(axis=n)", {2}).find("the axis is one number") != std::string::npos);
  CHECK(reason("x.sum(where=1)", {2}).find("`where` is not known here") != std::string::npos);
  for (const char *unknown : {"x.median(axis=1)", "median(x, axis=1)", "np.median(x, 1)"}) {
    INFO(unknown);
    CHECK(reason(unknown, {2}).find("median") != std::string::npos);
    CHECK(reason(unknown, {2}).find("use one of abs, ") != std::string::npos);
    CHECK(reason(unknown, {2}).find("argmax, argmin, max, mean") != std::string::npos);
  }
  CHECK(reason("sum(x, axis=1)", {2}) == "none");
  CHECK(reason("y.sum(axis=1)", {2}).find("`y` is not defined") != std::string::npos);
}

TEST_CASE("an expectation that cannot be met is refused with its reason", "[app][launch]") {
  const auto reason = [](const char *expected) {
    const Result<Tensor> result = expect(expected);
    REQUIRE_FALSE(result);
    return result.error().message;
  };
  CHECK(reason("x +").find("is not an expression") != std::string::npos);
  CHECK(reason("y") ==
        "`out` could not be checked: `y` is not defined; the names here are `x`, `bias`, "
        "`rows`, `scale`, `out`, `n`, `BLOCK`");
  for (const char *unknown : {"gamma(x)", "np.gamma(x)"})
    CHECK(reason(unknown).find(
              "is not a function that can be used here; use one of abs, ceil, clip, ") !=
          std::string::npos);
  CHECK(reason("x + rows").find("`rows` has the shape [2], which does not fit [2, 3]") !=
        std::string::npos);
  CHECK(reason("'text'").find("is not a number") != std::string::npos);
  CHECK(reason("1 / 0").find("`out` could not be checked") != std::string::npos);
  CHECK(reason("missing.npy").find("missing.npy") != std::string::npos);
  profiler::LaunchPlan plan = makePlan("1");
  plan.args.back() = tensor("out", {1 << 23}, {}, "1");
  const Result<Tensor> large = expectedTensor(plan.args.back(), {plan, "kernel.py", ""});
  REQUIRE_FALSE(large);
  CHECK(large.error().message.find("at most 4194304 elements") != std::string::npos);
  std::stop_source stopped;
  stopped.request_stop();
  plan = makePlan("x");
  CHECK(
      expectedTensor(plan.args.back(), {plan, "kernel.py", ""}, stopped.get_token()).error().code ==
      ErrorCode::Cancelled);
}

TEST_CASE("a file says what an output should be, whatever its element type", "[app][launch]") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "tilescope-expected-test";
  std::filesystem::create_directories(folder);
  const Tensor doubles =
      profiler::makeTensor(Dtype::Fp64, {2, 3}, {.kind = TensorInit::Kind::Arange});
  REQUIRE(profiler::writeNpy((folder / "right.npy").string(), doubles));
  const Result<Tensor> read = expect("right.npy", folder.string());
  REQUIRE(read);
  CHECK(read->dtype == Dtype::Fp32);
  CHECK(read->at(5) == 5);
  REQUIRE(profiler::writeNpy((folder / "long.npy").string(),
                             profiler::makeTensor(Dtype::Fp32, {7}, {})));
  const Result<Tensor> wrong = expect("long.npy", folder.string());
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message.find("has the shape [7], the argument [2, 3]") != std::string::npos);
  // One that is missing is told before anything runs.
  const auto fault = [&](const char *expected, const std::string &source) {
    const profiler::LaunchPlan plan = makePlan(expected);
    const std::optional<Error> found = expectationFault(plan.args.back(), plan, source);
    return found ? found->message : "none";
  };
  const std::string source = (folder / "kernel.py").string();
  CHECK(fault("right.npy", source) == "none");
  CHECK(fault("rihgt.npy", source) == "`out` could not be checked: there is no file `rihgt.npy` in "
                                      "the folder of the kernel's file");
  CHECK(fault("rihgt.npy", "") == "none");
  std::filesystem::remove_all(folder);
}

/// What an output of a shape should be, over `a` = 0, 1, … of [2, 3] and `b` = 0, 1, … of [3, 2].
static Result<Tensor> expectProduct(std::vector<int64_t> shape, const char *expected) {
  profiler::LaunchPlan plan;
  plan.args = {tensor("a", {2, 3}, {.kind = TensorInit::Kind::Arange}),
               tensor("b", {3, 2}, {.kind = TensorInit::Kind::Arange}),
               tensor("stack", {2, 2, 3}, {.kind = TensorInit::Kind::Arange}),
               tensor("v", {3}, {.kind = TensorInit::Kind::Arange}),
               {"scale", profiler::PlanScalar{"fp32", 0.5}},
               tensor("out", std::move(shape), {}, expected)};
  plan.sizes = {{"M", "2"}};
  return expectedTensor(plan.args.back(), {plan, "/tmp/kernel.py", ""});
}

TEST_CASE("matrices are multiplied, transposed and indexed as in NumPy", "[app][launch]") {
  using Values = std::vector<double>;
  const auto values = [](std::vector<int64_t> shape, const char *expected) {
    INFO(expected);
    const Result<Tensor> result = expectProduct(std::move(shape), expected);
    if (!result)
      FAIL(result.error().message);
    Values all;
    for (int64_t i = 0; i < result->numElements(); ++i)
      all.push_back(result->at(i));
    return all;
  };
  CHECK(values({2, 2}, "a @ b") == Values{10, 13, 28, 40});
  CHECK(values({2, 2}, "np.matmul(a, b) * scale + 1") == Values{6, 7.5, 15, 21});
  CHECK(values({2, 2}, "a @ (2 * a).T") == Values{10, 28, 28, 100});
  CHECK(values({3, 3}, "b @ a") == Values{3, 4, 5, 9, 14, 19, 15, 24, 33});
  // A vector on either side, and both.
  CHECK(values({2}, "a @ v") == Values{5, 14});
  CHECK(values({2}, "v @ b") == Values{10, 13});
  CHECK(values({1}, "v @ v") == Values{5});
  // A stack of matrices by one.
  CHECK(values({2, 2, 2}, "stack @ b") == Values{10, 13, 28, 40, 46, 67, 64, 94});
  CHECK(values({3, 2}, "a.T") == Values{0, 3, 1, 4, 2, 5});
  CHECK(values({3}, "a[1]") == Values{3, 4, 5});
  CHECK(values({3}, "a[-1, :]") == Values{3, 4, 5});
  CHECK(values({2}, "a[:, 2]") == Values{2, 5});
  CHECK(values({2, 2}, "a[:M, 1:]") == Values{1, 2, 4, 5});
  CHECK(values({2, 2}, "a[:, ::2]") == Values{0, 2, 3, 5});
  CHECK(values({3}, "v[::-1]") == Values{2, 1, 0});
  CHECK(values({3, 3}, "v[:, None] * v[None, :]") == Values{0, 0, 0, 0, 1, 2, 0, 2, 4});
  CHECK(values({2, 2}, "stack[..., 0]") == Values{0, 3, 6, 9});
  CHECK(values({2}, "sum(a @ b, axis=1)") == Values{23, 68});
  CHECK(values({2, 2}, "(a @ b)[:, ::-1] - max(a, axis=1)[:, None]") == Values{11, 8, 35, 23});
}

TEST_CASE("what does not fit in a product or an index is said", "[app][launch]") {
  const auto fault = [](const char *expected) {
    const Result<Tensor> result = expectProduct({2, 2}, expected);
    return result ? std::string() : result.error().message;
  };
  const auto says = [&](const char *expected, const char *words) {
    const std::string message = fault(expected);
    INFO(expected << ": " << message);
    CHECK(message.find(words) != std::string::npos);
  };
  says("a @ a", "`a @ a`: `a` has the shape [2, 3], `a` [2, 3]: the columns of the first, 3, are "
                "not the rows of the second, 2");
  says("a @ scale", "a number has no rows and columns");
  says("stack @ stack", "the columns of the first, 3");
  says("a[2]", "axis 0 has 2 elements, and no 2");
  says("a[0, 0, 0]", "has 2 axes, here are 3 indices");
  says("a[v]", "an index is a number");
  says("a[::0]", "the step of a slice is not 0");
  says("a[unknown]", "unknown");
  says("b @ a", "does not fit [2, 2] of `out`");
}

TEST_CASE("an expected value that an integer type cannot hold is said", "[app][launch]") {
  const auto reason = [](Dtype dtype, const char *expected) {
    profiler::LaunchPlan plan = makePlan("");
    plan.args.back() = {"out", PlanTensor{dtype, {2, 3}, {}, false, expected}};
    const Result<Expectation> result =
        expectationOf(plan.args.back(), {plan, "/tmp/kernel.py", ""});
    return result ? "none" : result.error().message;
  };
  CHECK(reason(Dtype::Int8, "x * 50") ==
        "`out` could not be checked: 3 expected values do not fit `i8`, the first at [1, 0]: 150; "
        "`clip(…)` says what becomes of such values");
  CHECK(reason(Dtype::Int8, "clip(x * 50, -128, 127)") == "none");
  CHECK(reason(Dtype::Int8, "x * 25.5") == "none");
  CHECK(reason(Dtype::Uint8, "x - 1").find("1 expected value does not fit `u8`") !=
        std::string::npos);
  // Where nothing is defined, nothing is wrapped.
  CHECK(reason(Dtype::Int32, "log(x)") == "none");
  CHECK(reason(Dtype::Int32, "1 / x") == "none");
  CHECK(reason(Dtype::Int64, "x * 2.0 ** 62").find("do not fit `i64`") != std::string::npos);
  CHECK(reason(Dtype::Int1, "x") == "none");
}

TEST_CASE("ranges, running sums and gathers of what an output should be", "[app][launch]") {
  using Values = std::vector<double>;
  // `x` is [[0, 1, 2], [3, 4, 5]], `bias` [0, 1, 2] and `rows` [0, 1].
  CHECK(values("x + 10 * arange(3)") == Values{0, 11, 22, 3, 14, 25});
  CHECK(values("x * arange(1, n // 2)[:, None]") == Values{0, 1, 2, 6, 8, 10});
  CHECK(values("where(arange(2)[:, None] >= arange(3), x, -1)") == Values{0, -1, -1, 3, 4, -1});
  CHECK(values("cumsum(x, axis=1)") == Values{0, 1, 3, 3, 7, 12});
  CHECK(values("np.cumsum(x, 0)") == Values{0, 1, 2, 3, 5, 7});
  CHECK(values("x + cumsum(bias)") == Values{0, 2, 5, 3, 5, 8});
  CHECK(values("sort(-x)") == Values{-2, -1, 0, -5, -4, -3});
  CHECK(values("sort(x, axis=1, descending=True)") == Values{2, 1, 0, 5, 4, 3});
  CHECK(values("argsort(-x, axis=0)") == Values{1, 1, 1, 0, 0, 0});
  CHECK(values("x * 0 + take_along_axis(x, rows[:, None], axis=1)") == Values{0, 0, 0, 4, 4, 4});
  CHECK(values("take(x, 1 - rows, axis=0)") == Values{3, 4, 5, 0, 1, 2});
  CHECK(values("x * 0 + (x + 1)[0, arange(2)][:, None]") == Values{1, 1, 1, 2, 2, 2});
  CHECK(values("x * 0 + take(bias, -1 - rows)[:, None]") == Values{2, 2, 2, 1, 1, 1});
  const auto reason = [](const char *expected) {
    const Result<Tensor> result = expect(expected);
    REQUIRE_FALSE(result);
    return result.error().message;
  };
  CHECK(reason("take(x, rows + 2, axis=0)").find("no index 2 along an axis") != std::string::npos);
  CHECK(reason("cumsum(x)").find("write it as `cumsum(x, axis=0)`") != std::string::npos);
  CHECK(reason("take_along_axis(x, rows, axis=1)").find("do not fit along") != std::string::npos);
  CHECK(reason("x + arange(x)").find("an index is a number") != std::string::npos);
}
