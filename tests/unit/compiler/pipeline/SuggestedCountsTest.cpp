// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Launches that are suggested for what programs and blocks count: quotients, digits, blocks beside rows, groups of rows,
// and what the integers of an array are compared with.
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

using Shape = std::vector<std::string>;

static CompileResult compiled(const std::string &parameters, const std::string &body) {
  return tests::compileKernel(parameters, body, {}, StageId::Ttir).result;
}

static SuggestedLaunch suggest(const std::string &parameters, const std::string &body) {
  return compiled(parameters, body).suggestion;
}

static int64_t valueOf(const SuggestedLaunch &launch, const std::string &name) {
  const auto size = std::ranges::find(launch.sizes, name, &SuggestedSize::name);
  return size == launch.sizes.end() ? 0 : size->value;
}

TEST_CASE("several elements of an index have one of its quotient", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("q, scale, out, K, N, GROUP: tl.constexpr = 8, B: tl.constexpr = 32",
              R"(    k = tl.program_id(0) * B + tl.arange(0, B)
    n = tl.program_id(1) * B + tl.arange(0, B)
    m = (k[:, None] < K) & (n[None, :] < N)
    v = tl.load(q + (k[:, None] // 8) * N + n[None, :], mask=m, other=0)
    s = tl.load(scale + (k[:, None] // GROUP) * N + n[None, :], mask=m, other=0.0)
    tl.store(out + k[:, None] * N + n[None, :], ((v >> 4) & 15) * s, mask=m)
)");
  // Each by what its own indices are divided by, which are equal here.
  CHECK(launch.tensors.at("q").shape == Shape{"cdiv(K, 8)", "N"});
  CHECK(launch.tensors.at("scale").shape == Shape{"cdiv(K, GROUP)", "N"});
  CHECK(launch.tensors.at("out").shape == Shape{"K", "N"});
}

TEST_CASE("an array that is read at an index and at its quotient is as long as the index",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, out, n, B: tl.constexpr = 128", R"(    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(out + i, tl.load(x + i, mask=m) - tl.load(x + i // 4, mask=m), mask=m)
)");
  CHECK(launch.tensors.at("x").shape == Shape{"n"});
}

TEST_CASE("a number of programs that is taken apart has as many as both of its parts",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, y, H, W, B: tl.constexpr = 128", R"(    b = tl.program_id(0) // H
    h = tl.program_id(0) % H
    w = tl.program_id(1) * B + tl.arange(0, B)
    s = tl.zeros([B], tl.float32)
    for i in tl.static_range(3):
        hh = h + i - 1
        ok = (hh >= 0) & (hh < H)
        s += tl.load(x + (b * H + hh) * W + w, mask=ok & (w < W), other=0.0)
    tl.store(y + (b * H + h) * W + w, s, mask=w < W)
)");
  CHECK(launch.grid == Shape{"H * n_rows", "cdiv(W, B)"});
  CHECK(launch.tensors.at("x").shape == Shape{"n_rows", "H", "W"});
  CHECK(launch.tensors.at("y").shape == Shape{"n_rows", "H", "W"});
}

TEST_CASE("there are as many blocks as a row has entries of which each block has one",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, table, lens, out, max_blocks, PAGE: tl.constexpr = 32",
                                         R"(    b = tl.program_id(0)
    blk = tl.program_id(1)
    n = tl.load(lens + b)
    if blk * PAGE >= n:
        return
    page = tl.load(table + b * max_blocks + blk)
    j = tl.arange(0, PAGE)
    tl.store(out + b * max_blocks * PAGE + blk * PAGE + j, tl.load(x + page * PAGE + j))
)");
  CHECK(launch.tensors.at("table").shape == Shape{"n_rows", "max_blocks"});
  CHECK(launch.grid == Shape{"n_rows", "max_blocks"});
  CHECK(launch.integers.at("max_blocks") == "max_blocks");
}

TEST_CASE("of blocks that programs count each may have a row beside", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, partial, n, B: tl.constexpr = 32, BINS: tl.constexpr = 128",
              R"(    pid = tl.program_id(0)
    i = pid * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0).to(tl.int32)
    tl.store(partial + pid * BINS + tl.arange(0, BINS), tl.histogram(v, BINS, mask=i < n))
)");
  CHECK(launch.grid == Shape{"cdiv(n, B)"});
  CHECK(launch.tensors.at("partial").shape == Shape{"cdiv(n, B)", "BINS"});
  CHECK(launch.tensors.at("x").indicesBelow == "BINS");
}

TEST_CASE("what is counted in bins are integers, also where a kernel casts them",
          "[compiler][launch]") {
  const CompileResult result = compiled("x, out, n, B: tl.constexpr = 128",
                                        R"(    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0).to(tl.int32)
    tl.store(out + tl.arange(0, 64), tl.histogram(v, 64, mask=i < n))
)");
  CHECK(result.signature.at("x") == "*i32:16");
}

TEST_CASE("labels are compared with indices, and with an integer that leaves some out",
          "[compiler][launch]") {
  const CompileResult result = compiled("x, labels, out, V, ignore, B: tl.constexpr = 128",
                                        R"(    row = tl.program_id(0)
    col = tl.arange(0, B)
    label = tl.load(labels + row)
    scale = tl.where(label == ignore, 0.0, 1.0)
    v = tl.load(x + row * V + col, mask=col < V, other=0.0)
    tl.store(out + row * V + col, tl.where(col == label, v, 0.0) * scale, mask=col < V)
)");
  CHECK(result.signature.at("labels") == "*i64:16");
  CHECK(result.signature.at("ignore") == "i32:16");
  const SuggestedTensor &labels = result.suggestion.tensors.at("labels");
  CHECK(labels.indicesBelow == "V");
  CHECK_FALSE(labels.areLengths);
  CHECK_FALSE(labels.isGuess);
  CHECK_FALSE(result.suggestion.isGridGuess);
}

TEST_CASE("an index that a number is taken from ends where it is compared", "[compiler][launch]") {
  for (const char *taken : {"p", "3"}) {
    const std::string moved = std::string("i - ") + taken;
    const SuggestedLaunch launch = suggest(
        "x, out, n, p, B: tl.constexpr = 128",
        "    i = tl.program_id(0) * B + tl.arange(0, B)\n    v = tl.load(x + " + moved +
            ", mask=" + moved + " < n, other=0)\n    tl.store(out + i, v, mask=i < n + p)\n");
    CHECK(launch.tensors.at("x").shape == Shape{"n"});
  }
}

TEST_CASE("columns that are counted down from the end of a row are not of the next one",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, out, H, W, B: tl.constexpr = 1024", R"(    y = tl.program_id(0)
    i = tl.arange(0, B)
    v = tl.load(x + y * W + W - 1 - i, mask=i < W)
    tl.store(out + y * W + i, v, mask=i < W)
)");
  CHECK(launch.tensors.at("x").shape == Shape{"H", "W"});
  CHECK_FALSE(launch.tensors.at("x").isGuess);
}

TEST_CASE("programs that read two rows each are half as many as there are rows",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, y, H, W, B: tl.constexpr = 1024", R"(    r = tl.program_id(0)
    c = tl.arange(0, B)
    m = c < W // 2
    p = x + 2 * r * W + 2 * c
    a = tl.maximum(tl.load(p, mask=m), tl.load(p + 1, mask=m))
    b = tl.maximum(tl.load(p + W, mask=m), tl.load(p + W + 1, mask=m))
    tl.store(y + r * (W // 2) + c, tl.maximum(a, b), mask=m)
)");
  CHECK(launch.grid == Shape{"H // 2"});
  CHECK(launch.tensors.at("x").shape == Shape{"H", "W"});
  CHECK(launch.tensors.at("y").shape == Shape{"H // 2", "W // 2"});
  CHECK(valueOf(launch, "H") % 2 == 0);
}

TEST_CASE("a block that takes a row of several axes covers their product", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, out, h, w, c, B: tl.constexpr = 1024", R"(    row = tl.program_id(0)
    i = tl.arange(0, B)
    v = tl.load(x + row * w * c + i, mask=i < w * c)
    tl.store(out + row * w * c + i, v + 1, mask=i < w * c)
)");
  const int64_t row = valueOf(launch, "w") * valueOf(launch, "c");
  CHECK(row > 0);
  CHECK(row <= 1024);
}

TEST_CASE("rows that lie less than an argument apart are shorter", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, out, H, W, B: tl.constexpr = 32",
                                         R"(    y = tl.program_id(0) * B + tl.arange(0, B)
    i = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x + (y + 2)[:, None] * W + (i + 2)[None, :])
    tl.store(out + y[:, None] * (W - 2) + i[None, :], v)
)");
  CHECK(launch.tensors.at("out").shape == Shape{"H", "W - 2"});
  CHECK(launch.tensors.at("out").isGuess);
}

TEST_CASE("a loop over as many entries as one of an array says has several turns",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, lens, out, max_len, B: tl.constexpr = 64", R"(    b = tl.program_id(0)
    n = tl.load(lens + b)
    s = 0.0
    for start in range(0, n, B):
        i = start + tl.arange(0, B)
        s += tl.sum(tl.load(x + b * max_len + i, mask=i < n, other=0.0))
    tl.store(out + b, s)
)");
  CHECK(valueOf(launch, launch.tensors.at("lens").indicesBelow) > 64);
}

TEST_CASE("an extent is named by the expression that its indices speak of", "[compiler][launch]") {
  for (const char *side : {"64", "32"}) {
    const SuggestedLaunch launch =
        suggest("x, cos, n, D: tl.constexpr = 128, BLOCK_S: tl.constexpr = " + std::string(side),
                R"(    s = tl.program_id(0) * BLOCK_S + tl.arange(0, BLOCK_S)
    half = tl.arange(0, D // 2)
    m = s[:, None] < n
    c = tl.load(cos + s[:, None] * (D // 2) + half[None, :], mask=m, other=1.0)
    tl.store(x + s[:, None] * D + half[None, :], c, mask=m)
)");
    CHECK(launch.tensors.at("cos").shape == Shape{"n", "D // 2"});
    CHECK(launch.tensors.at("x").shape == Shape{"n", "D"});
  }
}

TEST_CASE("blocks that fill a row are as many as lie in it", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("q, k, o, n, H: tl.constexpr = 128, HKV: tl.constexpr = 64, D: tl.constexpr = 32",
              R"(    b = tl.program_id(0)
    hkv = tl.program_id(1)
    G: tl.constexpr = H // HKV
    g = hkv * G + tl.arange(0, G)
    d = tl.arange(0, D)
    at = (b * H + g[:, None]) * D + d[None, :]
    v = tl.load(k + (b * HKV + hkv) * D + d)
    tl.store(o + at, tl.load(q + at) * v[None, :])
)");
  CHECK(launch.grid == Shape{"n", "HKV"});
  CHECK(launch.tensors.at("q").shape == Shape{"n", "H", "D"});
  CHECK(launch.tensors.at("k").shape == Shape{"n", "HKV", "D"});
  CHECK_FALSE(launch.isGridGuess);
}

TEST_CASE("rows of one entry for each block are as long as there are blocks of them",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, scale, M, N, B: tl.constexpr = 32", R"(    row = tl.program_id(0)
    column = tl.program_id(1)
    r = row * B + tl.arange(0, B)
    c = column * B + tl.arange(0, B)
    m = (r[:, None] < M) & (c[None, :] < N)
    v = tl.load(scale + row * tl.cdiv(N, B) + column)
    tl.store(x + r[:, None] * N + c[None, :], tl.load(x + r[:, None] * N + c[None, :], mask=m) * v, mask=m)
)");
  CHECK(launch.grid == Shape{"cdiv(M, B)", "cdiv(N, B)"});
  CHECK(launch.tensors.at("scale").shape == Shape{"cdiv(M, B)", "cdiv(N, B)"});
}

TEST_CASE("rows that are multiplied again are not blocks that a mask ends", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, y, out, S: tl.constexpr = 16, D: tl.constexpr = 64", R"(    row = tl.program_id(0)
    d = tl.arange(0, D)
    s = tl.zeros([D], tl.float32)
    for i in range(S):
        s += tl.load(y + row * S + i) * tl.load(x + (row * S + i) * D + d)
    tl.store(out + row * D + d, s)
)");
  CHECK(launch.grid.front().find(", S)") == std::string::npos);
}

TEST_CASE("an argument by which an index is divided is a few", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, s, out, n, group, B: tl.constexpr = 128",
                                         R"(    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, mask=m) * tl.load(s + i // group, mask=m)
    tl.store(out + i, v, mask=m)
)");
  CHECK(launch.tensors.at("s").shape == Shape{"cdiv(n, group)"});
  CHECK(launch.tensors.at("x").shape == Shape{"n"});
  CHECK(launch.integers.at("group") == "group");
  CHECK(valueOf(launch, "group") > 1);
  CHECK(valueOf(launch, "group") < 16);
  CHECK_FALSE(launch.tensors.at("x").isGuess);
}

TEST_CASE("where a multiple ends at the same multiple of an argument, the index ends there",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, out, n, B: tl.constexpr = 1024", R"(    i = tl.program_id(0) * B + tl.arange(0, B)
    m = 3 * i + 2 < 3 * n
    r = tl.load(x + 3 * i, mask=m) + tl.load(x + 3 * i + 2, mask=m)
    tl.store(out + i, r, mask=m)
)");
  CHECK(launch.grid == Shape{"cdiv(n, B)"});
  CHECK(launch.tensors.at("x").shape == Shape{"n", "3"});
  CHECK(launch.tensors.at("out").shape == Shape{"n"});
}

TEST_CASE("padding of two lengths is named by both", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, out, n, LEFT: tl.constexpr = 2, RIGHT: tl.constexpr = 5, B: tl.constexpr = 1024",
              R"(    o = tl.program_id(0) * B + tl.arange(0, B)
    i = o - LEFT
    v = tl.load(x + i, mask=(i >= 0) & (i < n), other=0.0)
    tl.store(out + o, v, mask=o < n + LEFT + RIGHT)
)");
  CHECK(launch.tensors.at("out").shape == Shape{"n + LEFT + RIGHT"});
  CHECK(launch.tensors.at("x").shape == Shape{"n"});
}
