// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Launches that are suggested for kernels whose blocks run over several axes of a tensor, or of whose rows
// each has several parts.
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

using Shape = std::vector<std::string>;

static SuggestedLaunch suggest(const std::string &parameters, const std::string &body) {
  return tests::compileKernel(parameters, body, {}, StageId::Ttir).result.suggestion;
}

TEST_CASE("blocks over a plane end where its rows and columns do", "[compiler][launch]") {
  const SuggestedLaunch copy = suggest("x, y, OH, OW, BLOCK: tl.constexpr = 128",
                                       R"(    plane = tl.program_id(1)
    p = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = p < OH * OW
    tl.store(y + plane * OH * OW + p, tl.load(x + p, mask=inside), mask=inside)
)");
  CHECK(copy.grid == Shape{"cdiv(OH * OW, BLOCK)", "n_rows"});
  CHECK(copy.tensors.at("x").shape == Shape{"OH", "OW"});
  CHECK(copy.tensors.at("y").shape == Shape{"n_rows", "OH", "OW"});

  const SuggestedLaunch pool = suggest("x, y, H, W, OH, OW, BLOCK: tl.constexpr = 128",
                                       R"(    plane = tl.program_id(0)
    p = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    row = p // OW
    column = p % OW
    inside = p < OH * OW
    first = tl.load(x + plane * H * W + row * 2 * W + column * 2, mask=inside)
    tl.store(y + plane * OH * OW + p, first, mask=inside)
)");
  CHECK(pool.grid == Shape{"n_rows", "cdiv(OH * OW, BLOCK)"});
  CHECK(pool.tensors.at("y").shape == Shape{"n_rows", "OH", "OW"});
}

TEST_CASE("images that one index runs over have the sides that it ends at the product of",
          "[compiler][launch]") {
  const SuggestedLaunch gray = suggest("rgb, out, h, w, BLOCK: tl.constexpr = 1024",
                                       R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < h * w
    r = tl.load(rgb + 3 * i, mask=m)
    b = tl.load(rgb + 3 * i + 2, mask=m)
    tl.store(out + i, r + b, mask=m)
)");
  CHECK(gray.grid == Shape{"cdiv(h * w, BLOCK)"});
  CHECK(gray.tensors.at("rgb").shape == Shape{"h", "w", "3"});
  CHECK(gray.tensors.at("out").shape == Shape{"h", "w"});
  CHECK_FALSE(gray.tensors.at("out").isGuess);
  CHECK(gray.sizes == std::vector<SuggestedSize>{{"h", 208}, {"w", 304}});
  // By rows it has as many pixels.
  const SuggestedLaunch rows = suggest("rgb, out, height, width, BLOCK: tl.constexpr = 1024",
                                       R"(    y = tl.program_id(0)
    x = tl.arange(0, BLOCK)
    m = x < width
    at = (y * width + x) * 3
    v = tl.load(rgb + at, mask=m) + tl.load(rgb + at + 2, mask=m)
    tl.store(out + y * width + x, v, mask=m)
)");
  CHECK(rows.tensors.at("rgb").shape == Shape{"height", "width", "3"});
  CHECK(rows.sizes == std::vector<SuggestedSize>{{"height", 208}, {"width", 304}});
  // What ends elsewhere is one dimension.
  const SuggestedLaunch moved = suggest("x, y, h, w, BLOCK: tl.constexpr = 1024",
                                        R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < h * w
    tl.store(y + i, tl.load(x + i, mask=m) + tl.load(x + i + 1, mask=m), mask=m)
)");
  CHECK(moved.tensors.at("x").shape == Shape{"h * w + 1"});
  // The same in a loop, and with planes of several images.
  const SuggestedLaunch loop = suggest("x, y, n, h, w", R"(    p = tl.program_id(0)
    s = 0.0
    for i in range(h * w):
        s += tl.load(x + p * h * w + i)
    tl.store(y + p, s)
)");
  CHECK(loop.tensors.at("x").shape == Shape{loop.grid.front(), "h", "w"});
  // A few images, each smaller.
  int64_t numElements = 1;
  for (const SuggestedSize &size : loop.sizes)
    numElements *= size.value;
  CHECK(numElements < 100'000);
  CHECK(loop.tensors.at("y").shape == Shape{loop.grid.front()});
}

TEST_CASE("a row with two parts is as long as both", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, y, hidden, stride, BLOCK: tl.constexpr = 128",
                                         R"(    row = tl.program_id(0)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = i < hidden
    gate = tl.load(x + row * stride + i, mask=inside, other=0.0)
    up = tl.load(x + row * stride + hidden + i, mask=inside, other=0.0)
    tl.store(y + row * hidden + i, gate * up, mask=inside)
)");
  CHECK(launch.tensors.at("x").shape == Shape{"n_rows", "2 * hidden"});
  CHECK(launch.tensors.at("y").shape == Shape{"n_rows", "hidden"});
  CHECK(launch.integers.at("stride") == "2 * hidden");
}

TEST_CASE("a row with three parts is as long as all", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("qkv, o, hidden, stride, BLOCK: tl.constexpr = 128",
                                         R"(    t = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    inside = i < hidden
    q = tl.load(qkv + t * stride + i, mask=inside, other=0.0)
    v = tl.load(qkv + t * stride + 2 * hidden + i, mask=inside, other=0.0)
    tl.store(o + t * hidden + i, q * v, mask=inside)
)");
  CHECK(launch.tensors.at("qkv").shape == Shape{"n_rows", "3 * hidden"});
  CHECK(launch.integers.at("stride") == "3 * hidden");
}

TEST_CASE("rows that go on behind their argument's end are as long as the kernel says",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, y, W, PAD: tl.constexpr = 4, B: tl.constexpr = 128",
                                         R"(    row = tl.program_id(0)
    c = tl.arange(0, B)
    width = W + 2 * PAD
    v = tl.load(x + row * W + c - PAD, mask=(c - PAD >= 0) & (c - PAD < W), other=0.0)
    tl.store(y + row * width + c, v, mask=c < width)
)");
  CHECK(launch.tensors.at("y").shape == Shape{"n_rows", "W + 2 * PAD"});
  CHECK(launch.tensors.at("y").isGuess);
}
