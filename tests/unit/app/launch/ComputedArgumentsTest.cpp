// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ComputedArguments.h"

#include "app/launch/OfferedConfigurations.h"
#include "app/launch/ResolveLaunch.h"
#include "app/launch/SuggestedBlock.h"
#include "compiler/artifacts/CompileResult.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

using Source = compiler::Assumption::Source;
using Names = std::set<std::string>;

/// A kernel with the decorator, launched with n = 1000 and B = 256.
static compiler::CompileRequest launched(const std::string &heuristics,
                                         const std::string &constexprs = "") {
  compiler::CompileRequest request;
  request.text = "import triton\nimport triton.language as tl\n\n"
                 "# /// tilescope\n# kernel = \"k\"\n# grid = [\"cdiv(n, B)\"]\n# [args]\n"
                 "# x = { dtype = \"fp32\", shape = [\"n\"] }\n# n = 1000\n# [constexprs]\n"
                 "# B = 256\n" +
                 constexprs + "# ///\n\n\n@triton.heuristics({" + heuristics +
                 "})\n@triton.jit\ndef k(x, n, B: tl.constexpr, EVEN: tl.constexpr):\n    pass\n";
  return request;
}

static constexpr const char *kEven = "\"EVEN\": lambda args: args[\"n\"] % args[\"B\"] == 0";

TEST_CASE("a launch computes what heuristics compute from its values", "[launch]") {
  const ResolvedLaunch launch = resolveLaunch(launched(kEven));
  REQUIRE(launch.plan);
  CHECK(launch.diagnostics.empty());
  CHECK(launch.plan->constexprs.at("EVEN") == "False");
  CHECK(launch.selection.constexprs.at("EVEN") == "False");

  compiler::CompileRequest other = launched(kEven);
  other.selection.constexprs["B"] = "250";
  CHECK(resolveLaunch(other).selection.constexprs.at("EVEN") == "True");
}

TEST_CASE("heuristics compute one from another, know tensors, and choose options", "[launch]") {
  const ResolvedLaunch launch =
      resolveLaunch(launched("\"EVEN\": lambda args: args[\"x\"] is not None, "
                             "\"num_warps\": lambda args: 8 if args[\"EVEN\"] else 2"));
  REQUIRE(launch.plan);
  CHECK(launch.plan->constexprs.at("EVEN") == "True");
  CHECK(launch.selection.options.at("num_warps") == "8");
}

TEST_CASE("a block that states what heuristics compute otherwise is told so", "[launch]") {
  const ResolvedLaunch launch = resolveLaunch(launched(kEven, "# EVEN = true\n"));
  REQUIRE(launch.plan);
  CHECK(launch.plan->constexprs.at("EVEN") == "True");
  REQUIRE(launch.diagnostics.size() == 1);
  CHECK(launch.diagnostics[0].severity == compiler::Severity::Warning);
  CHECK(launch.diagnostics[0].message ==
        "`EVEN` is `False` for this launch, and the launch states `True`: Triton takes what "
        "`@triton.heuristics` computes");
  CHECK(launch.diagnostics[0].range.begin.line == 15);

  CHECK(resolveLaunch(launched(kEven, "# EVEN = false\n")).diagnostics.empty());
  // Who asks for a value knows what it is.
  compiler::CompileRequest chosen = launched(kEven);
  chosen.selection.constexprs["EVEN"] = "True";
  CHECK(resolveLaunch(chosen).diagnostics.empty());
  CHECK(resolveLaunch(chosen).selection.constexprs.at("EVEN") == "True");
}

TEST_CASE("a value that was assumed for a heuristic is told at the decorator", "[launch]") {
  const compiler::CompileRequest request =
      launched("\"EVEN\": lambda args: args[\"x\"].stride(0) == 1");
  const ResolvedLaunch launch = resolveLaunch(request);
  REQUIRE(launch.plan);
  CHECK_FALSE(launch.plan->constexprs.contains("EVEN"));
  CHECK(assumedComputed(request, "k", {}).empty());
  const std::vector<compiler::Diagnostic> told =
      assumedComputed(request, "k", {{"EVEN", "True", true, Source::Kernel, ""}});
  REQUIRE(told.size() == 1);
  CHECK(told[0].severity == compiler::Severity::Warning);
  CHECK(told[0].message ==
        "what `@triton.heuristics` computes `EVEN` with cannot be evaluated here, "
        "so that it is taken as `True`");
  CHECK(told[0].range.begin.line == 14);
}

TEST_CASE("a key of a configuration that the kernel does not have is told, with the near one",
          "[launch]") {
  compiler::CompileRequest request = launched(kEven);
  request.text.replace(request.text.find("@triton.heuristics"), 0,
                       "@triton.autotune([triton.Config({\"EVNE\": True, \"B\": 128})], key=[])\n");
  const std::vector<compiler::Diagnostic> told = configurationProblems(request, "k");
  REQUIRE(told.size() == 1);
  CHECK(told[0].severity == compiler::Severity::Warning);
  CHECK(told[0].message ==
        "`k` has no parameter `EVNE`, so that Triton cannot launch it with this configuration");
  REQUIRE(told[0].fixes.size() == 1);
  CHECK(told[0].fixes[0].replacement == "\"EVEN\"");
  CHECK(configurationProblems(launched(kEven), "k").empty());
}

TEST_CASE("a suggested block leaves out what heuristics compute", "[launch]") {
  const std::string text = launched(kEven).text;
  CHECK(computedNames(text, "k") == Names{"EVEN"});
  CHECK(computedNames(text, "other").empty());
  compiler::CompileResult result;
  result.kernel = "k";
  result.constexprs = {{"B", "256"}, {"EVEN", "True"}};
  const profiler::LaunchBlock block = suggestedBlock(result, text);
  REQUIRE(block.constexprs.size() == 1);
  CHECK(block.constexprs[0].name == "B");
  CHECK(suggestedBlock(result).constexprs.size() == 2);
}
