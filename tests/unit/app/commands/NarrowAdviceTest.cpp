// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/NarrowAdvice.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

/// What is noted of a kernel with those lines, which reads bytes at `x_ptr` and `y_ptr` and fp32 at `s_ptr`.
static compiler::Diagnostic adviceFor(const std::string &lines) {
  const std::string text = "import triton\nimport triton.language as tl\n@triton.jit\n"
                           "def k(x_ptr, y_ptr, s_ptr, n, scale):\n" +
                           lines;
  const auto array = [](const char *dtype) {
    profiler::PlanTensor tensor;
    tensor.dtype = *profiler::parseDtype(dtype);
    return tensor;
  };
  profiler::LaunchPlan plan;
  plan.args = {{"x_ptr", array("i8")},
               {"y_ptr", array("i8")},
               {"s_ptr", array("fp32")},
               {"n", profiler::PlanScalar{"i32", int64_t(7)}},
               {"scale", profiler::PlanScalar{"fp32", 0.5}}};
  compiler::Diagnostic diagnostic;
  explainNarrow(plan, KernelText(text, "k"), diagnostic);
  CHECK(diagnostic.fixes.empty() == diagnostic.notes.empty());
  return diagnostic;
}

static size_t numFixes(const std::string &lines) { return adviceFor(lines).fixes.size(); }

TEST_CASE("Arithmetic on bytes as they were loaded is told", "[commands]") {
  const compiler::Diagnostic advice =
      adviceFor("    tl.store(s_ptr, tl.load(x_ptr) + tl.load(y_ptr))\n");
  CHECK(advice.fixes.size() == 2);
  REQUIRE(advice.notes.size() == 1);
  CHECK(advice.notes.front().starts_with("`x_ptr` holds int8, so arithmetic on it keeps only 8"));
  // Some of its bits, as of packed numbers, are as narrow.
  CHECK(numFixes("    q = tl.load(x_ptr)\n    low = q & 15\n    high = q >> 4\n"
                 "    tl.store(s_ptr, low - 8)\n    tl.store(s_ptr + 1, (high & 15) - 8)\n") == 1);
  CHECK(numFixes("    q = tl.load(x_ptr).to(tl.int32)\n    tl.store(s_ptr, (q & 15) - 8)\n") == 0);
  CHECK(numFixes("    x = tl.load(x_ptr)\n    tl.store(s_ptr, x * 2)\n") == 1);
  CHECK(numFixes("    x = tl.load(x_ptr)\n    tl.store(s_ptr, x * n)\n") == 1);
  CHECK(
      numFixes(
          "    x = tl.load(x_ptr)\n    y = tl.load(y_ptr)\n    tl.store(s_ptr, (x + y) // 2)\n") ==
      2);
}

TEST_CASE("Bytes that are converted before anything is computed are not", "[commands]") {
  CHECK(numFixes("    b = tl.load(x_ptr)\n    tl.store(s_ptr, tl.dot(b.to(tl.float16), "
                 "b.to(tl.float16)))\n") == 0);
  CHECK(numFixes("    b = tl.load(x_ptr).to(tl.float32)\n    tl.store(s_ptr, b * 2)\n") == 0);
  CHECK(numFixes("    b = tl.load(x_ptr)\n    tl.store(s_ptr, b * scale)\n") == 0);
  CHECK(numFixes("    b = tl.load(x_ptr)\n    tl.store(s_ptr, b * tl.load(s_ptr))\n") == 0);
  CHECK(numFixes("    b = tl.load(x_ptr)\n    tl.store(s_ptr, b * 0.5)\n") == 0);
  CHECK(numFixes("    b = tl.load(x_ptr)\n    tl.store(s_ptr, tl.sum(b))\n") == 0);
  CHECK(numFixes("    b = tl.load(x_ptr)\n    tl.store(s_ptr, tl.where(b > 0, 1, 0))\n") == 0);
}
