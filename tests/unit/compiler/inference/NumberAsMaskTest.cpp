// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/SignatureInference.h"
#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::inference;

/// The type guessed for `name` in a kernel that stores with the mask `mask`.
static std::string typeOf(const std::string &name, const std::string &mask) {
  auto tree = ast::parseModule("import triton\nimport triton.language as tl\n"
                               "@triton.jit\n"
                               "def kernel(x, " +
                               name +
                               ", BLOCK: tl.constexpr):\n"
                               "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
                               "    renamed = " +
                               name +
                               "\n"
                               "    tl.store(x + i, 1.0, mask=" +
                               mask + ")\n");
  REQUIRE(tree->diagnostics.empty());
  ast::ModuleIndex index = ast::indexModule(*tree);
  return inferSelection(index, index.functions.back(), {}).selection.signature[name];
}

TEST_CASE("a number of elements as a mask is not a truth value", "[compiler]") {
  CHECK(typeOf("n", "n") == "i32");
  CHECK(typeOf("size", "size") == "i32:16");
  CHECK(typeOf("n", "renamed") == "i32");
}

TEST_CASE("a switch, and a part of a condition, may be a mask", "[compiler]") {
  CHECK(typeOf("has_bias", "has_bias") == "u1");
  CHECK(typeOf("valid", "renamed") == "u1");
  CHECK(typeOf("b", "(i < 4) & b") == "u1");
}
