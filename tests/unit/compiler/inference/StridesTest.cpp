// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which stride of an address is 1.
#include "compiler/inference/SignatureInference.h"
#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::inference;

static std::map<std::string, std::string> signatureOf(const std::string &kernel) {
  auto tree =
      ast::parseModule("import triton\nimport triton.language as tl\n@triton.jit\n" + kernel);
  REQUIRE(tree->diagnostics.empty());
  ast::ModuleIndex index = ast::indexModule(*tree);
  return inferSelection(index, index.functions.back(), {}).selection.signature;
}

TEST_CASE("a stride beside offsets that have none is not 1", "[compiler]") {
  const auto types = signatureOf(R"(
def rows(x_ptr, y_ptr, stride_xh, stride_xs, stride_yh, stride_ys, n, ROWS: tl.constexpr,
         DIM: tl.constexpr):
    s = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    d = tl.arange(0, DIM)
    head = x_ptr + tl.program_id(1) * stride_xh
    x = tl.load(head + s[:, None] * stride_xs + d[None, :], mask=s[:, None] < n)
    tl.store(y_ptr + (tl.program_id(1) * stride_yh + tl.program_id(0) * stride_ys), tl.sum(x))
)");
  CHECK(types.at("stride_xs") == "i32:16");
  CHECK(types.at("stride_xh") == "i32:16");
  // Of two programs' own places the last stride is 1, as in any row-major tensor.
  CHECK(types.at("stride_ys") == "i32:1");
}

TEST_CASE("a stride beside a number of programs or the counter of a loop is not 1", "[compiler]") {
  const auto types = signatureOf(R"(
def matmul(a, b, c, M, N, K, stride_a, stride_b, stride_c):
    i = tl.program_id(0)
    j = tl.program_id(1)
    s = 0.0
    for k in range(K):
        s += tl.load(a + i * stride_a + k) * tl.load(b + k * stride_b + j)
    tl.store(c + i * stride_c + j, s)
)");
  CHECK(types.at("stride_a") == "i32:16");
  CHECK(types.at("stride_b") == "i32:16");
  CHECK(types.at("stride_c") == "i32:16");
}

TEST_CASE("a stride beside pairs of neighbors is not 1", "[compiler]") {
  const auto types = signatureOf(R"(
def pairs(x, y, n, stride_s, stride_h, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    base = tl.program_id(0) * stride_s + tl.program_id(1) * stride_h
    a = tl.load(x + base + 2 * i, mask=i < n)
    b = tl.load(x + base + i * 2 + 1, mask=i < n)
    tl.store(y + base + 2 * i, a + b, mask=i < n)
)");
  CHECK(types.at("stride_s") == "i32:16");
  CHECK(types.at("stride_h") == "i32:16");
}
