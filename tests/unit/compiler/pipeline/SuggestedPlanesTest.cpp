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
