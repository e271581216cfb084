// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Launches that are suggested for kernels that divide an argument into parts, share a loop among programs, or
// end in front of an argument's end.
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

using Shape = std::vector<std::string>;

static SuggestedLaunch suggest(const std::string &parameters, const std::string &body) {
  return tests::compileKernel(parameters, body, {}, StageId::Ttir).result.suggestion;
}

TEST_CASE("groups that divide an argument are as many as the constexpr says",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, w, y, C, HW, GROUPS: tl.constexpr = 8, B: tl.constexpr = 128",
              R"(    n = tl.program_id(0)
    g = tl.program_id(1)
    per_group = C // GROUPS
    size = per_group * HW
    base = (n * C + g * per_group) * HW
    for start in range(0, size, B):
        i = start + tl.arange(0, B)
        m = i < size
        v = tl.load(x + base + i, mask=m, other=0.0)
        s = tl.load(w + g * per_group + i // HW, mask=m)
        tl.store(y + base + i, v * s, mask=m)
)");
  CHECK(launch.grid.size() == 2);
  CHECK(launch.grid.back() == "GROUPS");
  CHECK(launch.tensors.at("x").shape == Shape{launch.grid.front(), "C", "HW"});
  CHECK(launch.tensors.at("w").shape == Shape{"C"});
  for (const SuggestedSize &size : launch.sizes)
    if (size.name == "C")
      CHECK(size.value % 8 == 0);
}

TEST_CASE("half an argument ends where the quotient does", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("q, cos, o, n_heads, head_dim, B: tl.constexpr = 128",
                                         R"(    t = tl.program_id(0)
    h = tl.program_id(1)
    half = head_dim // 2
    i = tl.arange(0, B)
    m = i < half
    c = tl.load(cos + t * half + i, mask=m)
    base = (t * n_heads + h) * head_dim
    a = tl.load(q + base + 2 * i, mask=m)
    b = tl.load(q + base + 2 * i + 1, mask=m)
    tl.store(o + base + 2 * i, a * c, mask=m)
    tl.store(o + base + 2 * i + 1, b * c, mask=m)
)");
  const std::string rows = launch.grid.front();
  CHECK(launch.tensors.at("cos").shape == Shape{rows, "head_dim // 2"});
  CHECK(launch.tensors.at("q").shape == Shape{rows, "n_heads", "head_dim"});
  CHECK(launch.tensors.at("o").shape == Shape{rows, "n_heads", "head_dim"});
}

TEST_CASE("a loop whose offsets move on by the shares of several programs is theirs",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("a, c, M, K, BM: tl.constexpr = 64, BK: tl.constexpr = 32, SPLIT_K: tl.constexpr = 2",
              R"(    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rk = tl.program_id(1) * BK + tl.arange(0, BK)
    acc = tl.zeros((BM,), tl.float32)
    for k in range(0, tl.cdiv(K, BK * SPLIT_K)):
        v = tl.load(a + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        acc += tl.sum(v, axis=1)
        rk += BK * SPLIT_K
    tl.atomic_add(c + rm, acc, mask=rm < M)
)");
  CHECK(launch.grid == Shape{"cdiv(M, BM)", "SPLIT_K"});
}

TEST_CASE("pooled pixels lie in rows of twice as many", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, y, H, W, OH, OW, B: tl.constexpr = 128",
                                         R"(    plane = tl.program_id(0)
    p = tl.program_id(1) * B + tl.arange(0, B)
    row = p // OW
    column = p % OW
    inside = p < OH * OW
    a = tl.load(x + plane * H * W + (row * 2) * W + column * 2, mask=inside)
    b = tl.load(x + plane * H * W + (row * 2 + 1) * W + column * 2 + 1, mask=inside)
    tl.store(y + plane * OH * OW + p, tl.maximum(a, b), mask=inside)
)");
  CHECK(launch.integers.at("W") == "2 * OW");
  CHECK(launch.integers.at("H") == "2 * OH");
  CHECK(launch.tensors.at("x").shape == Shape{launch.grid.front(), "2 * OH", "2 * OW"});
}

TEST_CASE("results of neighbors are one fewer", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, y, n, B: tl.constexpr = 128",
                                         R"(    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n - 1
    tl.store(y + i, tl.load(x + i + 1, mask=m) - tl.load(x + i, mask=m), mask=m)
)");
  CHECK(launch.tensors.at("x").shape == Shape{"n"});
  CHECK(launch.tensors.at("y").shape == Shape{"n - 1"});
  // What leaves out the first element as well is as long as its input.
  const SuggestedLaunch inner = suggest("x, y, n, B: tl.constexpr = 128",
                                        R"(    i = tl.program_id(0) * B + tl.arange(0, B)
    m = (i > 0) & (i < n - 1)
    tl.store(y + i, tl.load(x + i + 1, mask=m) - tl.load(x + i - 1, mask=m), mask=m)
)");
  CHECK(inner.tensors.at("y").shape == Shape{"n"});
}

TEST_CASE("a shape is a guess where its index ends elsewhere, too", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("b, q, DQ, DK, B: tl.constexpr = 128",
                                         R"(    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(b + i, mask=i < DQ + 2 * DK, other=0.0)
    tl.store(q + i, v, mask=i < DQ)
)");
  CHECK(launch.tensors.at("b").isGuess);
  CHECK(launch.isGridGuess);
}

TEST_CASE("where the next block begins lies behind the last", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("starts, y, n, B: tl.constexpr = 128",
                                         R"(    block = tl.program_id(0)
    begin = tl.load(starts + block)
    end = tl.load(starts + block + 1)
    i = block * B + tl.arange(0, B)
    tl.store(y + i, end - begin, mask=i < n)
)");
  CHECK(launch.tensors.at("starts").shape == Shape{"cdiv(n, B) + 1"});
  CHECK(launch.tensors.at("starts").isGuess);
}

TEST_CASE("blocks of equal sides are named after what they divide", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, n_ctx, BLOCK_M: tl.constexpr = 64, BLOCK_N: tl.constexpr = 64",
              R"(    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    for start in range(0, n_ctx, BLOCK_N):
        k = start + tl.arange(0, BLOCK_N)
        tl.atomic_add(x + m[:, None] * n_ctx + k[None, :], 1.0, mask=(m[:, None] < n_ctx) & (k[None, :] < n_ctx))
)");
  CHECK(launch.grid == Shape{"cdiv(n_ctx, BLOCK_M)"});
}

TEST_CASE("the counter of a loop that is added moves an index on", "[compiler][launch]") {
  const SuggestedLaunch scalar = suggest("x, out, n, k", R"(    for i in range(n):
        s = 0.0
        for j in range(k):
            s += tl.load(x + i + j)
        tl.store(out + i, s / k)
)");
  CHECK(scalar.tensors.at("x").shape == Shape{"n + k - 1"});
  CHECK(scalar.tensors.at("out").shape == Shape{"n"});

  const std::string sum = R"(    i = tl.program_id(0) * B + tl.arange(0, B)
    s = tl.zeros([B], tl.float32)
    for j in range(K):
        s += tl.load(x + i + j, mask=i < n)
    tl.store(out + i, s, mask=i < n)
)";
  const std::string block = "B: tl.constexpr = 128";
  const SuggestedLaunch ended = suggest("x, out, n, K, " + block, sum);
  CHECK(ended.tensors.at("x").shape == Shape{"n + K - 1"});
  CHECK(ended.tensors.at("x").isGuess);
  const SuggestedLaunch constant = suggest("x, out, n, K: tl.constexpr = 5, " + block, sum);
  CHECK(constant.tensors.at("x").shape == Shape{"n + K - 1"});
  CHECK(constant.tensors.at("x").isGuess);
  CHECK(constant.tensors.at("out").shape == Shape{"n"});
}

TEST_CASE("blocks of a loop end where their mask does", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, out, K, B: tl.constexpr = 128", R"(    s = 0.0
    for k in range(0, K, B):
        i = tl.arange(0, B)
        s += tl.sum(tl.load(x + k + i, mask=i < K - k, other=0.0))
    tl.store(out, s)
)");
  CHECK(launch.tensors.at("x").shape == Shape{"K"});
}

TEST_CASE("where an index ends at a difference of arguments, extents are a guess",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, w, out, n, k, B: tl.constexpr = 128",
                                         R"(    i = tl.program_id(0) * B + tl.arange(0, B)
    s = tl.zeros([B], tl.float32)
    for j in range(k):
        s += tl.load(x + i + j, mask=i < n - k + 1, other=0.0) * tl.load(w + j)
    tl.store(out + i, s, mask=i < n - k + 1)
)");
  CHECK(launch.tensors.at("out").isGuess);
}

TEST_CASE("rows may be a multiple of an argument long", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("img, out, h, w, B: tl.constexpr = 1024", R"(    y = tl.program_id(0)
    x = tl.arange(0, B)
    m = x < 2 * w
    tl.store(out + y * (2 * w) + x, tl.load(img + (y // 2) * w + x // 2, mask=m), mask=m)
)");
  CHECK(launch.tensors.at("out").shape == Shape{launch.grid.front(), "2 * w"});
}

TEST_CASE("a block that no loop moves covers its axis, whatever else the mask says",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, out, n_rows, n_cols, BM: tl.constexpr = 64, BN: tl.constexpr = 32",
              R"(    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.arange(0, BN)
    m = (r[:, None] < n_rows) & (c[None, :] < n_cols)
    v = tl.load(x + r[:, None] * n_cols + c[None, :], mask=m, other=0.0)
    tl.store(out + r, tl.sum(v, axis=1), mask=r < n_rows)
)");
  for (const SuggestedSize &size : launch.sizes) {
    UNSCOPED_INFO(size.name << " = " << size.value);
    if (size.name == "n_cols")
      CHECK(size.value <= 32);
  }
}
