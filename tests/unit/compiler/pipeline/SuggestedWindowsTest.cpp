// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loops that end beside an argument, windows, and ends that are quotients, in a launch that is suggested.
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

using Shape = std::vector<std::string>;

static SuggestedLaunch suggest(const std::string &parameters, const std::string &body) {
  return tests::compileKernel(parameters, body, {}, StageId::Ttir).result.suggestion;
}

static int64_t valueOf(const SuggestedLaunch &launch, const std::string &name) {
  const auto size = std::ranges::find(launch.sizes, name, &SuggestedSize::name);
  return size == launch.sizes.end() ? 0 : size->value;
}

TEST_CASE("a loop that goes on behind an argument reads one element more", "[compiler][launch]") {
  for (const char *turns : {"range(degree + 1)", "range(degree, -1, -1)"}) {
    INFO(turns);
    const SuggestedLaunch launch = suggest("x, c, y, n, degree, BLOCK: tl.constexpr = 1024",
                                           R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    s = tl.zeros((BLOCK,), tl.float32)
    for k in )" + std::string(turns) + R"(:
        s = s * v + tl.load(c + k)
    tl.store(y + i, s, mask=i < n)
)");
    CHECK(launch.tensors.at("c").shape == Shape{"degree + 1"});
    CHECK(launch.tensors.at("c").isGuess);
    CHECK(launch.tensors.at("x").shape == Shape{"n"});
    CHECK(valueOf(launch, "degree") >= 3);
    CHECK(valueOf(launch, "degree") <= 9);
    CHECK(valueOf(launch, "n") > 2048);
  }
}

TEST_CASE("counting down from an argument where rows end as well is likely a mistake",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, y, n, BLOCK: tl.constexpr = 128", R"(    s = 0.0
    for k in range(n, -1, -1):
        s += tl.load(x + k)
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) + s, mask=i < n)
)");
  CHECK(launch.tensors.at("x").shape == Shape{"n"});
  CHECK(launch.tensors.at("x").isGuess);
}

TEST_CASE("a loop without indices turns a few times", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, y, n, turns, BLOCK: tl.constexpr = 128",
                                         R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    for k in range(turns):
        v = 0.5 * (v + 1 / v)
    tl.store(y + i, v, mask=i < n)
)");
  CHECK(launch.integers.at("turns") == "3");
  CHECK_FALSE(launch.tensors.at("x").isGuess);
  CHECK_FALSE(launch.isGridGuess);
}

TEST_CASE("windows are short, also where rows have filters of their own", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, w, y, n, taps, BLOCK: tl.constexpr = 128", R"(    c = tl.program_id(0)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    s = tl.zeros((BLOCK,), tl.float32)
    for j in range(taps):
        s += tl.load(x + c * n + i + j, mask=i + j < n, other=0.0) * tl.load(w + c * taps + j)
    tl.store(y + c * n + i, s, mask=i < n)
)");
  CHECK(launch.tensors.at("w").shape == Shape{"n_rows", "taps"});
  CHECK(valueOf(launch, "taps") <= 9);
  CHECK(valueOf(launch, "n") > 128);
}

TEST_CASE("sides of a matrix that blocks take are no windows", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("a, b, y, N, K, BLOCK: tl.constexpr = 64", R"(    r = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    s = tl.zeros((BLOCK,), tl.float32)
    for k in range(K):
        s += tl.load(a + r * K + k) * tl.load(b + k * N + c, mask=c < N)
    tl.store(y + r * N + c, s, mask=c < N)
)");
  CHECK(launch.tensors.at("b").shape == Shape{"K", "N"});
  CHECK(valueOf(launch, "K") > 100);
}

TEST_CASE("windows side by side are all of an array, and their number is a quotient",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, y, n, k, BLOCK: tl.constexpr = 1024",
                                         R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n // k
    s = tl.full((BLOCK,), float("-inf"), tl.float32)
    for j in range(k):
        s = tl.maximum(s, tl.load(x + i * k + j, mask=m))
    tl.store(y + i, s, mask=m)
)");
  CHECK(launch.grid == Shape{"cdiv(n // k, BLOCK)"});
  CHECK(launch.tensors.at("x").shape == Shape{"n"});
  CHECK(launch.tensors.at("y").shape == Shape{"n // k"});
  REQUIRE(valueOf(launch, "k") > 0);
  CHECK(valueOf(launch, "k") <= 9);
  // More than one block, the last one not full; and all of the array.
  const int64_t windows = valueOf(launch, "n") / valueOf(launch, "k");
  CHECK(windows > 2048);
  CHECK(windows % 1024 != 0);
  CHECK(valueOf(launch, "n") % valueOf(launch, "k") == 0);
}

TEST_CASE("windows that begin a stride apart end where the last of them does",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, w, y, n, k, s, BLOCK: tl.constexpr = 128",
                                         R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < (n - k) // s + 1
    a = tl.zeros((BLOCK,), tl.float32)
    for j in range(k):
        a += tl.load(x + i * s + j, mask=m, other=0.0) * tl.load(w + j)
    tl.store(y + i, a, mask=m)
)");
  CHECK(launch.grid == Shape{"cdiv((n - k) // s + 1, BLOCK)"});
  CHECK(launch.tensors.at("x").shape == Shape{"n"});
  CHECK(launch.tensors.at("y").shape == Shape{"(n - k) // s + 1"});
  CHECK((valueOf(launch, "n") - valueOf(launch, "k")) % valueOf(launch, "s") == 0);
}

TEST_CASE("rows that a program begins a window at are as many more as it has",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, y, H, W, KH, BLOCK: tl.constexpr = 64", R"(    r = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    s = tl.zeros((BLOCK,), tl.float32)
    for k in range(KH):
        s += tl.load(x + (r + k) * W + c, mask=c < W)
    tl.store(y + r * W + c, s, mask=c < W)
)");
  CHECK(launch.tensors.at("x").shape == Shape{"H + KH - 1", "W"});
  CHECK(launch.tensors.at("y").shape == Shape{"H", "W"});
  CHECK(launch.tensors.at("x").isGuess);
}

TEST_CASE("a number of blocks is rounded up", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, s, y, N, K, BK: tl.constexpr = 32, BLOCK: tl.constexpr = 64",
              R"(    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.zeros((BLOCK,), tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        a += tl.load(s + k * N + c, mask=c < N)
    tl.store(y + c, a, mask=c < N)
)");
  CHECK(launch.tensors.at("s").shape == Shape{"cdiv(K, BK)", "N"});
}

TEST_CASE("a plane four times as large is covered, and rows are counted elsewhere",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, y, H, W, BLOCK: tl.constexpr = 1024", R"(    c = tl.program_id(0)
    o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    m = o < 4 * H * W
    oy = o // (2 * W)
    ox = o % (2 * W)
    v = tl.load(x + c * H * W + (oy // 2) * W + ox // 2, mask=m)
    tl.store(y + c * 4 * H * W + o, v, mask=m)
)");
  CHECK(launch.grid == Shape{"n_rows", "cdiv(4 * H * W, BLOCK)"});
  CHECK(launch.tensors.at("x").shape == Shape{"n_rows", "H", "W"});
  CHECK(launch.tensors.at("y").shape == Shape{"n_rows", "4 * H * W"});
  CHECK(4 * valueOf(launch, "H") * valueOf(launch, "W") % 1024 != 0);
}

TEST_CASE("rows of two parts are counted once", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, y, n, BLOCK: tl.constexpr = 64", R"(    r = tl.program_id(0)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + r * 2 * n + i, mask=i < n)
    b = tl.load(x + r * 2 * n + n + i, mask=i < n)
    tl.store(y + r * n + i, a * b, mask=i < n)
)");
  CHECK(launch.grid == Shape{"n_rows", "cdiv(n, BLOCK)"});
  CHECK(launch.tensors.at("x").shape == Shape{"n_rows", "2 * n"});
  CHECK(launch.tensors.at("y").shape == Shape{"n_rows", "n"});
}

TEST_CASE("what is padded on one side is padded on the other", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, y, h, w, p, BLOCK: tl.constexpr = 512", R"(    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = (r >= p) & (r < h + p) & (c >= p) & (c < w + p)
    v = tl.load(x + (r - p) * w + c - p, mask=m, other=0.0)
    tl.store(y + r * (w + 2 * p) + c, v, mask=c < w + 2 * p)
)");
  CHECK(launch.grid == Shape{"h + 2 * p"});
  CHECK(launch.isGridGuess);
  CHECK(launch.tensors.at("x").shape == Shape{"h", "w"});
  CHECK(launch.tensors.at("y").shape == Shape{"h + 2 * p", "w + 2 * p"});
}

TEST_CASE("an end that a mask asks by itself is where an array ends", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, y, z, n, m, BLOCK: tl.constexpr = 128",
                                         R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n, other=0.0)
    b = tl.load(y + i - n, mask=(i >= n) & (i < n + m), other=0.0)
    tl.store(z + i, a + b, mask=i < n + m)
)");
  CHECK(launch.grid == Shape{"cdiv(n + m, BLOCK)"});
  CHECK(launch.tensors.at("z").shape == Shape{"n + m"});
}

TEST_CASE("a loop without a mask beside rows with one leaves a rest, and is a guess",
          "[compiler][launch]") {
  const std::string body = R"(    r = tl.program_id(0) * BM + tl.arange(0, BM)
    s = tl.zeros((BM,), tl.float32)
    for k in range(0, K, BK):
        kk = k + tl.arange(0, BK)
        a = tl.load(x + r[:, None] * K + kk[None, :]MASK)
        s += tl.sum(a, 1)
    tl.store(y + r, s, mask=r < M)
)";
  const auto with = [&](const std::string &mask) {
    std::string text = body;
    text.replace(text.find("MASK"), 4, mask);
    return suggest("x, y, M, K, BM: tl.constexpr = 64, BK: tl.constexpr = 32", text);
  };
  const SuggestedLaunch rows = with(", mask=r[:, None] < M, other=0.0");
  CHECK(valueOf(rows, "K") % 32 != 0);
  CHECK(rows.tensors.at("x").isGuess);
  // A kernel without any mask takes it that blocks are full.
  const SuggestedLaunch none = with("");
  CHECK(valueOf(none, "K") % 32 == 0);
}

TEST_CASE("no launch is suggested where sums and products lead back on countless ways",
          "[compiler][launch]") {
  for (const char *operation : {"+", "*"})
    for (const char *begin : {"n", "i"})
      for (const int turns : {8, 40}) {
        INFO(begin << " " << operation << " " << begin << ", " << turns << " times");
        std::string body = "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n    a = " +
                           std::string(begin) + "\n";
        for (int turn = 0; turn < turns; ++turn)
          body += "    a = a " + std::string(operation) + " a\n";
        body += "    v = tl.load(x + i, mask=(a + 1 < n) & (i < a))\n"
                "    for t in range(n):\n"
                "        v += tl.load(x + a + t, mask=a < n)\n"
                "    tl.store(y + i, v, mask=i < n)\n";
        const SuggestedLaunch launch = suggest("x, y, n, BLOCK: tl.constexpr = 128", body);
        CHECK(launch.tensors.empty() == (turns == 40));
      }
}
