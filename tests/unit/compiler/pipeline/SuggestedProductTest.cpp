// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Sizes that are suggested where one block's side serves several dimensions.
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

using Shape = std::vector<std::string>;

static SuggestedLaunch suggest(const std::string &parameters, const std::string &body,
                               const std::map<std::string, std::string> &signature) {
  return tests::compileKernel(parameters, body, signature, StageId::Ttir).result.suggestion;
}

static int64_t sizeOf(const SuggestedLaunch &launch, const std::string &name) {
  for (const SuggestedSize &size : launch.sizes)
    if (size.name == name)
      return size.value;
  return -1;
}

/// A product whose block goes over the first `B` of `K` alone; `mask` ends its first factor.
static SuggestedLaunch productOfFirstBlocks(const std::string &mask) {
  const std::map<std::string, std::string> signature = {
      {"a", "*fp16"}, {"b", "*fp16"}, {"c", "*fp32"}, {"M", "i32"}, {"N", "i32"}, {"K", "i32"}};
  return suggest("a, b, c, M, N, K, B: tl.constexpr = 64",
                 R"(    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.program_id(1) * B + tl.arange(0, B)
    k = tl.arange(0, B)
    x = tl.load(a + i[:, None] * K + k[None, :])" +
                     mask + R"()
    y = tl.load(b + k[:, None] * N + j[None, :])
    tl.store(c + i[:, None] * N + j[None, :], tl.dot(x, y))
)",
                 signature);
}

TEST_CASE("what is summed is more than a block that other sizes are shared out in",
          "[compiler][launch]") {
  const SuggestedLaunch bare = productOfFirstBlocks("");
  CHECK(sizeOf(bare, "K") > 64);
  const SuggestedLaunch masked =
      productOfFirstBlocks(", mask=(i[:, None] < M) & (k[None, :] < K), other=0.0");
  CHECK(sizeOf(masked, "K") > 64);
  // A block that nothing else is shared out in may hold all.
  const SuggestedLaunch rows = suggest("x, o, n, BLOCK: tl.constexpr = 64",
                                       R"(    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=0.0)
    tl.store(o + row, tl.sum(v))
)",
                                       {{"n", "i32"}});
  CHECK(sizeOf(rows, "n") < 64);
}

TEST_CASE("a range that ends in one dimension is a block of another", "[compiler][launch]") {
  const SuggestedLaunch launch =
      productOfFirstBlocks(", mask=(i[:, None] < M) & (k[None, :] < K), other=0.0");
  CHECK(launch.tensors.at("a").shape == Shape{"M", "K"});
  CHECK(launch.tensors.at("b").shape == Shape{"K", "N"});
  CHECK(launch.tensors.at("c").shape == Shape{"M", "N"});
  CHECK(launch.grid == Shape{"cdiv(M, B)", "cdiv(N, B)"});
  CHECK(launch.integers == std::map<std::string, std::string>{{"K", "K"}, {"M", "M"}, {"N", "N"}});
}
