// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/SignatureInference.h"
#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::inference;

static std::string valueOf(const std::string &name, const std::string &source) {
  auto tree =
      ast::parseModule("import triton\nimport triton.language as tl\n@triton.jit\n" + source);
  REQUIRE(tree->diagnostics.empty());
  ast::ModuleIndex index = ast::indexModule(*tree);
  REQUIRE_FALSE(index.functions.empty());
  return inferSelection(index, index.functions.back(), {}).selection.constexprs.at(name);
}

TEST_CASE("what indices are only moved by is a few", "[compiler]") {
  CHECK(valueOf("Q", R"(def kernel(x, y, n, Q: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i - Q, mask=(i >= Q) & (i < n + Q), other=0.0)
    tl.store(y + i, v, mask=i < n + 2 * Q)
)") == "2");
  // Where it is a factor, or an end, it is a size.
  CHECK(valueOf("Q", R"(def kernel(x, y, Q: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + (i - Q) * Q, mask=i >= Q), mask=i >= Q)
)") == "64");
  CHECK(valueOf("Q", R"(def kernel(x, y, Q: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i + Q, mask=i < Q), mask=i < Q)
)") == "64");
}

TEST_CASE("what a loop counts places up to is a few", "[compiler]") {
  const auto with = [](const std::string &loop, const std::string &place) {
    return valueOf("Q", "def kernel(x, y, n, Q: tl.constexpr, BLOCK: tl.constexpr):\n"
                        "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
                        "    s = tl.zeros((BLOCK,), tl.float32)\n"
                        "    for k in " +
                            loop + ":\n        s += tl.load(x + " + place +
                            ", mask=i < n, other=0.0)\n"
                            "    tl.store(y + i, s, mask=i < n)\n");
  };
  CHECK(with("range(Q)", "i + k") == "4");
  CHECK(with("range(-Q, Q + 1)", "i + k") == "4");
  // Turns without a place, and blocks of a longer row.
  CHECK(with("range(Q)", "i") == "64");
  CHECK(with("range(0, Q, 16)", "i + k") == "64");
}
