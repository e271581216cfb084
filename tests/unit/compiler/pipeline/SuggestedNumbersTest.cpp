// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// How many programs there are where other accesses, comparisons and digits of rows say so, in a launch that is suggested.
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

using Shape = std::vector<std::string>;

static SuggestedLaunch suggest(const std::string &parameters, const std::string &body) {
  return tests::compileKernel(parameters, body, {}, StageId::Ttir).result.suggestion;
}

TEST_CASE("a row that is compared with columns is one of as many", "[compiler][launch]") {
  for (const char *mask : {"c <= row", "c < row", "(c < n) & (row >= c)", "c > row - 3"}) {
    INFO(mask);
    const SuggestedLaunch launch =
        suggest("x, y, n, BLOCK: tl.constexpr = 1024", std::string(R"(    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + c, mask=)") + mask + R"(, other=0.0)
    tl.store(y + row * n + c, v, mask=c < n)
)");
    CHECK(launch.grid == Shape{"n"});
    CHECK(launch.tensors.at("x").shape == Shape{"n", "n"});
    CHECK(launch.tensors.at("y").shape == Shape{"n", "n"});
  }
  const SuggestedLaunch free =
      suggest("x, y, n, BLOCK: tl.constexpr = 1024", R"(    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(y + row * n + c, tl.load(x + row * n + c, mask=c < n), mask=c < n)
)");
  CHECK(free.grid == Shape{"n_rows"});
}

TEST_CASE("an array of which each program has an element, and all of them the whole, says how many "
          "there are",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, d, n, BLOCK: tl.constexpr = 1024", R"(    i = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    a = tl.load(x + i)
    b = tl.load(x + j, mask=j < n)
    tl.store(d + i * n + j, a - b, mask=j < n)
)");
  CHECK(launch.grid == Shape{"n"});
  CHECK(launch.tensors.at("x").shape == Shape{"n"});
  CHECK(launch.tensors.at("d").shape == Shape{"n", "n"});
  // Not so of two arrays.
  const SuggestedLaunch two =
      suggest("x, z, d, n, BLOCK: tl.constexpr = 1024", R"(    i = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    tl.store(d + i * n + j, tl.load(x + i) - tl.load(z + j, mask=j < n), mask=j < n)
)");
  CHECK(two.grid == Shape{"n_rows"});
  // Nor where programs have blocks that end elsewhere.
  const SuggestedLaunch blocks =
      suggest("x, s, y, n, parts, BLOCK: tl.constexpr = 1024", R"(    i = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    k = i * BLOCK + j
    a = tl.load(s + i) + tl.sum(tl.load(s + j, mask=j < parts, other=0.0), axis=0)
    tl.store(y + k, tl.load(x + k, mask=k < n) * a, mask=k < n)
)");
  CHECK(blocks.grid == Shape{"cdiv(n, BLOCK)"});
}

TEST_CASE("the last digit of a row's number says how many programs there are along its axis",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, y, C, H, W, OH, OW, KH: tl.constexpr = 3, "
                                         "KW: tl.constexpr = 5, BLOCK: tl.constexpr = 1024",
                                         R"(    c = tl.program_id(0)
    kk = tl.program_id(1)
    p = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    m = p < OH * OW
    ih = p // OW + kk // KW
    iw = p % OW + kk % KW
    v = tl.load(x + (c * H + ih) * W + iw, mask=m & (ih < H) & (iw < W), other=0.0)
    tl.store(y + (c * KH * KW + kk) * (OH * OW) + p, v, mask=m)
)");
  CHECK(launch.grid == Shape{"C", "KH * KW", "cdiv(OH * OW, BLOCK)"});
  CHECK(launch.tensors.at("x").shape == Shape{"C", "H", "W"});
  CHECK(launch.tensors.at("y").shape == Shape{"C", "KH * KW", "OH", "OW"});
  CHECK_FALSE(launch.tensors.at("y").isGuess);
  const SuggestedLaunch pointers = suggest(
      "x, p, n, PARTS: tl.constexpr = 3, BLOCK: tl.constexpr = 64", R"(    r = tl.program_id(0)
    s = tl.program_id(1)
    c = s * BLOCK + tl.arange(0, BLOCK)
    tl.store(p + r * PARTS + s, tl.sum(tl.load(x + r * n + c, mask=c < n, other=0.0), axis=0))
)");
  CHECK(pointers.grid == Shape{"n_rows", "PARTS"});
  CHECK(pointers.tensors.at("p").shape == Shape{"n_rows", "PARTS"});
  CHECK(pointers.sizes.front().name == "n");
  CHECK(pointers.sizes.front().value > 64);
  // Constants of one value are one product.
  const SuggestedLaunch pages = suggest("q, t, y, H: tl.constexpr = 64, N: tl.constexpr = 64, "
                                        "D: tl.constexpr = 128",
                                        R"(    b = tl.program_id(0)
    h = tl.program_id(1)
    at = (b * H + h) * D + tl.arange(0, D)
    s = 0.0
    for i in range(3):
        s += tl.load(t + b * N + i)
    tl.store(y + at, tl.load(q + at) * s)
)");
  REQUIRE(pages.grid.size() == 2);
  CHECK(pages.grid[0] == "n_rows");
  CHECK((pages.grid[1] == "H" || pages.grid[1] == "N"));
  CHECK(pages.tensors.at("q").shape == Shape{"n_rows", pages.grid[1], "D"});
  // What is compared is an index, whatever it is made of.
  const SuggestedLaunch blocks =
      suggest("x, y, n, BLOCK: tl.constexpr = 64", R"(    i = tl.program_id(0) * BLOCK
    j = i + tl.arange(0, BLOCK)
    tl.store(y + j, tl.load(x + j, mask=j < n), mask=j < n)
)");
  CHECK(blocks.grid == Shape{"cdiv(n, BLOCK)"});
}

TEST_CASE("strides and sizes of one letter are of one dimension", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("q, c, o, sqb, sqs, sqh, scs, seq_len, n_heads, D: tl.constexpr = 64",
              R"(    b = tl.program_id(0)
    s = tl.program_id(1)
    h = tl.program_id(2)
    i = tl.arange(0, D)
    base = b * sqb + s * sqs + h * sqh
    tl.store(o + base + i, tl.load(q + base + i) * tl.load(c + s * scs + i))
)");
  REQUIRE(launch.grid.size() == 3);
  CHECK(launch.grid[1] == "seq_len");
  CHECK(launch.grid[2] == "n_heads");
  CHECK(launch.tensors.at("q").shape == Shape{launch.grid[0], "seq_len", "n_heads", "D"});
  // Where other arrays are passed with their strides, what lies between rows is one, too.
  CHECK(launch.tensors.at("c").shape == Shape{"seq_len", "D"});
  CHECK(launch.integers.at("scs") == "D");
}

TEST_CASE("a program for each window starts as many as there are windows", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, y, H, W, K: tl.constexpr, BLOCK: tl.constexpr = 1024",
                                         R"(    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < W // K
    s = tl.zeros((BLOCK,), tl.float32)
    for i in range(K):
        for j in range(K):
            s += tl.load(x + (row * K + i) * W + c * K + j, mask=m, other=0.0)
    tl.store(y + row * (W // K) + c, s, mask=m)
)");
  CHECK(launch.grid == Shape{"cdiv(H, K)"});
  CHECK(launch.tensors.at("x").shape == Shape{"H", "W"});
  CHECK(launch.tensors.at("y").shape == Shape{"cdiv(H, K)", "W // K"});
}
