// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/NumberExpression.h"

#include "app/launch/ArrayFunctions.h"
#include "app/launch/ArrayShapes.h"
#include "compiler/constant/Operators.h"
#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace tilescope;
using namespace tilescope::app;
namespace constant = compiler::constant;
using constant::Value;
using profiler::Dtype;

namespace {

/// Expressions of `x`, floats of all kinds, `k`, integers up to the largest, and `scale`.
struct Names {
  std::vector<int64_t> shape{10};
  ArrayOperands operands;
  std::vector<int64_t> coordinates{0};
  constant::Environment environment = constant::hostEnvironment({});

  Names() {
    const double infinity = std::numeric_limits<double>::infinity();
    const double floats[] = {0, -0.0, 1.5, -2.25, 1e300, -1e-300, infinity, -infinity, 3, -7};
    const int64_t integers[] = {0, 1, -1, 7, -8, int64_t{1} << 52, -(int64_t{1} << 62), 3, 2, 5};
    ArrayOperand x{"x", shape, false, profiler::Tensor{Dtype::Fp64, shape, {}}, {1}};
    ArrayOperand k{"k", shape, false, profiler::Tensor{Dtype::Int64, shape, {}}, {1}};
    for (ArrayOperand *each : {&x, &k})
      each->tensor.data.resize(10 * sizeof(double));
    for (int64_t i = 0; i < 10; ++i) {
      x.tensor.set(i, floats[i]);
      k.tensor.set(i, static_cast<double>(integers[i]));
    }
    x.tensor.set(9, std::numeric_limits<double>::quiet_NaN());
    operands.emplace("x", x);
    operands.emplace("k", k);
    environment.lookup =
        [this, host = environment.lookup](std::string_view name) -> std::optional<Value> {
      if (const auto found = operands.find(name); found != operands.end())
        return found->second.at(coordinates);
      return name == "scale" ? std::optional(Value::real(0.5)) : host(name);
    };
    addArrayFunctions(environment);
  }
};

} // namespace

/// Type and digits; the place in the list tells elements apart.
static std::string textOf(const std::optional<Value> &value) {
  return value ? value->typeName() + " " + constant::repr(*value) : "nothing";
}

TEST_CASE("usual expressions come to the values that Python has, element by element",
          "[app][launch]") {
  Names names;
  for (const char *text : {"x",
                           "k",
                           "-x",
                           "-k",
                           "x + k",
                           "x - 1",
                           "2 * x * scale + 0.25",
                           "k * k",
                           "k + 1",
                           "x / 3",
                           "k / 4",
                           "x / k",
                           "k / x",
                           "x > 0",
                           "k == 7",
                           "x <= k",
                           "(x > 0) + k",
                           "-(k > 2)",
                           "np.exp(x)",
                           "abs(x)",
                           "np.abs(k)",
                           "np.sqrt(x)",
                           "max(x, 0)",
                           "min(k, 2)",
                           "max(x, k)",
                           "np.maximum(x, 0)",
                           "np.minimum(k, x)",
                           "np.where(x > 0, x, 0)",
                           "where(k, x, k)",
                           "np.tanh(x * scale) * (k - 3)"}) {
    const auto parsed = compiler::ast::parseExpression(text);
    REQUIRE(parsed.expr);
    std::optional<NumberExpression> quick =
        NumberExpression::of(*parsed.expr, names.operands, names.environment);
    INFO(text);
    const bool isPythons = std::string_view(text) == "abs(x)";
    CHECK((quick || isPythons));
    for (names.coordinates = {0}; quick; advance(names.coordinates, names.shape)) {
      const std::optional<Value> value = quick->at(names.coordinates);
      const constant::Evaluation whole = constant::evaluate(*parsed.expr, names.environment);
      INFO("element " << names.coordinates[0]);
      // What needs more than 64 bits, or fails, is left out.
      if (value)
        CHECK(textOf(value) == textOf(whole.value));
      else
        CHECK((!whole.value || names.coordinates[0] >= 5 || !whole.value->isFloat()));
      if (names.coordinates[0] == 9)
        break;
    }
  }
}

TEST_CASE("other expressions are left to the evaluation of Python", "[app][launch]") {
  Names names;
  for (const char *text :
       {"x if k else 0", "k % 3", "k // 2", "x ** 2", "k & 1", "not x", "0 < x < 1", "[x][0]",
        "np.clip(x, 0, 1)", "max(x, 0, 1)", "unknown + x", "'text'", "np.where(x > 0, x, 'a')"}) {
    const auto parsed = compiler::ast::parseExpression(text);
    REQUIRE(parsed.expr);
    INFO(text);
    CHECK_FALSE(NumberExpression::of(*parsed.expr, names.operands, names.environment));
  }
}
