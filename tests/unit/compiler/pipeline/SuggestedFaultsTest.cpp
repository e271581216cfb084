// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Launches that are suggested for kernels with a fault, which must not fit the fault.
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

using Shape = std::vector<std::string>;

static SuggestedLaunch suggest(const std::string &parameters, const std::string &body) {
  return tests::compileKernel(parameters, body, {}, StageId::Ttir).result.suggestion;
}

TEST_CASE("an array that is walked from its end is as long as its argument says",
          "[compiler][launch]") {
  const auto reversed = [](const char *at) {
    return suggest("x, y, n, BLOCK: tl.constexpr = 128",
                   std::string(R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + n - 1 - i, mask=i < n)
    tl.store(y + )") + at +
                       ", v, mask=i < n)\n");
  };
  const SuggestedLaunch right = reversed("(n - 1 - i)");
  CHECK(right.tensors.at("x").shape == Shape{"n"});
  CHECK_FALSE(right.tensors.at("x").isGuess);
  CHECK(right.tensors.at("y").shape == Shape{"n"});
  // One too far: an array with an element more would hide it.
  const SuggestedLaunch off = reversed("n - i");
  CHECK(off.tensors.at("y").shape == Shape{"n"});
  CHECK(off.tensors.at("y").isGuess);
  const SuggestedLaunch loops = suggest("x, c, y, n, D: tl.constexpr = 64", R"(    s = 0.0
    for d in range(D, -1, -1):
        s = s * 2 + tl.load(c + d)
    for i in range(n):
        s += tl.load(x + n - 1 - i)
    tl.store(y, s)
)");
  CHECK(loops.tensors.at("c").shape == Shape{"65"});
  CHECK(loops.tensors.at("x").shape == Shape{"n"});
}

TEST_CASE("blocks whose factor is forgotten get as many programs as blocks", "[compiler][launch]") {
  const char *store = R"(    i = tl.program_id(0) + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)
)";
  CHECK(suggest("x, y, n, BLOCK: tl.constexpr = 128", store).grid == Shape{"cdiv(n, BLOCK)"});
  // Windows that are only read may overlap.
  const char *window = R"(    i = tl.program_id(0) + tl.arange(0, BLOCK)
    tl.store(y + tl.program_id(0), tl.sum(tl.load(x + i, mask=i < n, other=0.0)))
)";
  CHECK(suggest("x, y, n, BLOCK: tl.constexpr = 128", window).grid != Shape{"cdiv(n, BLOCK)"});
}

TEST_CASE("a mask that asks of the places in a block alone does not end at the first block",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, y, n, BLOCK: tl.constexpr = 128",
                                         R"(    begin = tl.program_id(0) * BLOCK
    i = tl.arange(0, BLOCK)
    tl.store(y + begin + i, tl.load(x + begin + i, mask=i < n), mask=i < n)
)");
  CHECK(launch.grid == Shape{"cdiv(n, BLOCK)"});
  CHECK(launch.isGridGuess);
  CHECK(launch.tensors.at("x").shape == Shape{"n"});
}

TEST_CASE("a number of rows is not the length of a row, whatever it is multiplied by",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, y, rows, cols, BLOCK: tl.constexpr = 1024",
                                         R"(    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * rows + i, mask=i < cols, other=0.0)
    tl.store(y + row, tl.sum(v))
)");
  CHECK(launch.grid == Shape{"rows"});
  CHECK(launch.tensors.at("x").shape == Shape{"rows", "cols"});
  CHECK(launch.tensors.at("y").shape == Shape{"rows"});
  CHECK(launch.integers.at("rows") == "rows");
  const SuggestedLaunch ends = suggest("x, y, rows, cols, BLOCK: tl.constexpr = 1024",
                                       R"(    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + i, mask=i < rows, other=0.0)
    tl.store(y + row, tl.sum(v))
)");
  const SuggestedLaunch loop = suggest("x, v, y, M, N, BLOCK: tl.constexpr = 256",
                                       R"(    row = tl.program_id(0)
    s = 0.0
    for k in range(0, N, BLOCK):
        i = k + tl.arange(0, BLOCK)
        at = tl.load(x + row * M + i, mask=i < N, other=0.0)
        s += tl.sum(at * tl.load(v + i, mask=i < N, other=0.0))
    tl.store(y + row, s)
)");
  CHECK(loop.tensors.at("x").shape == Shape{"M", "N"});
  CHECK(loop.integers.at("M") == "M");
  CHECK(ends.tensors.at("x").shape.back() == "cols");
  CHECK(ends.integers.at("cols") == "cols");
  CHECK(ends.integers.at("rows") == "rows");
}

TEST_CASE("of two lengths of rows that one index counts, a loop's is the wrong one",
          "[compiler][launch]") {
  const auto product = [](const char *rows, const char *results) {
    return suggest("a, b, c, m, n, k, B: tl.constexpr = 32",
                   std::string(R"(    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros((B, B), dtype=tl.float32)
    for s in range(k // B):
        p = s * B + tl.arange(0, B)
        x = tl.load(a + i[:, None] * k + p[None, :])
        y = tl.load(b + p[:, None] * )") +
                       rows + R"( + j[None, :])
        acc += tl.dot(x, y)
    tl.store(c + i[:, None] * )" +
                       results + " + j[None, :], acc)\n");
  };
  const SuggestedLaunch right = product("n", "n");
  for (const SuggestedLaunch &launch : {right, product("k", "n"), product("n", "k")}) {
    CHECK(launch.grid == Shape{"cdiv(m, B)", "cdiv(n, B)"});
    CHECK(launch.tensors.at("b").shape == Shape{"k", "n"});
    CHECK(launch.tensors.at("c").shape == Shape{"m", "n"});
    CHECK(launch.integers == right.integers);
  }
  CHECK_FALSE(right.tensors.at("b").isGuess);
  CHECK(product("k", "n").tensors.at("b").isGuess);
}

TEST_CASE("a stencil is over an array as long as its argument says", "[compiler][launch]") {
  const auto mean = [](const char *last) {
    return suggest("x, y, n, BLOCK: tl.constexpr = 128",
                   std::string(R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i - 1, mask=(i > 0) & (i < n), other=0.0)
    b = tl.load(x + i, mask=i < n)
    c = tl.load(x + i + 1, mask=)") +
                       last + R"()
    tl.store(y + i, a + b + c, mask=i < n)
)")
        .tensors.at("x");
  };
  CHECK(mean("i + 1 < n").shape == Shape{"n"});
  CHECK_FALSE(mean("i + 1 < n").isGuess);
  // The last element has no neighbor: an array with one more would hide it.
  CHECK(mean("i < n").shape == Shape{"n"});
  CHECK(mean("i < n").isGuess);
}

TEST_CASE("indices that end at a multiple of an argument have as many elements",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, y, n, BLOCK: tl.constexpr = 128",
                                         R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < 2 * n
    tl.store(y + i, tl.load(x + i // 2, mask=m), mask=m)
)");
  CHECK(launch.tensors.at("x").shape == Shape{"n"});
  CHECK(launch.tensors.at("y").shape == Shape{"2 * n"});
  CHECK(launch.grid == Shape{"cdiv(2 * n, BLOCK)"});
  CHECK(launch.integers.at("n") == "n");
}

TEST_CASE("rows that lie a block apart are no longer than it", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, y, rows, cols, BLOCK: tl.constexpr = 1024", R"(    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * BLOCK + i, mask=i < cols, other=0.0)
    tl.store(y + row, tl.sum(v))
)");
  CHECK(launch.tensors.at("x").shape == Shape{"rows", "BLOCK"});
  CHECK(launch.tensors.at("x").isGuess);
  for (const SuggestedSize &size : launch.sizes)
    if (size.name == "cols")
      CHECK(size.value < 1024);
}

TEST_CASE("programs that take turns of blocks are no more than there are blocks",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, y, n, BLOCK: tl.constexpr = 128", R"(    step = tl.num_programs(0) * BLOCK
    for start in range(tl.program_id(0) * BLOCK, n, step):
        i = start + tl.arange(0, BLOCK)
        tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)
)");
  CHECK(launch.grid == Shape{"cdiv(n, BLOCK)"});
  CHECK(launch.tensors.at("y").shape == Shape{"n"});
}

TEST_CASE("a quotient of what ends at a multiple of its divisor ends at the factor",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, w, hw, C: tl.constexpr = 8", R"(    i = tl.arange(0, 1024)
    m = i < C * hw
    p = x + tl.program_id(0) * (C * hw) + i
    tl.store(p, tl.load(p, mask=m) * tl.load(w + i // hw, mask=m), mask=m)
)");
  CHECK(launch.tensors.at("w").shape == Shape{"C"});
}
