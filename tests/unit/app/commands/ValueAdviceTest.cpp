// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ValueAdvice.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace tilescope;
using namespace tilescope::app;

/// What is noted of an output `out_ptr` of a kernel with that line; empty: nothing.
static std::string noteFor(const char *dtype, const char *line, double actual, double expected,
                           profiler::TensorInit::Kind begin = profiler::TensorInit::Kind::Zeros,
                           const char *expectedText = "", int64_t at = 0) {
  const std::string text = "import triton\nimport triton.language as tl\n@triton.jit\n"
                           "def k(x_ptr, out_ptr):\n    " +
                           std::string(line) + "\n";
  profiler::PlanTensor tensor;
  tensor.dtype = *profiler::parseDtype(dtype);
  tensor.init.kind = begin;
  tensor.expected = expectedText;
  const profiler::PlanArgument argument{"out_ptr", tensor};
  profiler::OutputResult output;
  output.name = "out_ptr";
  output.dtype = dtype;
  output.comparison = profiler::OutputComparison{};
  output.comparison->isWithExpected = true;
  output.comparison->firstActual = actual;
  output.comparison->firstExpected = expected;
  output.comparison->firstMismatch = {at};
  compiler::Diagnostic diagnostic;
  explainValues(argument, output, KernelText(text, "k"), diagnostic);
  return diagnostic.notes.empty() ? "" : diagnostic.notes.front();
}

TEST_CASE("Small integers beyond their range are told so", "[commands]") {
  const char *store = "tl.store(out_ptr, tl.load(x_ptr).to(tl.int8))";
  CHECK(noteFor("i8", store, -56, 200)
            .starts_with("200 is outside the range of `int8`, which holds -128 to 127"));
  CHECK(noteFor("i8", store, -56, 127).starts_with("what the kernel computes may be outside"));
  CHECK(noteFor("u8", store, 44, 300).find("`uint8`, which holds 0 to 255") != std::string::npos);
  CHECK(noteFor("i8", store, 5, 6).empty());
  CHECK(noteFor("i32", store, 0, 256).empty());
  CHECK(noteFor("fp32", store, -56, 200).empty());
}

TEST_CASE("A maximum of negative numbers that begins with 0 is told so", "[commands]") {
  const char *update = "tl.atomic_max(out_ptr + 1, tl.load(x_ptr))";
  CHECK(noteFor("fp32", update, 0, -1.5).find("`atomic_max` keeps what is larger") !=
        std::string::npos);
  CHECK(noteFor("fp32", update, 0, -1.5).find("value = -inf") != std::string::npos);
  CHECK(noteFor("fp32", update, 0, 1.5).empty());
  CHECK(noteFor("fp32", update, 0, -1.5, profiler::TensorInit::Kind::Full).empty());
  CHECK(noteFor("fp32", "tl.store(out_ptr, tl.load(x_ptr))", 0, -1.5).empty());
  CHECK(noteFor("i32", "tl.atomic_min(out_ptr, tl.load(x_ptr))", 0, 3).find("2147483647") !=
        std::string::npos);
}

TEST_CASE("NaN that NumPy passes on is told", "[commands]") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  CHECK(noteFor("fp32", "tl.store(out_ptr, tl.minimum(tl.load(x_ptr), 1.0))", 1, kNan)
            .find("`propagate_nan=tl.PropagateNan.ALL` passes NaN on") != std::string::npos);
  CHECK(noteFor("fp32", "tl.store(out_ptr, tl.load(x_ptr) * 2)", 1, kNan).empty());
  CHECK(noteFor("fp32", "tl.store(out_ptr, tl.minimum(tl.load(x_ptr), 1.0))", kNan, 1).empty());
}

TEST_CASE("Running sums that begin anew with a block are told so", "[commands]") {
  const auto note = [](const char *line, const char *expected, int64_t at) {
    return noteFor("fp32", line, 0.5, -3.2, profiler::TensorInit::Kind::Poison, expected, at);
  };
  const char *scan = "tl.store(out_ptr, tl.cumsum(tl.load(x_ptr)))";
  CHECK(note(scan, "cumsum(x_ptr)", 256) ==
        "`tl.cumsum` knows one block alone and begins anew in the next one, as at `out_ptr[256]`: "
        "what the elements before that block come to is missing there");
  CHECK(note(scan, "cumsum(x_ptr)", 0).empty());
  // What comes before the block is added.
  CHECK(note("tl.store(out_ptr, tl.cumsum(tl.load(x_ptr)) + 1.0)", "cumsum(x_ptr)", 256).empty());
  const std::string carried = "c = 0.0\n    tl.store(out_ptr, tl.cumsum(tl.load(x_ptr)) + c)";
  CHECK_FALSE(note(carried.c_str(), "cumsum(x_ptr)", 256).empty());
  CHECK(note((carried + "\n    c += 1.0").c_str(), "cumsum(x_ptr)", 256).empty());
  CHECK(note(scan, "x_ptr * 2", 256).empty());
  CHECK(note("tl.store(out_ptr, tl.load(x_ptr))", "cumsum(x_ptr)", 256).empty());
}
