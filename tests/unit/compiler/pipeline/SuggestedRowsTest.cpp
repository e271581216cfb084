// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Launches that are suggested for kernels whose rows no mask ends, and which are suggested again.
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

using Shape = std::vector<std::string>;

namespace {
struct Kernel {
  const char *parameters;
  const char *body;
};

/// A direct convolution: weights in rows of R * S.
constexpr Kernel kConvolution = {
    "x, w, y, N, C, H, W, OC, OH, OW, pad, R: tl.constexpr = 3, S: tl.constexpr = 5, "
    "BP: tl.constexpr = 64, BK: tl.constexpr = 32",
    R"(    p = tl.program_id(0) * BP + tl.arange(0, BP)
    oc = tl.program_id(1) * BK + tl.arange(0, BK)
    n = p // (OH * OW)
    oh = p % (OH * OW) // OW
    ow = p % OW
    pm = p < N * OH * OW
    km = oc < OC
    acc = tl.zeros((BP, BK), dtype=tl.float32)
    for c in range(C):
        for r in tl.static_range(R):
            for s in tl.static_range(S):
                ih = oh + r - pad
                iw = ow + s - pad
                ok = pm & (ih >= 0) & (ih < H) & (iw >= 0) & (iw < W)
                a = tl.load(x + ((n * C + c) * H + ih) * W + iw, mask=ok, other=0.0)
                b = tl.load(w + ((oc * C + c) * R + r) * S + s, mask=km, other=0.0)
                acc += a[:, None] * b[None, :]
    out = ((n * OC)[:, None] + oc[None, :]) * (OH * OW) + (oh * OW + ow)[:, None]
    tl.store(y + out, acc, mask=pm[:, None] & km[None, :])
)"};

/// A program for each group of channels, which is one piece of memory.
constexpr Kernel kGroups = {
    "x, y, groups, channels, hw, SIZE: tl.constexpr = 8, BLOCK: tl.constexpr = 1024",
    R"(    pid = tl.program_id(0)
    n = pid // groups
    g = pid % groups
    base = n * channels * hw + g * SIZE * hw
    size = SIZE * hw
    for start in range(0, size, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + base + i, mask=i < size, other=0.0)
        tl.store(y + base + i, v, mask=i < size)
)"};

/// Attention whose lengths are multiples of its blocks.
constexpr Kernel kAttention = {
    "q, k, o, length, BM: tl.constexpr = 64, BN: tl.constexpr = 32, D: tl.constexpr = 16",
    R"(    base = tl.program_id(1).to(tl.int64) * length * D
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    a = tl.load(q + base + rows[:, None] * D + d[None, :])
    tile = k + base + tl.arange(0, BN)[None, :] * D + d[:, None]
    acc = tl.zeros((BM, D), dtype=tl.float32)
    for start in range(0, length, BN):
        acc += tl.sum(tl.dot(a, tl.load(tile)), axis=1)[:, None]
        tile += BN * D
    tl.store(o + base + rows[:, None] * D + d[None, :], acc)
)"};

/// Positions of all heads are counted through.
constexpr Kernel kPositions = {
    "x, y, length, CHUNK: tl.constexpr = 32, D: tl.constexpr = 16",
    R"(    at = tl.program_id(0) * length + tl.program_id(1) * CHUNK + tl.arange(0, CHUNK)
    d = tl.arange(0, D)
    v = tl.load(x + at[:, None] * D + d[None, :])
    tl.store(y + at[:, None] * D + d[None, :], v)
)"};

/// Sequences of unequal lengths, one after another.
constexpr Kernel kSequences = {"q, o, offsets, H, D: tl.constexpr = 64, BM: tl.constexpr = 64",
                               R"(    z = tl.program_id(2)
    h = tl.program_id(1)
    start = tl.load(offsets + z)
    length = tl.load(offsets + z + 1) - start
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    at = ((start + rows)[:, None] * H + h) * D + d[None, :]
    m = (rows < length)[:, None]
    tl.store(o + at, tl.load(q + at, mask=m, other=0.0), mask=m)
)"};
/// Pages of a cache, which a table names.
constexpr Kernel kPages = {"cache, table, o, P: tl.constexpr = 32, D: tl.constexpr = 16",
                           R"(    b = tl.program_id(0)
    page = tl.load(table + b)
    r = tl.arange(0, P)[:, None]
    d = tl.arange(0, D)[None, :]
    tl.store(o + (b * P + r) * D + d, tl.load(cache + (page * P + r) * D + d))
)"};
} // namespace

static SuggestedLaunch suggest(const Kernel &kernel,
                               const std::map<std::string, std::string> &stated = {}) {
  return tests::compileKernel(kernel.parameters, kernel.body, stated, StageId::Ttir)
      .result.suggestion;
}

static int64_t sizeOf(const SuggestedLaunch &launch, const std::string &name) {
  const auto size = std::ranges::find(launch.sizes, name, &SuggestedSize::name);
  return size == launch.sizes.end() ? -1 : size->value;
}

TEST_CASE("a direct convolution has weights of four extents, and programs for all its outputs",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest(kConvolution);
  CHECK(launch.tensors.at("x").shape == Shape{"N", "C", "H", "W"});
  CHECK(launch.tensors.at("w").shape == Shape{"OC", "C", "R", "S"});
  CHECK_FALSE(launch.tensors.at("w").isGuess);
  CHECK(launch.tensors.at("y").shape == Shape{"N", "OC", "OH", "OW"});
  CHECK(launch.grid == Shape{"cdiv(N * OH * OW, BP)", "cdiv(OC, BK)"});
  for (const char *name : {"N", "C", "H", "W", "OC", "OH", "OW"})
    CHECK(launch.integers.at(name) == name);
}

TEST_CASE("groups of channels are as many as the remainder says", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest(kGroups);
  CHECK(launch.tensors.at("x").shape == Shape{"n_rows", "SIZE * groups", "hw"});
  CHECK(launch.tensors.at("y").shape == Shape{"n_rows", "SIZE * groups", "hw"});
  CHECK(launch.integers.at("channels") == "SIZE * groups");
  CHECK(launch.grid == Shape{"groups * n_rows"});
}

TEST_CASE("rows that nothing masks are as many as the distance between heads says",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest(kAttention);
  for (const char *name : {"q", "k", "o"})
    CHECK(launch.tensors.at(name).shape == Shape{"n_rows", "length", "D"});
  CHECK(launch.grid == Shape{"cdiv(length, BM)", "n_rows"});
  CHECK(launch.integers.at("length") == "length");
  CHECK(sizeOf(launch, "length") % 64 == 0);
  const SuggestedLaunch positions = suggest(kPositions);
  CHECK(positions.tensors.at("x").shape == Shape{"n_rows", "length", "D"});
  CHECK(positions.integers.at("length") == "length");
}

TEST_CASE("an index that was loaded names rows of what it is multiplied by", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest(kPages);
  REQUIRE(launch.tensors.at("cache").shape.size() == 3);
  CHECK(launch.tensors.at("cache").shape[1] == "P");
  CHECK(launch.tensors.at("cache").shape[2] == "D");
  CHECK(launch.tensors.at("table").indicesBelow == launch.tensors.at("cache").shape[0]);
}

TEST_CASE("a grid that is suggested starts a few thousand programs at most", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest(kSequences);
  CHECK(launch.grid.size() == 3);
  CHECK(launch.grid[1] == "H");
  CHECK(launch.grid[2] == "n_rows");
  CHECK(sizeOf(launch, "H") * sizeOf(launch, "n_rows") <= 4096);
  CHECK(launch.tensors.at("offsets").isAscending);
  // There are tokens for all the sequences.
  CHECK(sizeOf(launch, launch.tensors.at("q").shape.front()) > sizeOf(launch, "n_rows"));
}

TEST_CASE("what was suggested is suggested again when its values are known", "[compiler][launch]") {
  for (const Kernel &kernel : {kConvolution, kGroups, kAttention, kPositions, kSequences, kPages}) {
    INFO(kernel.body);
    const SuggestedLaunch first = suggest(kernel);
    std::map<std::string, std::string> stated;
    for (const auto &[name, value] : first.integers)
      if (value == "1" || sizeOf(first, value) == 1)
        stated[name] = "i32:1";
    const SuggestedLaunch again = suggest(kernel, stated);
    CHECK(again.grid == first.grid);
    for (const auto &[name, tensor] : first.tensors)
      CHECK(again.tensors.at(name).shape == tensor.shape);
  }
}
