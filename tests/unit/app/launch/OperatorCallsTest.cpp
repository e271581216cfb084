// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Expectations that name functions for what are operators, or nothing that is known.
#include "app/launch/OperatorCalls.h"

#include "app/launch/ExpectedResult.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

/// What is wrong with what is expected of `out`, which nothing fills, beside the input `x`.
static std::string faultOf(const std::string &expected) {
  profiler::PlanTensor x, out;
  x.shape = out.shape = {4};
  x.init.kind = profiler::TensorInit::Kind::Arange;
  out.expected = expected;
  profiler::LaunchPlan plan;
  plan.args = {{"x", x}, {"out", out}};
  const std::optional<Error> fault = expectationFault(plan.args.back(), plan);
  return fault ? fault->message : "";
}

TEST_CASE("functions that are operators are written as such", "[app][launch]") {
  CHECK(withOperators("np.add(x, y)") == "x + y");
  CHECK(withOperators("torch.mul(np.subtract(x, y), 2)") == "(x - y) * 2");
  CHECK(withOperators("sum(np.multiply(x, y + 1), axis=1)") == "sum((x * (y + 1)), axis=1)");
  CHECK(withOperators("np.add(x, out=y)").empty());
  CHECK(withOperators("maximum(x, y)").empty());
  CHECK(withOperators("np.add(x").empty());
}

TEST_CASE("what is not an expectation is told, with what is meant", "[app][launch]") {
  CHECK(faultOf("np.add(x, x)")
            .ends_with("add` is not a function that can be used here; write `a + b`"));
  CHECK(faultOf("out + 1").find("names the array itself, which nothing fills before the launch") !=
        std::string::npos);
  CHECK(faultOf("x + x").empty());
}
