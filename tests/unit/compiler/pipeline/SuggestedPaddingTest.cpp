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

TEST_CASE("a mask that lets more through than there is makes nothing longer",
          "[compiler][launch]") {
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
