// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ResolveLaunch.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using compiler::Selection;

namespace {
const char *const kTwoBlocks = R"py(import triton

# /// tilescope
# kernel = "add"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x = { dtype = "fp16", shape = ["n"], init = "randn" }
# n = "n"
# one = 1
# eps = 1e-5
# [constexprs]
# BLOCK = "next_power_of_2(n)"
# TYPE = "tl.float16"
# ACT = "'relu'"
# [options]
# num_warps = 8
# ///

# /// tilescope
# kernel = "mul"
# name = "wide"
# grid = [7]
# ///
)py";

ResolvedLaunch resolveLaunch(std::string text, const Selection &wanted) {
  compiler::CompileRequest request;
  request.text = std::move(text);
  request.selection = wanted;
  return app::resolveLaunch(request);
}
} // namespace

TEST_CASE("every launch block has a name that selects it", "[app]") {
  CHECK(launchNames(kTwoBlocks) == std::vector<std::string>{"0", "wide"});
  CHECK(launchNames("# /// tilescope\n# name = \"a/b\"\n# ///\n"
                    "# /// tilescope\n# name = \"c\"\n# ///\n"
                    "# /// tilescope\n# name = \"c\"\n# ///\n") ==
        std::vector<std::string>{"0", "c", "2"});
}

TEST_CASE("a launch block fills in what the user left open", "[app]") {
  ResolvedLaunch resolved = resolveLaunch(kTwoBlocks, {});
  CHECK(resolved.diagnostics.empty());
  REQUIRE(resolved.plan);
  CHECK(resolved.block == 0);
  CHECK(resolved.selection.kernel == "add");
  CHECK(resolved.plan->grid[0] == 1);
  CHECK(resolved.selection.signature ==
        std::map<std::string, std::string>{
            {"x", "*fp16:16"}, {"n", "i32"}, {"one", "i32:1"}, {"eps", "fp32"}});
  CHECK(resolved.selection.constexprs.at("BLOCK") == "1024");
  CHECK(resolved.selection.constexprs.at("TYPE") == "tl.float16");
  CHECK(resolved.selection.constexprs.at("ACT") == "'relu'");
  CHECK(resolved.selection.options.at("num_warps") == "8");
}

TEST_CASE("what the user says wins, and the grid follows it", "[app]") {
  Selection wanted;
  wanted.sizes["n"] = "4096";
  wanted.constexprs["BLOCK"] = "128";
  wanted.options["num_warps"] = "2";
  wanted.signature["n"] = "i64";
  ResolvedLaunch resolved = resolveLaunch(kTwoBlocks, wanted);
  REQUIRE(resolved.plan);
  CHECK(resolved.plan->grid[0] == 32);
  CHECK(resolved.selection.constexprs.at("BLOCK") == "128");
  CHECK(resolved.selection.options.at("num_warps") == "2");
  CHECK(resolved.selection.signature.at("n") == "i64");
}

TEST_CASE("a block is found by kernel, by name and by position", "[app]") {
  Selection wanted;
  wanted.kernel = "mul";
  CHECK(resolveLaunch(kTwoBlocks, wanted).block == 1);
  wanted = {};
  wanted.launch = "wide";
  CHECK(resolveLaunch(kTwoBlocks, wanted).selection.kernel == "mul");
  wanted.launch = "1";
  CHECK(resolveLaunch(kTwoBlocks, wanted).block == 1);
  wanted.launch = "mul";
  CHECK(resolveLaunch(kTwoBlocks, wanted).block == 1);
  wanted.launch = "narrow";
  ResolvedLaunch unknown = resolveLaunch(kTwoBlocks, wanted);
  REQUIRE(unknown.diagnostics.size() == 1);
  CHECK(unknown.diagnostics[0].kind == compiler::DiagnosticKind::LaunchUnknown);
}

TEST_CASE("a kernel without a block keeps the user's selection", "[app]") {
  Selection wanted;
  wanted.kernel = "other";
  wanted.constexprs["BLOCK"] = "32";
  ResolvedLaunch resolved = resolveLaunch("# nothing here\n", wanted);
  CHECK_FALSE(resolved.plan);
  CHECK(resolved.selection == wanted);
  CHECK(resolved.diagnostics.empty());
}

TEST_CASE("an expression that fails is reported at its place", "[app]") {
  std::string text = kTwoBlocks;
  text.replace(text.find("cdiv(n, BLOCK)"), 14, "cdiv(m, BLOCK)");
  ResolvedLaunch resolved = resolveLaunch(text, {});
  CHECK_FALSE(resolved.plan);
  REQUIRE(resolved.diagnostics.size() == 1);
  CHECK(resolved.diagnostics[0].kind == compiler::DiagnosticKind::LaunchBlockInvalid);
  CHECK(resolved.diagnostics[0].range.begin.line == 4);
  CHECK(resolved.diagnostics[0].message.find("`m`") != std::string::npos);
}

TEST_CASE("what a tuner would choose is the first choice where the launch leaves it open",
          "[app]") {
  const std::string tuned = R"py(import triton
import triton.language as tl

# /// tilescope
# grid = ["cdiv(n, BLOCK)"]
# [args]
# x_ptr = { dtype = "fp32", shape = [512] }
# n = 512
# ///
@triton.autotune(
    configs=[triton.Config({"BLOCK": 64}, num_warps=2), triton.Config({"BLOCK": 128}, num_warps=8)],
    key=["n"])
@triton.jit
def tuned(x_ptr, n, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), 1.0)
)py";
  const ResolvedLaunch first = resolveLaunch(tuned, {});
  REQUIRE(first.plan);
  CHECK(first.plan->grid[0] == 8);
  CHECK(first.selection.constexprs.at("BLOCK") == "64");
  CHECK(first.selection.options.at("num_warps") == "2");
  // What the user chooses, and what the block states, goes first.
  Selection second;
  second.constexprs["BLOCK"] = "128";
  second.options["num_warps"] = "8";
  CHECK(resolveLaunch(tuned, second).plan->grid[0] == 4);
  std::string stated = tuned;
  stated.insert(stated.find("# ///\n@"), "# [constexprs]\n# BLOCK = 32\n");
  CHECK(resolveLaunch(stated, {}).selection.constexprs.at("BLOCK") == "32");
  CHECK(resolveLaunch(stated, {}).selection.options.at("num_warps") == "2");
}

TEST_CASE("what is wrong with an option stands at its value in the launch block", "[app]") {
  compiler::CompileRequest request;
  request.text = kTwoBlocks;
  ResolvedLaunch resolved = app::resolveLaunch(request);
  compiler::Diagnostic wrong;
  wrong.kind = compiler::DiagnosticKind::OptionInvalid;
  wrong.cause.subject = "num_warps";
  wrong.message = "it must be something else";
  std::vector<compiler::Diagnostic> found{wrong, wrong};
  takeOptionErrors(request, resolved, found);
  CHECK(found.empty());
  REQUIRE(resolved.diagnostics.size() == 1);
  CHECK(resolved.diagnostics[0].range.begin == Position{17, 14});
  CHECK_FALSE(resolved.ok());
  // One that the user chose otherwise is not the block's.
  request.selection.options["num_warps"] = "3";
  resolved = app::resolveLaunch(request);
  found = {wrong};
  takeOptionErrors(request, resolved, found);
  CHECK(found.size() == 1);
  CHECK(resolved.ok());
}

TEST_CASE("expressions of a block know the functions of numbers that `expected` knows", "[app]") {
  const auto resolve = [](const std::string &eps) {
    std::string text = kTwoBlocks;
    text.replace(text.find("1e-5"), 4, eps);
    return resolveLaunch(text, {});
  };
  const ResolvedLaunch root = resolve("\"1 / sqrt(4 * n + 96) + np.log2(8)\"");
  REQUIRE(root.diagnostics.empty());
  const profiler::PlanArgument *eps = root.plan->argument("eps");
  REQUIRE((eps && eps->scalar()));
  CHECK(std::get<double>(eps->scalar()->value) == 1 / 64.0 + 3);
  CHECK(resolve("\"exp(0)\"").selection.signature.at("eps") == "fp32");

  // The block's own names go before.
  std::string text = kTwoBlocks;
  text.replace(text.find("# n = 1000"), 10, "# n = 1000\n# log = 7");
  text.replace(text.find("1e-5"), 4, "\"log\"");
  CHECK(resolveLaunch(text, {}).selection.signature.at("eps") == "i32");

  const ResolvedLaunch unknown = resolve("\"squareroot(n)\"");
  REQUIRE(unknown.diagnostics.size() == 1);
  CHECK(unknown.diagnostics[0].message == "`squareroot` is not a function that can be used here");
  REQUIRE(unknown.diagnostics[0].notes.size() == 1);
  CHECK(unknown.diagnostics[0].notes[0].starts_with("use one of cdiv, next_power_of_2, abs, "));
  CHECK(unknown.diagnostics[0].notes[0].find(" sqrt,") != std::string::npos);
}
