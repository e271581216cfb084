// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Guesses that would hide what is wrong with a kernel are not made.
#include "tests/unit/compiler/frontend/FrontendTestSupport.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;

static Emitted emitGuessed(const std::string &body, const Selection &given = {}) {
  Emitted emitted = emit("import triton\nimport triton.language as tl\n" + body, given);
  INFO(emitted.messages());
  return emitted;
}

TEST_CASE("a default that is not a side of any block stays, and its error with it", "[compiler]") {
  const char *body = R"(
@triton.jit
def kernel(x, y, n, BLOCK: tl.constexpr = 1000):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)
)";
  CHECK(emitGuessed(body).messages().find("must be a power of 2, but is 1000") !=
        std::string::npos);
  CHECK(emitGuessed(body, {.constexprs = {{"BLOCK", "512"}}}).diagnostics.empty());
}

TEST_CASE("blocks do not become square where axes are missing", "[compiler]") {
  const char *body = R"(
@triton.jit
def kernel(x, M, N, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    i = rm * N + rn
    tl.store(x + i, tl.load(x + i) + 1.0)
)";
  CHECK(emitGuessed(body).messages().find("incompatible dimensions") != std::string::npos);
}

TEST_CASE("what chooses between values is loaded as conditions", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def kernel(x, m, y, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(y + i, tl.where(tl.load(m + i), tl.load(x + i), 0.0))
)");
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["m"] == "*i1:16");
}

TEST_CASE("rows and columns of a block do not become equal to fit each other", "[compiler]") {
  const char *body = R"(
@triton.jit
def kernel(x, y, M, N, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    a = tl.load(x + rm[:, None] * N + rn[None, :])
    tl.store(y + rm, tl.sum(a, axis=0))
)";
  CHECK_FALSE(emitGuessed(body).diagnostics.empty());
  // Sides that are not those of rows and columns are made to agree.
  const std::string other =
      std::string(body).replace(std::string(body).find("axis=0"), 6, "axis=1");
  CHECK(emitGuessed(other).diagnostics.empty());
}

TEST_CASE("what a kernel makes rows and columns of differs, whatever it is called", "[compiler]") {
  const char *body = R"(
@triton.jit
def kernel(x, y, out, A, B, BA: tl.constexpr, BB: tl.constexpr):
    i = tl.program_id(0) * BA + tl.arange(0, BA)
    j = tl.program_id(1) * BB + tl.arange(0, BB)
    s = tl.zeros([BA, BB], tl.float32)
    s += tl.load(x + i, mask=i < A) - tl.load(y + j, mask=j < B)
    tl.store(out + i[:, None] * B + j[None, :], s, mask=(i[:, None] < A) & (j[None, :] < B))
)";
  CHECK(emitGuessed(body).messages().find("incompatible dimensions") != std::string::npos);
  // Blocks along one axis are made to agree.
  CHECK(emitGuessed(R"(
@triton.jit
def kernel(x, y, out, n, BA: tl.constexpr, BB: tl.constexpr):
    i = tl.arange(0, BA)
    j = tl.arange(0, BB)
    s = tl.load(x + i, mask=i < n) - tl.load(y + j, mask=j < n)
    tl.store(out + i, s, mask=i < n)
)")
            .diagnostics.empty());
}
