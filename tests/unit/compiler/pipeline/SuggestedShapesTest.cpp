// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Shapes and sizes that are suggested for kernels whose files say nothing about a launch.
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

using Shape = std::vector<std::string>;

static SuggestedLaunch suggest(const std::string &parameters, const std::string &body) {
  return tests::compileKernel(parameters, body, {}, StageId::Ttir).result.suggestion;
}

TEST_CASE("a row that is left early ends where the condition says", "[compiler][launch]") {
  for (const char *exit : {"row >= n_rows", "n_rows <= row"}) {
    const SuggestedLaunch launch =
        suggest("x, y, n_rows, n_cols, BLOCK: tl.constexpr = 128",
                std::string("    row = tl.program_id(0)\n    if ") + exit + R"(:
        return
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n_cols + i, mask=i < n_cols)
    tl.store(y + row * n_cols + i, v, mask=i < n_cols)
)");
    INFO(exit);
    CHECK(launch.grid == Shape{"n_rows"});
    CHECK(launch.tensors.at("x").shape == Shape{"n_rows", "n_cols"});
    CHECK(launch.integers.at("n_rows") == "n_rows");
  }
}

TEST_CASE("a block of a matrix covers its rows, also where they are counted by the same range",
          "[compiler][launch]") {
  for (const char *at : {"i[:, None] * N + i", "N * i[:, None] + i[None, :]"}) {
    const SuggestedLaunch launch = suggest("x, y, N: tl.constexpr = 64",
                                           std::string("    i = tl.arange(0, N)\n    at = ") + at +
                                               R"(
    tl.store(y + at, tl.load(x + at))
)");
    INFO(at);
    CHECK(launch.tensors.at("x").shape == Shape{"N", "N"});
    CHECK(launch.tensors.at("y").shape == Shape{"N", "N"});
  }
  const SuggestedLaunch launch =
      suggest("x, y, M: tl.constexpr = 32, N: tl.constexpr = 64", R"(    i = tl.arange(0, M)
    k = tl.arange(0, N)
    at = i[:, None] * N + k[None, :]
    tl.store(y + at, tl.load(x + at))
)");
  CHECK(launch.tensors.at("x").shape == Shape{"M", "N"});
}

TEST_CASE("rows of a length that nothing masks are no multiple of the block",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, y, n_cols, BLOCK: tl.constexpr = 1024", R"(    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(y + row, tl.sum(tl.load(x + row * n_cols + i), axis=0))
)");
  CHECK(launch.tensors.at("x").shape == Shape{"n_rows", "n_cols"});
  CHECK(launch.integers.at("n_cols") == "n_cols");
  const auto columns = std::ranges::find(launch.sizes, "n_cols", &SuggestedSize::name);
  REQUIRE(columns != launch.sizes.end());
  CHECK(columns->value < 1024);
  CHECK(columns->value > 1);
}

TEST_CASE("a loop over blocks turns more than once, also where pointers move and masks shrink",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, o, M, K, BM: tl.constexpr = 64, BK: tl.constexpr = 32",
                                         R"(    m = tl.program_id(0) * BM + tl.arange(0, BM)
    r = tl.arange(0, BK)
    p = x + m[:, None] * K + r[None, :]
    acc = tl.zeros((BM,), dtype=tl.float32)
    for k in range(0, K, BK):
        acc += tl.sum(tl.load(p, mask=(m < M)[:, None] & (r < K - k)[None, :], other=0.0), axis=1)
        p += BK
    tl.store(o + m, acc, mask=m < M)
)");
  const auto size = std::ranges::find(launch.sizes, "K", &SuggestedSize::name);
  REQUIRE(size != launch.sizes.end());
  CHECK(size->value > 2 * 32);
  CHECK(size->value % 32 != 0);
  CHECK(size->value % 16 == 0);
}
