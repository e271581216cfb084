// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What integers of a kernel stand for in a launch that is suggested: strides, numbers of rows, locks.
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

using Shape = std::vector<std::string>;

static SuggestedLaunch suggest(const std::string &parameters, const std::string &body) {
  return tests::compileKernel(parameters, body, {}, StageId::Ttir).result.suggestion;
}

TEST_CASE("rows that are counted from the last one on are as many as the argument says",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, y, H, W, BLOCK: tl.constexpr = 1024", R"(    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * W + c, mask=c < W)
    tl.store(y + (H - 1 - row) * W + c, v, mask=c < W)
)");
  CHECK(launch.grid == Shape{"H"});
  CHECK(launch.tensors.at("x").shape == Shape{"H", "W"});
  CHECK(launch.tensors.at("y").shape == Shape{"H", "W"});
}

TEST_CASE("a part of a stride does not make it a size", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, s, K, G: tl.constexpr = 128", R"(    r = tl.program_id(0)
    g = tl.program_id(1)
    v = tl.load(x + r * K + g * G + tl.arange(0, G))
    tl.store(s + r * (K // G) + g, tl.max(v))
)");
  CHECK(launch.integers.at("K") == "n_groups * G");
  CHECK(launch.tensors.at("x").shape == Shape{"n_rows", "n_groups", "G"});
  CHECK_FALSE(launch.tensors.at("s").isGuess);
}

TEST_CASE("several distances that are arguments are strides, whatever they are called",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("q, sqb, sqh, D: tl.constexpr = 128", R"(    b = tl.program_id(0)
    h = tl.program_id(1)
    p = q + b * sqb + h * sqh + tl.arange(0, D)
    tl.store(p, tl.load(p) * 2)
)");
  CHECK(launch.integers.at("sqh") == "D");
  CHECK(launch.tensors.at("q").shape == Shape{"n_rows", "n_groups", "D"});
}

TEST_CASE("neighbors of a row count no rows of their own", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, y, H, W, OH, OW, CO, BCI: tl.constexpr = 64, BCO: tl.constexpr = 64",
              R"(    p = tl.program_id(0)
    oh = (p // OW) % OH
    ow = p % OW
    co = tl.program_id(1) * BCO + tl.arange(0, BCO)
    acc = tl.zeros([BCO], tl.float32)
    for i in tl.static_range(3):
        h = oh + i - 1
        ok = (h >= 0) & (h < H) & (ow < W)
        acc += tl.load(x + h * W + ow, mask=ok, other=0.0)
    tl.store(y + (co * OH + oh) * OW + ow, acc, mask=co < CO)
)");
  REQUIRE(launch.grid.size() == 2);
  CHECK(launch.grid[0] == "OH * OW");
  CHECK(launch.grid[1] == "cdiv(CO, BCO)");
  CHECK(launch.tensors.at("y").shape == Shape{"CO", "OH", "OW"});
  CHECK(launch.tensors.at("x").shape == Shape{"H", "W"});
}

TEST_CASE("locks begin at zero, also where counters lie behind them", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, y, lock, n, BLOCK: tl.constexpr = 128", R"(    i = tl.arange(0, BLOCK)
    lock += tl.program_id(0) % 4
    count = lock + 4
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if tl.load(count) == 0:
        tl.atomic_xchg(count, 1)
    tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)
    tl.atomic_xchg(lock, 0)
)");
  CHECK_FALSE(launch.tensors.at("lock").isRead);
  CHECK_FALSE(launch.tensors.at("lock").isWritten);
}

TEST_CASE("an integer that nothing explains makes all shapes guesses", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, y, n, k, BLOCK: tl.constexpr = 128",
                                         R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + (i ^ k), mask=i < n)
    tl.store(y + i, v, mask=i < n)
)");
  CHECK(launch.isGridGuess);
  CHECK(launch.tensors.at("y").isGuess);
}

TEST_CASE("what a loop ends at is a length, and none is 0", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, y, lengths, stride, B: tl.constexpr = 64", R"(    r = tl.program_id(0)
    n = tl.load(lengths + r)
    s = 0.0
    for t in range(0, n, B):
        i = t + tl.arange(0, B)
        s += tl.sum(tl.load(x + r * stride + i, mask=i < n, other=0.0))
    tl.store(y + r, s / n)
)");
  CHECK(launch.tensors.at("lengths").areLengths);
  CHECK_FALSE(launch.tensors.at("x").areLengths);
}

TEST_CASE("pairs of rows and of columns are a whole matrix", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, y, H, W, B: tl.constexpr = 64", R"(    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.program_id(1) * B + tl.arange(0, B)
    m = (r[:, None] < H // 2) & (c[None, :] < W // 2)
    p = x + 2 * r[:, None] * W + 2 * c[None, :]
    a = tl.load(p, mask=m) + tl.load(p + 1, mask=m)
    b = tl.load(p + W, mask=m) + tl.load(p + W + 1, mask=m)
    tl.store(y + r[:, None] * (W // 2) + c[None, :], a + b, mask=m)
)");
  CHECK(launch.tensors.at("x").shape == Shape{"H", "W"});
  CHECK(launch.tensors.at("y").shape == Shape{"H // 2", "W // 2"});
  for (const SuggestedSize &size : launch.sizes)
    CHECK(size.value > 64);
}

TEST_CASE("indices that end at a sum of arguments have as many elements", "[compiler][launch]") {
  const SuggestedLaunch pad = suggest("x, y, n, p, BLOCK: tl.constexpr = 128",
                                      R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i - p, mask=(i >= p) & (i < n + p), other=0.0)
    tl.store(y + i, v, mask=i < n + 2 * p)
)");
  CHECK(pad.tensors.at("x").shape == Shape{"n"});
  CHECK(pad.tensors.at("y").shape == Shape{"n + 2 * p"});
  CHECK(pad.grid == Shape{"cdiv(n + 2 * p, BLOCK)"});
  for (const SuggestedSize &size : pad.sizes)
    CHECK((size.name == "p" ? size.value < 16 : size.value > 1000));
  const SuggestedLaunch both = suggest("x, y, z, n, m, BLOCK: tl.constexpr = 128",
                                       R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n, other=0.0)
    b = tl.load(y + i - n, mask=(i >= n) & (i < n + m), other=0.0)
    tl.store(z + i, a + b, mask=i < n + m)
)");
  CHECK(both.tensors.at("y").shape == Shape{"m"});
  CHECK(both.tensors.at("z").shape == Shape{"n + m"});
}

TEST_CASE("a row whose neighbors are masked is one of as many", "[compiler][launch]") {
  const SuggestedLaunch blur =
      suggest("x, y, h, w, BLOCK: tl.constexpr = 128", R"(    r = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    for dy in range(-1, 2):
        rr = r + dy
        m = (rr >= 0) & (rr < h) & (c < w)
        acc += tl.load(x + rr * w + c, mask=m, other=0.0)
    tl.store(y + r * w + c, acc / 3, mask=c < w)
)");
  CHECK(blur.grid == Shape{"h", "cdiv(w, BLOCK)"});
  CHECK(blur.tensors.at("y").shape == Shape{"h", "w"});
}

TEST_CASE("several blocks are launched, and their side is a block's name", "[compiler][launch]") {
  const SuggestedLaunch pairs = suggest("x, y, n, BLOCK: tl.constexpr = 1024",
                                        R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + 2 * i, mask=i < n) + tl.load(x + 2 * i + 1, mask=i < n)
    tl.store(y + i, a, mask=i < n)
)");
  REQUIRE(pairs.sizes.size() == 1);
  CHECK(pairs.sizes.front().value > 1024);
  const SuggestedLaunch sides = suggest("x, n, m, D: tl.constexpr = 64, BLOCK: tl.constexpr = 64",
                                        R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = (i[:, None] < n) & (j[None, :] < m)
    tl.store(x + i[:, None] * m + j[None, :], D, mask=mask)
)");
  CHECK(sides.grid == Shape{"cdiv(n, BLOCK)", "cdiv(m, BLOCK)"});
}
