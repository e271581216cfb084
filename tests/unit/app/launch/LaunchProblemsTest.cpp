// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is said of launch blocks that do not fit their kernels, and how it is mended.
#include "app/launch/ResolveLaunch.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using compiler::Diagnostic;
using compiler::Severity;

static const std::string kAddBlock = R"py(# /// tilescope
# kernel = "add"
# grid = [1]
# [sizes]
# n = 64
# [args]
# x_ptr = { dtype = "fp16", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n", 2] }
# [constexprs]
# BLOCK = 64
# ///
)py";

static const std::string kAddKernel = R"py(
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i))
)py";

static std::string replaced(std::string text, const std::string &from, const std::string &to) {
  return text.replace(text.find(from), from.size(), to);
}

static ResolvedLaunch resolve(const std::string &text, const compiler::Selection &wanted = {}) {
  compiler::CompileRequest request;
  request.text = text;
  request.selection = wanted;
  return resolveLaunch(request);
}

static size_t offsetOf(const std::string &text, Position at) {
  size_t offset = 0;
  for (uint32_t line = 0; line < at.line; ++line)
    offset = text.find('\n', offset) + 1;
  return offset + at.column;
}

static std::string applied(const std::string &text, const compiler::DiagnosticFix &fix) {
  const size_t begin = offsetOf(text, fix.range.begin);
  return std::string(text).replace(begin, offsetOf(text, fix.range.end) - begin, fix.replacement);
}

TEST_CASE("a parameter that the block has no value for is added by a fix", "[app][launch]") {
  const std::string text = replaced(
      replaced(kAddBlock + kAddKernel, "out_ptr, BLOCK", "out_ptr, out2_ptr, eps, BLOCK"),
      "tl.load(x_ptr + i))\n", "tl.load(x_ptr + i) + eps)\n    tl.store(out2_ptr + i, 1.0)\n");
  const ResolvedLaunch launch = resolve(text);
  REQUIRE(launch.diagnostics.size() == 2);
  const Diagnostic &missing = launch.diagnostics[0];
  CHECK(missing.message == "the launch block has no value for the argument `out2_ptr`");
  REQUIRE(missing.labels.size() == 1);
  CHECK(missing.labels[0].range.begin.line == 17);
  REQUIRE(missing.fixes.size() == 1);
  CHECK(missing.fixes[0].title == "add `out2_ptr` to the launch block");
  const std::string first = applied(text, missing.fixes[0]);
  CHECK(first.find("# out_ptr = { dtype = \"fp32\", shape = [\"n\", 2] }\n"
                   "# out2_ptr = { dtype = \"fp32\", shape = [\"n\", 2], init = \"empty\" }\n"
                   "# [constexprs]\n") != std::string::npos);
  const ResolvedLaunch next = resolve(first);
  REQUIRE(next.diagnostics.size() == 1);
  REQUIRE(next.diagnostics[0].fixes.size() == 1);
  const std::string second = applied(first, next.diagnostics[0].fixes[0]);
  CHECK(second.find("# eps = 0.01\n") != std::string::npos);
  CHECK(resolve(second).diagnostics.empty());
}

TEST_CASE("a number under `[args]` sets a constexpr, too", "[app][launch]") {
  const std::string text = replaced(replaced(kAddBlock, "# [constexprs]\n# BLOCK = 64\n", ""),
                                    "# out_ptr", "# BLOCK = \"n\"\n# out_ptr") +
                           kAddKernel;
  const ResolvedLaunch launch = resolve(text);
  REQUIRE(launch.diagnostics.empty());
  REQUIRE(launch.plan);
  CHECK(launch.plan->constexprs.at("BLOCK") == "64");
  CHECK_FALSE(launch.plan->argument("BLOCK"));
  CHECK(launch.plan->args.size() == 2);
}

TEST_CASE("a misspelled `tl.constexpr` is what is wrong with a block that does not set it",
          "[app][launch]") {
  const std::string text = replaced(kAddBlock, "# [constexprs]\n# BLOCK = 64\n", "") +
                           replaced(kAddKernel, "BLOCK: tl.constexpr", "BLOCK: tl.constexp");
  const ResolvedLaunch launch = resolve(text);
  REQUIRE(launch.diagnostics.size() == 1);
  CHECK(launch.diagnostics[0].message == "module `triton.language` has no attribute `constexp`");
  REQUIRE(launch.diagnostics[0].fixes.size() == 1);
  CHECK(applied(text, launch.diagnostics[0].fixes[0]).find("BLOCK: tl.constexpr)") !=
        std::string::npos);
}

TEST_CASE("the extent of a block is added to the constexprs", "[app][launch]") {
  const std::string text = replaced(kAddBlock, "# [constexprs]\n# BLOCK = 64\n", "") +
                           replaced(kAddKernel, "BLOCK: tl.constexpr", "BLOCK");
  const ResolvedLaunch launch = resolve(text);
  REQUIRE(launch.diagnostics.size() == 1);
  REQUIRE(launch.diagnostics[0].fixes.size() == 1);
  CHECK(applied(text, launch.diagnostics[0].fixes[0]).find("# [constexprs]\n# BLOCK = 1024\n") !=
        std::string::npos);
}

TEST_CASE("a block that cannot be read leaves the other kernel's block alone", "[app][launch]") {
  const std::string others =
      replaced(replaced(kAddBlock, "\"add\"", "\"other\""), "x_ptr", "z_ptr");
  const std::string text = replaced(kAddBlock, "BLOCK = 64", "BLOCK = 64 W") + others + kAddKernel +
                           "\n\n@triton.jit\ndef other(z_ptr):\n    tl.store(z_ptr, 1.0)\n";
  compiler::Selection wanted;
  wanted.kernel = "add";
  wanted.launch = "0";
  const ResolvedLaunch launch = resolve(text, wanted);
  CHECK(launch.block == -1);
  REQUIRE(launch.diagnostics.size() == 1);
  CHECK(launch.diagnostics[0].message == "`64 W` is neither a number nor a string");
}

TEST_CASE("a kernel that returns a value is wrong at its return", "[app][launch]") {
  const std::string text =
      replaced(kAddBlock + kAddKernel, "tl.store(out_ptr + i, tl.load(x_ptr + i))",
               "return tl.load(x_ptr + i) * 2");
  // Where it is the only function, the compiler says so, with its name.
  const ResolvedLaunch alone = resolve(text);
  CHECK(alone.diagnostics.empty());
  CHECK(alone.selection.kernel == "add");
  const ResolvedLaunch launch = resolve(text + "\n\n@triton.jit\ndef other():\n    pass\n");
  CHECK_FALSE(launch.ok());
  REQUIRE(launch.diagnostics.size() == 1);
  CHECK(launch.diagnostics[0].message ==
        "a kernel returns nothing: store the result with `tl.store`");
  CHECK(launch.diagnostics[0].range.begin == Position{19, 4});
}

TEST_CASE("a block that names a kernel which the file lacks says which there are",
          "[app][launch]") {
  const ResolvedLaunch launch = resolve(replaced(kAddBlock, "\"add\"", "\"addd\"") + kAddKernel);
  CHECK_FALSE(launch.ok());
  REQUIRE_FALSE(launch.diagnostics.empty());
  const Diagnostic &missing = launch.diagnostics[0];
  CHECK(missing.message == "the file has no kernel `addd`; it has `add`");
  CHECK(missing.range.begin.line == 1);
  REQUIRE(missing.fixes.size() == 1);
  CHECK(missing.fixes[0].replacement == "\"add\"");
  // A file that does not parse may have it.
  const std::string broken = replaced(kAddKernel, "BLOCK: tl.constexpr):", "BLOCK: tl.constexpr:");
  for (const Diagnostic &each : resolve(kAddBlock + broken).diagnostics)
    CHECK(each.message.find("has no kernel") == std::string::npos);
}

TEST_CASE("an expectation with an unknown name is a warning at its place", "[app][launch]") {
  const std::string text =
      replaced(kAddBlock + kAddKernel, "[\"n\", 2] }", "[\"n\", 2], expected = \"x + 1\" }");
  const ResolvedLaunch launch = resolve(text);
  CHECK(launch.ok());
  REQUIRE(launch.plan);
  REQUIRE(launch.diagnostics.size() == 1);
  CHECK(launch.diagnostics[0].severity == Severity::Warning);
  CHECK(launch.diagnostics[0].range.begin.line == 7);
  CHECK(
      launch.diagnostics[0].message ==
      "`out_ptr` could not be checked: `x` is not defined; the names here are `x_ptr`, `out_ptr`, "
      "`n`, `BLOCK`; did you mean `x_ptr`?");
}

/// What is said of a number for `scale`.
static std::vector<Diagnostic> diagnosticsOf(const std::string &scale) {
  const std::string text =
      replaced(kAddBlock, "# out_ptr", "# scale = \"" + scale + "\"\n# out_ptr") +
      replaced(replaced(kAddKernel, "out_ptr, BLOCK", "out_ptr, scale, BLOCK"),
               "tl.load(x_ptr + i))\n", "tl.load(x_ptr + i) * scale)\n");
  const ResolvedLaunch launch = resolve(text);
  CHECK(launch.plan.has_value() == launch.ok());
  return launch.diagnostics;
}

TEST_CASE("numbers of a block have Triton's and NumPy's functions", "[app][launch]") {
  for (const char *right : {"tl.rsqrt(n)", "tl.math.rsqrt(n)", "tl.exp(-1)", "tl.maximum(n, 4)",
                            "np.rsqrt(n)", "pi / 4", "np.pi", "math.pi", "np.e", "inf", "-np.inf",
                            "float('nan')", "max(n, 4)", "sum([n, n])"}) {
    INFO(right);
    CHECK(diagnosticsOf(right).empty());
  }
  const auto message = [](const char *scale) {
    INFO(scale);
    const std::vector<Diagnostic> found = diagnosticsOf(scale);
    REQUIRE(found.size() == 1);
    CHECK(found[0].severity == compiler::Severity::Error);
    return found[0].message;
  };
  CHECK(message("tl.tanhh(n)")
            .starts_with("`tl.tanhh(n)` cannot be worked out: `tl.tanhh` is not a "
                         "function that can be used here; use one of abs, "));
  for (const char *reduction : {"sum", "max", "mean", "argmax", "tl.sum", "np.mean"}) {
    const std::string called = std::string(reduction) + "(n)";
    CHECK(message(called.c_str()) ==
          "`" + called + "` cannot be worked out: `" + reduction +
              "` makes one number of the elements of a tensor, which only `expected` names");
  }
}

TEST_CASE("a number that is none is warned of, unless the block says so", "[app][launch]") {
  const auto message = [](const char *scale) {
    const std::vector<Diagnostic> found = diagnosticsOf(scale);
    REQUIRE(found.size() == 1);
    CHECK(found[0].severity == compiler::Severity::Warning);
    return found[0].message;
  };
  CHECK(message("sqrt(-1)") == "`sqrt(-1)` is not a number: the kernel gets `nan`");
  CHECK(message("log(0 * n)") == "`log(0 * n)` is infinite: the kernel gets `-inf`");
  CHECK(diagnosticsOf("nan").empty());
}

TEST_CASE("element types have the language's names too", "[app][launch]") {
  std::string text = replaced(kAddBlock, "# [constexprs]",
                              "# k = { value = 3, type = \"int64\" }\n"
                              "# [constexprs]");
  text = replaced(replaced(text, "fp16", "float16"), "fp32", "int8") + kAddKernel;
  const ResolvedLaunch launch = resolve(replaced(text, "BLOCK: tl", "k, BLOCK: tl"));
  REQUIRE(launch.plan);
  CHECK(launch.plan->argument("x_ptr")->tensor()->dtype == profiler::Dtype::Fp16);
  CHECK(launch.plan->argument("out_ptr")->tensor()->dtype == profiler::Dtype::Int8);
  CHECK(launch.plan->argument("k")->scalar()->type == "i64");
  CHECK(launch.selection.signature.at("out_ptr") == "*i8:16");
}
