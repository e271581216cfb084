// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/SignatureInference.h"
#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::inference;

static InferredSelection infer(const std::string &source, const Selection &given = {}) {
  auto tree = ast::parseModule("import triton\nimport triton.language as tl\n" + source);
  REQUIRE(tree->diagnostics.empty());
  ast::ModuleIndex index = ast::indexModule(*tree);
  REQUIRE_FALSE(index.functions.empty());
  return inferSelection(index, index.functions.back(), given);
}

using Map = std::map<std::string, std::string>;

TEST_CASE("where the largest of some numbers is says nothing about what they are", "[compiler]") {
  const InferredSelection result = infer(R"(
@triton.jit
def kernel(x, value, index, n, K: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0.0)
    for k in tl.static_range(K):
        where = tl.argmax(v, axis=0)
        tl.store(value + k, tl.max(v, axis=0))
        tl.store(index + k, where)
        v = tl.where(i == where, -1e30, v)
)");
  const Map &types = result.selection.signature;
  CHECK(types.at("x") == "*fp32:16");
  CHECK(types.at("value") == "*fp32:16");
  CHECK(types.at("index") == "*i32:16");
}
