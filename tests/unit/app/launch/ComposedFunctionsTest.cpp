// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions that expressions do not have: what they write instead, in their own names.
#include "app/launch/ComposedFunctions.h"

#include "app/launch/ArrayErrors.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

TEST_CASE("functions become formulas of the arrays that they are called with", "[app][launch]") {
  CHECK(withFormulas("np.outer(x_ptr, y_ptr)") == "x_ptr[:, None] * y_ptr[None, :]");
  CHECK(withFormulas("outer(b, a)") == "b[:, None] * a[None, :]");
  CHECK(withFormulas("1 / np.outer(x + 1, f(y))") == "1 / ((x + 1)[:, None] * f(y)[None, :])");
  CHECK(withFormulas("torch.relu(a - b)") == "maximum(a - b, 0)");
  CHECK(withFormulas("softmax(x)") == "exp(x) / sum(exp(x), axis=1, keepdims=True)");
  CHECK(withFormulas("np.flip(x, axis=1)") == "x[:, ::-1]");
  CHECK(withFormulas("np.flip(x + y, 0)") == "(x + y)[::-1]");
  CHECK(withFormulas("flip(x)") == "x[::-1]");
  CHECK(withFormulas("np.flip(x, axis=2)").empty());
  CHECK(withFormulas("np.fliplr(x) * 2") == "(x[:, ::-1]) * 2");
  CHECK(withFormulas("torch.softmax(q @ k, dim=-1)") ==
        "exp(q @ k) / sum(exp(q @ k), axis=-1, keepdims=True)");
  CHECK(withFormulas("silu(x - 1)") == "(x - 1) * sigmoid(x - 1)");
  CHECK(withFormulas("np.dot(a, relu(b))") == "a @ (maximum(b, 0))");
  // What says more than the formula, and what is no such function, stays.
  for (const char *other : {"gelu(x, approximate='tanh')", "norm(x, axis=1)", "outer(x)", "x * 2",
                            "rms_norm(x)", "x.softmax(1)", "exp(x) +"}) {
    INFO(other);
    CHECK(withFormulas(other).empty());
  }
}

TEST_CASE("what is said of a function has the names of the expression", "[app][launch]") {
  const auto words = [](const std::string &text, const char *name) {
    compiler::constant::PythonError error;
    error.type = "NameError";
    error.cause.subject = name;
    return inWordsOfBlock(text, error, {}).message;
  };
  CHECK(words("outer(x_ptr, y_ptr)", "outer")
            .find("`outer` is not a function that can be used here; write "
                  "`x_ptr[:, None] * y_ptr[None, :]`") != std::string::npos);
  CHECK(words("gelu(x_ptr, approximate='tanh')", "gelu")
            .find("for an array `x` it is `0.5 * x * (1 + erf(x / sqrt(2)))`") !=
        std::string::npos);
  // Parts that were worked out have names that no user knows.
  CHECK(words("outer(__reduced_0, y_ptr)", "outer")
            .find("for an array `x` it is `a[:, None] * b[None, :]`") != std::string::npos);
}
