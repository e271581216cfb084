// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What authors write as they write it in NumPy and PyTorch: types, and outputs called like functions.
#include "app/launch/ExpectedResult.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using profiler::Tensor;
using profiler::TensorInit;
using Elements = std::vector<double>;

/// Of an output `name` beside `x` = 0, 1, … of [2, 3]; nothing: it is no expectation.
static std::optional<Elements> elementsOf(const char *expected, const char *name = "out",
                                          std::vector<int64_t> shape = {2, 3}) {
  profiler::PlanTensor x, out;
  x.shape = {2, 3};
  x.init.kind = TensorInit::Kind::Arange;
  out.shape = std::move(shape);
  out.init.kind = TensorInit::Kind::Poison;
  out.expected = expected;
  profiler::LaunchPlan plan;
  plan.args = {{"x", x}, {name, out}};
  const Result<Expectation> found =
      expectationOf(plan.args.back(), {plan, "/tmp/kernel.py", ""}, {});
  if (!found)
    return std::nullopt;
  Elements all;
  for (int64_t i = 0; i < found->values.numElements(); ++i)
    all.push_back(found->values.at(i));
  return all;
}

TEST_CASE("an output may have the name of a function that it is computed with", "[app][launch]") {
  for (const char *mean : {"mean(x, axis=1)", "np.mean(x, axis=1)", "x.mean(axis=1)"})
    CHECK(elementsOf(mean, "mean", {2}) == Elements{1, 4});
  CHECK_FALSE(elementsOf("mean + 1", "mean", {2}));
}

TEST_CASE("conversions to floating-point types change nothing in an expression", "[app][launch]") {
  for (const char *same : {"x.astype(\"float32\")", "x.astype(np.float16)", "x.to(torch.float32)",
                           "x.float()", "(x.astype(float) + 0).astype(\"fp16\")"})
    CHECK(elementsOf(same) == Elements{0, 1, 2, 3, 4, 5});
  // Numbers are added, and truths combined.
  CHECK(elementsOf("(x > 1).astype(float) + (x > 2)") == Elements{0, 0, 1, 2, 2, 2});
  CHECK(elementsOf("(x > 1) + (x > 2)") == Elements{0, 0, 1, 1, 1, 1});
  CHECK(elementsOf("sum((x > 1).astype(\"float32\"), axis=1, keepdims=True)") ==
        Elements{1, 1, 1, 3, 3, 3});
  CHECK_FALSE(elementsOf("x.astype(\"int8\")"));
}
