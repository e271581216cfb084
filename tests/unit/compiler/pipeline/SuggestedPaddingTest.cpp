// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Arrays that are longer or shorter than what they are made of, in a launch that is suggested: padded ones, every second
// element, windows within rows.
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

TEST_CASE("what is padded by constants is as much longer", "[compiler][launch]") {
  const SuggestedLaunch numbers = suggest("x, y, n, BLOCK: tl.constexpr = 1024",
                                          R"(    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + o - 2, mask=(o >= 2) & (o < n + 2), other=0.0)
    tl.store(y + o, v, mask=o < n + 4)
)");
  CHECK(numbers.grid == Shape{"cdiv(n + 4, BLOCK)"});
  CHECK(numbers.tensors.at("x").shape == Shape{"n"});
  CHECK(numbers.tensors.at("y").shape == Shape{"n + 4"});
  const SuggestedLaunch named =
      suggest("x, y, n, PAD: tl.constexpr = 3, BLOCK: tl.constexpr = 1024",
              R"(    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    i = o - PAD
    v = tl.load(x + i, mask=(i >= 0) & (i < n), other=0.0)
    tl.store(y + o, v, mask=o < n + 2 * PAD)
)");
  CHECK(named.grid == Shape{"cdiv(n + 2 * PAD, BLOCK)"});
  CHECK(named.tensors.at("x").shape == Shape{"n"});
  CHECK(named.tensors.at("y").shape == Shape{"n + 2 * PAD"});
}

TEST_CASE("padded rows are as long as they lie apart", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, y, H, W, P: tl.constexpr, B: tl.constexpr = 64",
                                         R"(    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.program_id(1) * B + tl.arange(0, B)
    i = r[:, None] - P
    j = c[None, :] - P
    v = tl.load(x + i * W + j, mask=(i >= 0) & (i < H) & (j >= 0) & (j < W), other=0.0)
    m = (r[:, None] < H + 2 * P) & (c[None, :] < W + 2 * P)
    tl.store(y + r[:, None] * (W + 2 * P) + c[None, :], v, mask=m)
)");
  CHECK(launch.grid == Shape{"cdiv(H + 2 * P, B)", "cdiv(W + 2 * P, B)"});
  CHECK(launch.tensors.at("x").shape == Shape{"H", "W"});
  CHECK(launch.tensors.at("y").shape == Shape{"H + 2 * P", "W + 2 * P"});
}

TEST_CASE("programs count the rows of what is padded", "[compiler][launch]") {
  const auto with = [](const std::string &more) {
    return suggest("x, y, z, H, W, P: tl.constexpr = 3, BLOCK: tl.constexpr = 1024",
                   R"(    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    i = r - P
    j = c - P
    ok = (i >= 0) & (i < H) & (j >= 0) & (j < W)
    v = tl.load(x + i * W + j, mask=ok, other=0.0)
    )" + more + R"(
    tl.store(y + r * (W + 2 * P) + c, v, mask=c < W + 2 * P)
)");
  };
  const SuggestedLaunch launch = with("v += 1");
  CHECK(launch.grid == Shape{"H + 2 * P"});
  CHECK(launch.isGridGuess);
  CHECK(launch.tensors.at("x").shape == Shape{"H", "W"});
  CHECK(launch.tensors.at("y").shape == Shape{"H + 2 * P", "W + 2 * P"});
  // Where the row itself is read of what has no padding, or lies between others, nothing is padded.
  CHECK(with("v += tl.load(x + r * W)").grid == Shape{"H"});
  CHECK(with("v += tl.load(z + r + 1, mask=(r + 1 >= 0) & (r + 1 < H))").grid == Shape{"H"});
}

TEST_CASE("of several ends the one that an array's own mask asks counts where its rows are as long",
          "[compiler][launch]") {
  const SuggestedLaunch rows =
      suggest("x, y, W, W_out, BLOCK: tl.constexpr = 1024", R"(    r = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + r * W + c, mask=c < W, other=0.0)
    tl.store(y + r * W_out + c, v, mask=c < W_out)
)");
  CHECK(rows.grid == Shape{"n_rows", "cdiv(W_out, BLOCK)"});
  CHECK(rows.tensors.at("x").shape == Shape{"n_rows", "W"});
  CHECK(rows.tensors.at("y").shape == Shape{"n_rows", "W_out"});
  for (const char *mask : {"c < n", "(c < m) & (c < n)"}) {
    INFO(mask);
    const SuggestedLaunch vectors =
        suggest("x, y, n, m, BLOCK: tl.constexpr = 1024",
                R"(    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + c, tl.load(x + c, mask=)" +
                    std::string(mask) +
                    R"(, other=0.0), mask=c < m)
)");
    CHECK(vectors.grid == Shape{"cdiv(m, BLOCK)"});
    CHECK(vectors.tensors.at("x").shape == Shape{"n"});
    CHECK(vectors.tensors.at("y").shape == Shape{"m"});
  }
  const SuggestedLaunch joined =
      suggest("a, b, y, n, m, BLOCK: tl.constexpr = 1024", R"(    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(a + r * n + c, mask=c < n)
    w = tl.load(b + r * m + c, mask=c < m)
    tl.store(y + r * (n + m) + c, v, mask=c < n)
    tl.store(y + r * (n + m) + n + c, w, mask=c < m)
)");
  CHECK(joined.tensors.at("a").shape == Shape{"n_rows", "n"});
  CHECK(joined.tensors.at("b").shape == Shape{"n_rows", "m"});
  CHECK(joined.tensors.at("y").shape == Shape{"n_rows", "n + m"});
  // A mask may be wrong: rows that lie closer would hide that.
  const SuggestedLaunch wrong =
      suggest("x, y, n, m, BLOCK: tl.constexpr = 1024", R"(    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + r * n + c, mask=c < m)
    tl.store(y + r * n + c, v, mask=c < n)
)");
  CHECK(wrong.tensors.at("x").shape == Shape{"n_rows", "max(n, m)"});
}

TEST_CASE("a mask that lets more through than there is makes nothing longer",
          "[compiler][launch]") {
  const SuggestedLaunch padded = suggest("x, y, n, BLOCK: tl.constexpr = 1024",
                                         R"(    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + o - 2, mask=(o >= 2) & (o < n + 3), other=0.0)
    tl.store(y + o, v, mask=o < n + 4)
)");
  CHECK(padded.tensors.at("x").shape == Shape{"n"});
  CHECK(padded.tensors.at("y").shape == Shape{"n + 4"});
  const SuggestedLaunch launch = suggest("x, y, n, BLOCK: tl.constexpr = 1024",
                                         R"(    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + o, tl.load(x + o, mask=o < n + 1), mask=o < n + 1)
)");
  CHECK(launch.tensors.at("x").shape == Shape{"n"});
  CHECK(launch.tensors.at("y").shape == Shape{"n"});
}

TEST_CASE("an index of which a multiple ends at an argument ends at a part of that",
          "[compiler][launch]") {
  const SuggestedLaunch pairs = suggest("x, y, n, BLOCK: tl.constexpr = 1024",
                                        R"(    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = 2 * o + 1 < n
    v = tl.load(x + 2 * o, mask=m) + tl.load(x + 2 * o + 1, mask=m)
    tl.store(y + o, v, mask=m)
)");
  CHECK(pairs.grid == Shape{"cdiv(n // 2, BLOCK)"});
  CHECK(pairs.tensors.at("x").shape == Shape{"n"});
  CHECK(pairs.tensors.at("y").shape == Shape{"n // 2"});
  CHECK(valueOf(pairs, "n") > 2048);
  CHECK(valueOf(pairs, "n") % 2 == 0);
  const SuggestedLaunch threes = suggest("x, y, n, BLOCK: tl.constexpr = 1024",
                                         R"(    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = o * 3 + 2 < n
    v = tl.load(x + o * 3, mask=m) + tl.load(x + o * 3 + 1, mask=m)
    tl.store(y + o, v + tl.load(x + o * 3 + 2, mask=m), mask=m)
)");
  CHECK(threes.tensors.at("x").shape == Shape{"n"});
  CHECK(valueOf(threes, "n") % 3 == 0);
  const SuggestedLaunch second = suggest("x, y, n, BLOCK: tl.constexpr = 1024",
                                         R"(    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = 2 * o < n
    tl.store(y + o, tl.load(x + 2 * o, mask=m), mask=m)
)");
  CHECK(second.tensors.at("x").shape == Shape{"n"});
  CHECK(second.tensors.at("y").shape == Shape{"cdiv(n, 2)"});
}

TEST_CASE("rows of which a multiple ends at an argument are a part of as many",
          "[compiler][launch]") {
  const SuggestedLaunch masked =
      suggest("x, y, H, W, BLOCK: tl.constexpr = 1024", R"(    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = (2 * r + 1 < H) & (2 * c + 1 < W)
    p = x + 2 * r * W + 2 * c
    a = tl.load(p, mask=m) + tl.load(p + 1, mask=m)
    b = tl.load(p + W, mask=m) + tl.load(p + W + 1, mask=m)
    tl.store(y + r * (W // 2) + c, a + b, mask=m)
)");
  CHECK(masked.grid == Shape{"H // 2"});
  CHECK(masked.tensors.at("x").shape == Shape{"H", "W"});
  CHECK(masked.tensors.at("y").shape == Shape{"H // 2", "W // 2"});
  const SuggestedLaunch left =
      suggest("x, y, H, W, BLOCK: tl.constexpr = 1024", R"(    r = tl.program_id(0)
    if 2 * r + 1 >= H:
        return
    c = tl.arange(0, BLOCK)
    m = c < W
    v = tl.load(x + 2 * r * W + c, mask=m) + tl.load(x + (2 * r + 1) * W + c, mask=m)
    tl.store(y + r * W + c, v, mask=m)
)");
  CHECK(left.grid == Shape{"H // 2"});
  CHECK(left.tensors.at("x").shape == Shape{"H", "W"});
  CHECK(left.tensors.at("y").shape == Shape{"H // 2", "W"});
}

TEST_CASE("two rows for each program are two, and as long as what is read of them",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, y, in_w, out_w, BLOCK: tl.constexpr = 1024", R"(    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < out_w
    p = x + 2 * row * in_w + 2 * c
    a = tl.load(p, mask=m) + tl.load(p + 1, mask=m)
    b = tl.load(p + in_w, mask=m) + tl.load(p + in_w + 1, mask=m)
    tl.store(y + row * out_w + c, a + b, mask=m)
)");
  CHECK(launch.grid == Shape{"n_rows"});
  CHECK(launch.tensors.at("x").shape == Shape{"2 * n_rows", "out_w", "2"});
  CHECK(launch.tensors.at("y").shape == Shape{"n_rows", "out_w"});
  CHECK(launch.integers.at("in_w") == "out_w * 2");
}

TEST_CASE("a diagonal lies in a square", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, y, n, BLOCK: tl.constexpr = 1024",
                                         R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(y + i, tl.load(x + i * (n + 1), mask=m), mask=m)
)");
  CHECK(launch.tensors.at("x").shape == Shape{"n", "n"});
  CHECK(launch.tensors.at("y").shape == Shape{"n"});
  CHECK(launch.integers.at("n") == "n");
}

TEST_CASE("every so many elements are some of as many times more", "[compiler][launch]") {
  const auto with = [](const std::string &written) {
    return suggest("x, y, n, step, by, BLOCK: tl.constexpr = 1024",
                   R"(    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + )" + written +
                       R"(, tl.load(x + o * step, mask=o < n), mask=o < n)
)");
  };
  const SuggestedLaunch launch = with("o");
  CHECK(launch.tensors.at("x").shape == Shape{"n * step"});
  CHECK(launch.integers.at("step") == "step");
  CHECK(valueOf(launch, "step") > 1);
  CHECK(valueOf(launch, "step") < 16);
  // What is written has no holes: these are strides.
  const SuggestedLaunch strided = with("o * by");
  CHECK(strided.tensors.at("x").shape == Shape{"n"});
  CHECK(strided.integers.at("step") == "1");
}

TEST_CASE("rows that windows go over are as much longer, if nothing else says their length",
          "[compiler][launch]") {
  const auto with = [](const std::string &end) {
    return suggest("x, w, y, IW, OW, K: tl.constexpr = 5, BLOCK: tl.constexpr = 128",
                   R"(    r = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    s = tl.zeros((BLOCK,), tl.float32)
    for k in range(K):
        s += tl.load(x + r * IW + c + k, mask=)" +
                       end + R"(, other=0.0) * tl.load(w + k)
    tl.store(y + r * OW + c, s, mask=c < OW)
)");
  };
  const SuggestedLaunch launch = with("c < OW");
  CHECK(launch.tensors.at("x").shape == Shape{"n_rows", "OW + K - 1"});
  CHECK(launch.integers.at("IW") == "OW + K - 1");
  const SuggestedLaunch ended = with("c + k < IW");
  CHECK(ended.tensors.at("x").shape == Shape{"n_rows", "IW"});
}
