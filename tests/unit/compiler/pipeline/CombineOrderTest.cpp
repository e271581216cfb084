// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions of reductions and scans whose results depend on the order in which a GPU combines elements.
#include "compiler/pipeline/Compiler.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

using Warnings = std::vector<std::string>;

/// What a run of one program says of the order in `body`, a kernel of 64 floats `x` and numbers `i`; `combine` is the body
/// of the function `f` of the parameters `parameters`.
static Warnings warningsOf(const std::string &parameters, const std::string &combine,
                           const std::string &body) {
  CompileRequest request;
  request.path = "/kernels/k.py";
  request.text = "import triton\nimport triton.language as tl\n\n@triton.jit\ndef f(" + parameters +
                 "):\n" + combine +
                 "\n@triton.jit\ndef k(x_ptr, y_ptr):\n    i = tl.arange(0, 64)\n"
                 "    x = tl.load(x_ptr + i)\n" +
                 body;
  request.selection.kernel = "k";
  request.selection.signature = {{"x_ptr", "*fp32:16"}, {"y_ptr", "*fp32:16"}};
  request.selection.target = "cuda:90";
  std::vector<std::vector<float>> tensors(2, std::vector<float>(64, 1));
  InterpretInput input;
  input.numThreads = 1;
  input.argument = [&](const KernelParameter &parameter) {
    InterpreterArgument argument;
    argument.name = parameter.name;
    std::vector<float> &tensor = tensors[static_cast<size_t>(parameter.name[0] - 'x')];
    argument.data = reinterpret_cast<std::byte *>(tensor.data());
    argument.sizeBytes = tensor.size() * sizeof(float);
    return argument;
  };
  Compiler compiler{CudaToolkit{}};
  const InterpretOutcome outcome = compiler.interpret(request, input);
  INFO(request.text);
  CHECK(outcome.interpretation.completed);
  Warnings warnings;
  for (const Diagnostic &diagnostic : outcome.result.diagnostics) {
    CHECK(diagnostic.kind == DiagnosticKind::RunOrder);
    CHECK(diagnostic.severity == Severity::Warning);
    warnings.push_back(diagnostic.message);
  }
  return warnings;
}

static Warnings reductionWith(const std::string &function) {
  return warningsOf("a, b", "    return " + function + "\n",
                    "    tl.store(y_ptr, tl.reduce(x, 0, f))\n");
}

static Warnings scanWith(const std::string &function) {
  return warningsOf("a, b", "    return " + function + "\n",
                    "    tl.store(y_ptr + i, tl.associative_scan(x, 0, f))\n");
}

TEST_CASE("reductions with functions that are not associative are told with an example",
          "[compiler]") {
  const Warnings difference = reductionWith("a - b");
  REQUIRE(difference.size() == 1);
  CHECK(difference[0].starts_with("the function of this reduction is not associative: f(f("));
  for (const char *function :
       {"a / b", "(a + b) / 2", "a * 0.5 + b", "tl.sqrt(a + b)", "tl.where(a > 2, a - b, b)"})
    CHECK(reductionWith(function).size() == 1);
  for (const char *function :
       {"a + b", "a * b", "tl.maximum(a, b)", "a + b + a * b", "tl.sqrt(a * a + b * b)",
        "tl.where(a > b, a, b)", "tl.log(tl.exp(a) + tl.exp(b))", "1 / (1 / a + 1 / b)"})
    CHECK(reductionWith(function).empty());
}

TEST_CASE("scans keep the order, reductions do not", "[compiler]") {
  CHECK(scanWith("b").empty());
  CHECK(scanWith("a * 0 + b").empty());
  CHECK(scanWith("a - b").size() == 1);
  const Warnings last = reductionWith("b + a * 0");
  REQUIRE(last.size() == 1);
  CHECK(last[0].starts_with("the function of this reduction is not commutative: f("));
}

TEST_CASE("flags and places keep their meaning where the order of functions is tried",
          "[compiler]") {
  const std::string pair = "v, g, w, h";
  // A running sum that begins anew at flags.
  const std::string segments = "    return tl.where(h == 1, w, v + w), tl.maximum(g, h)\n";
  const std::string scan = "    s, _ = tl.associative_scan((x, i % 2), 0, f)\n"
                           "    tl.store(y_ptr + i, s)\n";
  CHECK(warningsOf(pair, segments, scan).empty());
  CHECK(
      warningsOf(pair, "    return tl.where(h == 1, w, v - w), tl.maximum(g, h)\n", scan).size() ==
      1);
  // The same with flags among floats.
  const std::string floats = "    s, _ = tl.associative_scan((x, (i % 2) * 1.0), 0, f)\n"
                             "    tl.store(y_ptr + i, s)\n";
  CHECK(warningsOf(pair, "    return w + (1 - h) * v, tl.maximum(g, h)\n", floats).empty());
  CHECK(warningsOf(pair, "    return w - (1 - h) * v, tl.maximum(g, h)\n", floats).size() == 1);
  // The place of the largest number, the first of equal ones or any.
  const std::string place = "    s, p = tl.reduce((x, i), 0, f)\n    tl.store(y_ptr, s + p)\n";
  CHECK(warningsOf(pair,
                   "    keep = v > w\n    return tl.where(keep, v, w), tl.where(keep, g, h)\n",
                   place)
            .empty());
  CHECK(warningsOf(pair,
                   "    keep = (v > w) | ((v == w) & (g < h))\n"
                   "    return tl.where(keep, v, w), tl.where(keep, g, h)\n",
                   place)
            .empty());
  // Means of parts, with how many they are of.
  CHECK(warningsOf(pair, "    return (v * g + w * h) / (g + h), g + h\n",
                   "    s, p = tl.reduce((x, i * 0.0 + 1), 0, f)\n    tl.store(y_ptr, s + p)\n")
            .empty());
  CHECK(warningsOf(pair, "    return (v + w) / 2, g + h\n",
                   "    s, p = tl.reduce((x, i * 0.0 + 1), 0, f)\n    tl.store(y_ptr, s + p)\n")
            .size() == 1);
}

TEST_CASE("elements of `tl.cat` that are paired with an order are told", "[compiler]") {
  const auto warnings = [](const std::string &body) {
    return warningsOf("a", "    return a\n",
                      "    j = tl.arange(0, 128)\n    c = tl.cat(x, x + 1, can_reorder=True)\n" +
                          body);
  };
  const Warnings stored = warnings("    tl.store(y_ptr + j % 64, c, mask=j < 64)\n");
  REQUIRE(stored.size() == 1);
  CHECK(stored[0] == "elements of `tl.cat` are paired here with elements in a known order, but "
                     "`tl.cat` may leave its own in any order");
  CHECK(warnings("    tl.store(y_ptr, tl.sum(c * j))\n").size() == 1);
  CHECK(warnings("    tl.store(y_ptr + j % 64, c * j, mask=j < 64)\n").size() == 1);
  // What does not show the order.
  CHECK(warnings("    tl.store(y_ptr, tl.sum(c * 2 + 1))\n").empty());
  CHECK(warnings("    p = tl.cat(y_ptr + i, y_ptr + i, can_reorder=True)\n"
                 "    tl.store(p, c * 0)\n")
            .empty());
}

TEST_CASE("bundled reductions do not depend on the order", "[compiler]") {
  CHECK(warningsOf("a", "    return a\n",
                   "    tl.store(y_ptr, tl.sum(x) + tl.max(x) + tl.argmax(x, 0) + tl.argmin(x, 0) "
                   "+ tl.xor_sum(i))\n"
                   "    tl.store(y_ptr + i, tl.cumsum(x) + tl.cumprod(x) + tl.sort(x))\n")
            .empty());
}
