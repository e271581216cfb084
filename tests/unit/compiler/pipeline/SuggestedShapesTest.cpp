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

TEST_CASE("what is loaded says the sizes where nothing is stored yet", "[compiler][launch]") {
  const SuggestedLaunch launch =
      tests::compileKernel("x_ptr, y_ptr, o_ptr, n, BLOCK: tl.constexpr = 128",
                           R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    z = x + tl.load(y_ptr + i, mask=i < n)
)",
                           {{"o_ptr", "*fp32"}}, StageId::Ttir)
          .result.suggestion;
  CHECK(launch.storesNothing);
  CHECK(launch.sizes == std::vector<SuggestedSize>{{"n", 4000}});
  CHECK(launch.tensors.at("x_ptr") == SuggestedTensor{{"n"}, false, true, false, ""});
  CHECK(launch.tensors.at("y_ptr") == SuggestedTensor{{"n"}, false, true, false, ""});
  // What it is about to store to, most likely.
  CHECK(launch.tensors.at("o_ptr") == SuggestedTensor{{"n"}, true, false, false, ""});
  CHECK(launch.grid == Shape{"cdiv(n, BLOCK)"});
  // One that stores does not say so.
  CHECK_FALSE(suggest("o_ptr", "    tl.store(o_ptr, 1.0)\n").storesNothing);
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

TEST_CASE("an extent is named after what the indices say, not after what has the same value",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("a, b, o, K, N, R: tl.constexpr = 64, BM: tl.constexpr = 64, BN: tl.constexpr = 64",
              R"(    k = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    r = tl.arange(0, R)
    p = a + k[:, None] * R + r[None, :]
    x = tl.load(p, mask=(k < K)[:, None], other=0.0)
    y = tl.load(b + r[:, None] * N + n[None, :], mask=(n < N)[None, :], other=0.0)
    tl.store(o + k[:, None] * N + n[None, :], x + y, mask=(k < K)[:, None] & (n < N)[None, :])
)");
  CHECK(launch.tensors.at("a").shape == Shape{"K", "R"});
  CHECK(launch.tensors.at("b").shape == Shape{"R", "N"});
  const SuggestedLaunch rows = suggest("q, k, o, H, T, BT: tl.constexpr = 64, D: tl.constexpr = 64",
                                       R"(    h = tl.program_id(0)
    if h >= H:
        return
    d = tl.arange(0, D)
    t = tl.program_id(1) * BT + tl.arange(0, BT)
    x = tl.load(k + h * T * D + t[:, None] * D + d[None, :], mask=(t < T)[:, None], other=0.0)
    tl.store(o + h * D + d, tl.load(q + h * D + d) + tl.sum(x, axis=0))
)");
  CHECK(rows.tensors.at("q").shape == Shape{"H", "D"});
  CHECK(rows.tensors.at("k").shape == Shape{"H", "T", "D"});
}

TEST_CASE("what bounds indices that were loaded says how many entries there are",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("idx, dw, dy, n, D, V, BN: tl.constexpr = 32, BD: tl.constexpr = 64",
              R"(    i = tl.program_id(0) * BN + tl.arange(0, BN)
    d = tl.program_id(1) * BD + tl.arange(0, BD)
    m = (i < n)[:, None] & (d < D)[None, :]
    at = tl.load(idx + i, mask=i < n, other=0)
    v = tl.load(dy + i[:, None] * D + d[None, :], mask=m, other=0.0)
    ok = m & (at >= 0)[:, None] & (at < V)[:, None]
    tl.atomic_add(dw + at[:, None] * D + d[None, :], v, mask=ok)
)");
  CHECK(launch.tensors.at("dw").shape == Shape{"V", "D"});
  CHECK(launch.tensors.at("idx").indicesBelow == "V");
}

TEST_CASE("arrays of offsets are one longer than the groups that they separate, and ascend",
          "[compiler][launch]") {
  const SuggestedLaunch rows = suggest("row_ptr, col, x, y, BLOCK: tl.constexpr = 128",
                                       R"(    row = tl.program_id(0)
    start = tl.load(row_ptr + row)
    end = tl.load(row_ptr + row + 1)
    acc = 0.0
    for i in range(start, end, BLOCK):
        o = i + tl.arange(0, BLOCK)
        c = tl.load(col + o, mask=o < end, other=0)
        acc += tl.sum(tl.load(x + c, mask=o < end, other=0.0))
    tl.store(y + row, acc)
)");
  CHECK(rows.tensors.at("row_ptr").shape == Shape{"n_rows + 1"});
  CHECK(rows.tensors.at("row_ptr").isAscending);
  CHECK(rows.tensors.at("row_ptr").indicesBelow == rows.tensors.at("col").shape.front());
  CHECK_FALSE(rows.tensors.at("col").isAscending);
  CHECK(rows.tensors.at("y").shape == Shape{"n_rows"});
  CHECK(rows.grid == Shape{"n_rows"});
  const SuggestedLaunch groups =
      suggest("x, offs, y, G, K, BM: tl.constexpr = 64, BK: tl.constexpr = 32",
              R"(    rk = tl.arange(0, BK)
    for g in range(G):
        lo = tl.load(offs + g)
        hi = tl.load(offs + g + 1)
        for m in range(lo, hi, BM):
            rm = m + tl.arange(0, BM)
            ok = (rm < hi)[:, None] & (rk < K)[None, :]
            at = rm[:, None] * K + rk[None, :]
            tl.store(y + at, tl.load(x + at, mask=ok), mask=ok)
)");
  CHECK(groups.tensors.at("offs").shape == Shape{"G + 1"});
  CHECK(groups.tensors.at("offs").isGuess);
  CHECK(groups.tensors.at("offs").isAscending);
  CHECK(groups.tensors.at("offs").indicesBelow == "n_entries");
}

TEST_CASE("an array that is read behind its mask's end is longer, and that is a guess",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, w, y, n, KW: tl.constexpr = 4, BLOCK: tl.constexpr = 128",
              R"(    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    for k in tl.static_range(KW):
        acc += tl.load(x + o + k, mask=o < n, other=0.0) * tl.load(w + k)
    tl.store(y + o, acc, mask=o < n)
)");
  CHECK(launch.tensors.at("x").shape == Shape{"n + KW - 1"});
  CHECK(launch.tensors.at("x").isGuess);
  CHECK(launch.tensors.at("w").shape == Shape{"KW"});
  CHECK(launch.tensors.at("y").shape == Shape{"n"});
  CHECK_FALSE(launch.tensors.at("y").isGuess);
  // The mask leaves out the last one, so that the next one lies inside.
  const SuggestedLaunch next = suggest("x, y, n, BLOCK: tl.constexpr = 128",
                                       R"(    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + o, tl.load(x + o + 1, mask=o < n - 1), mask=o < n)
)");
  CHECK(next.tensors.at("x").shape == Shape{"n"});
  CHECK_FALSE(next.tensors.at("x").isGuess);
}

TEST_CASE("rows of several extents that programs count have one name in arrays and grid",
          "[compiler][launch]") {
  const SuggestedLaunch scan = suggest("a, y, L, C, BL: tl.constexpr = 64, BC: tl.constexpr = 64",
                                       R"(    c = tl.program_id(0) * BC + tl.arange(0, BC)
    batch = tl.program_id(1)
    for start in range(0, L, BL):
        t = start + tl.arange(0, BL)
        at = batch * L * C + t[:, None] * C + c[None, :]
        ok = (t < L)[:, None] & (c < C)[None, :]
        tl.store(y + at, tl.load(a + at, mask=ok), mask=ok)
)");
  CHECK(scan.tensors.at("a").shape == Shape{"n_rows", "L", "C"});
  CHECK(scan.grid == Shape{"cdiv(C, BC)", "n_rows"});
  CHECK(std::ranges::find(scan.sizes, "n_groups", &SuggestedSize::name) == scan.sizes.end());
  const SuggestedLaunch heads = suggest("q, o, T, BM: tl.constexpr = 64, D: tl.constexpr = 32",
                                        R"(    m = tl.program_id(0) * BM + tl.arange(0, BM)
    head = tl.program_id(1)
    base = head * T * D
    at = base + m[:, None] * D + tl.arange(0, D)[None, :]
    tl.store(o + at, tl.load(q + at, mask=(m < T)[:, None]), mask=(m < T)[:, None])
)");
  CHECK(heads.tensors.at("q").shape == Shape{"n_rows", "T", "D"});
  CHECK(heads.grid == Shape{"cdiv(T, BM)", "n_rows"});
}

TEST_CASE("a workspace has a row for each of the programs that share a loop",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("a, ws, M, K, BM: tl.constexpr = 64, BK: tl.constexpr = 32, SPLIT: tl.constexpr = 2",
              R"(    m = tl.program_id(0) * BM + tl.arange(0, BM)
    s = tl.program_id(1)
    acc = tl.zeros((BM,), tl.float32)
    for k in range(s * BK, K, BK * SPLIT):
        r = k + tl.arange(0, BK)
        ok = (m < M)[:, None] & (r < K)[None, :]
        acc += tl.sum(tl.load(a + m[:, None] * K + r[None, :], mask=ok, other=0.0), axis=1)
    tl.store(ws + s * M + m, acc, mask=m < M)
)");
  CHECK(launch.grid == Shape{"cdiv(M, BM)", "SPLIT"});
  CHECK(launch.tensors.at("ws").shape == Shape{"SPLIT", "M"});
  CHECK(launch.sizes.size() == 2);
}

TEST_CASE("programs that share a loop are not counted by the side of a block",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("a, o, K, BK: tl.constexpr = 64, SK: tl.constexpr = 64",
                                         R"(    total = 0.0
    for k in range(tl.program_id(0) * BK, K, BK * SK):
        r = k + tl.arange(0, BK)
        total += tl.sum(tl.load(a + r, mask=r < K, other=0.0))
    tl.atomic_add(o, total)
)");
  CHECK(launch.grid == Shape{"SK"});
}

TEST_CASE("rows of a head dimension are apart by it, not by 1", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest(
      "q_ptr, k_ptr, o_ptr, stride_qh, stride_kh, stride_ks, stride_oh, stride_os, n, splits, "
      "DIM: tl.constexpr = 64, BLOCK: tl.constexpr = 32",
      R"(    head = tl.program_id(0)
    split = tl.program_id(1)
    d = tl.arange(0, DIM)
    q = tl.load(q_ptr + head * stride_qh + d)
    acc = tl.zeros((DIM,), dtype=tl.float32)
    for start in range(split * BLOCK, n, splits * BLOCK):
        s = start + tl.arange(0, BLOCK)
        k = tl.load(k_ptr + head * stride_kh + s[:, None] * stride_ks + d[None, :], mask=s[:, None] < n, other=0.0)
        acc += tl.sum(q[None, :] * k, axis=0)
    tl.store(o_ptr + head * stride_oh + split * stride_os + d, acc)
)");
  CHECK(launch.tensors.at("k_ptr").shape == Shape{"H", "n", "DIM"});
  CHECK(launch.tensors.at("o_ptr").shape == Shape{"H", "cdiv(n, BLOCK)", "DIM"});
  CHECK(launch.integers.at("stride_ks") == "DIM");
  CHECK(launch.integers.at("stride_os") == "DIM");
}

TEST_CASE("what ends at a product has its factors as sides", "[compiler][launch]") {
  const std::string counted = "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n";
  const SuggestedLaunch turned =
      suggest("x, out, h, w, BLOCK: tl.constexpr = 128", counted + R"(    m = i < h * w
    tl.store(out + i % w * h + i // w, tl.load(x + i, mask=m), mask=m)
)");
  CHECK(turned.grid == Shape{"cdiv(h * w, BLOCK)"});
  CHECK(turned.tensors.at("x").shape == Shape{"h", "w"});
  CHECK(turned.tensors.at("out").shape == Shape{"w", "h"});
  CHECK_FALSE(turned.tensors.at("x").isGuess);
  CHECK(turned.sizes == std::vector<SuggestedSize>{{"h", 208}, {"w", 304}});
  const SuggestedLaunch rows =
      suggest("ids, table, out, n, d, BLOCK: tl.constexpr = 128", counted + R"(    m = i < n * d
    row = tl.load(ids + i // d, mask=m)
    tl.store(out + i, tl.load(table + row * d + i % d, mask=m), mask=m)
)");
  CHECK(rows.tensors.at("out").shape == Shape{"n", "d"});
  const SuggestedLaunch gray =
      suggest("rgb, out, h, w, BLOCK: tl.constexpr = 128", counted + R"(    m = i < h * w
    r = tl.load(rgb + 3 * i, mask=m)
    g = tl.load(rgb + 3 * i + 1, mask=m)
    tl.store(out + i, r + g, mask=m)
)");
  CHECK(gray.tensors.at("out").shape == Shape{"h", "w"});
  CHECK(gray.tensors.at("rgb").shape == Shape{"h", "w", "3"});
  CHECK(gray.sizes.front().value > 100);
}

TEST_CASE("what is counted from both ends is as long as both say", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, n, BLOCK: tl.constexpr = 128",
                                         R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n // 2
    a = tl.load(x + i, mask=m)
    b = tl.load(x + n - 1 - i, mask=m)
    tl.store(x + i, b, mask=m)
    tl.store(x + n - 1 - i, a, mask=m)
)");
  CHECK(launch.tensors.at("x").shape == Shape{"n"});
  CHECK(launch.tensors.at("x").isGuess);
  CHECK(launch.sizes.front().value > 1000);
}
