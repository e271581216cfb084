// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/ParameterKeys.h"

#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler::ast;

static constexpr const char *kTuned = R"py(import triton
import triton.language as tl

CONFIGS = [triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 128, "MODE": "BLOCK"})]


def few(configs, args):
    return [c for c in configs if c.kwargs["BLOCK"] < args["n"]]


@triton.autotune(configs=CONFIGS, key=["n"], prune_configs_by={"early_config_prune": few})
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def k(x_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    tl.static_print("BLOCK")


OTHER = {"BLOCK": 1}
)py";

static std::vector<uint32_t> linesOf(std::string_view parameter) {
  const auto tree = parseModule(kTuned);
  const ModuleIndex index = indexModule(*tree);
  std::vector<uint32_t> lines;
  for (const SourceRange &place :
       parameterKeys(*tree, index, *index.findFunction("k"), parameter)) {
    CHECK(tree->text(place) == parameter);
    lines.push_back(place.begin.line + 1);
  }
  return lines;
}

TEST_CASE("decorators, and what they name, call parameters in strings", "[compiler]") {
  // Neither a value, nor what the kernel says, nor a dictionary that is not used.
  CHECK(linesOf("BLOCK") == std::vector<uint32_t>{4, 4, 8, 12});
  CHECK(linesOf("n") == std::vector<uint32_t>{8, 11, 12});
  CHECK(linesOf("EVEN") == std::vector<uint32_t>{12});
  CHECK(linesOf("x_ptr").empty());
  CHECK(linesOf("MODE").empty());
}

TEST_CASE("a key of a configuration that is no parameter is found", "[compiler]") {
  const auto tree = parseModule(kTuned);
  const ModuleIndex index = indexModule(*tree);
  const std::vector<UnknownKey> unknown = unknownConfigurationKeys(index, *index.findFunction("k"));
  REQUIRE(unknown.size() == 1);
  CHECK(unknown[0].name == "MODE");
  CHECK(tree->text(unknown[0].range) == "\"MODE\"");
}

TEST_CASE("a kernel that takes any keyword has no unknown key", "[compiler]") {
  const auto tree = parseModule("import triton\n"
                                "@triton.autotune([triton.Config({'A': 1})], key=[])\n"
                                "@triton.jit\ndef k(x, **meta):\n    pass\n");
  const ModuleIndex index = indexModule(*tree);
  CHECK(unknownConfigurationKeys(index, *index.findFunction("k")).empty());
}
