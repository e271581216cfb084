// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Masks with the bounds of other axes: the address is right, and not what is to be changed.
#include "tests/unit/app/commands/Slips.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("bounds of other axes are the cause of what a mask leaves out", "[app][slips]") {
  const std::string block = R"py(grid = ["cdiv(H, 32)", "cdiv(W, 32)"]
[sizes]
H = 100
W = 70
[args]
x = { dtype = "fp32", shape = ["H", "W"], init = "randn", seed = 3 }
y = { dtype = "fp32", shape = ["H", "W"], expected = "x * 2" })py";
  const auto kernel = [](const std::string &mask) {
    return "def k(x, y, H, W):\n    r = tl.program_id(0) * 32 + tl.arange(0, 32)\n"
           "    c = tl.program_id(1) * 32 + tl.arange(0, 32)\n    m = " +
           mask +
           "\n    v = tl.load(x + r[:, None] * W + c[None, :], mask=m)\n"
           "    tl.store(y + r[:, None] * W + c[None, :], v * 2, mask=m)\n";
  };
  const std::string said =
                        "`r` counts rows of `x`, of which there are `H`, and `c` its `W` columns",
                    fix = "compare `r` with `H` and `c` with `W`";
  checkSlip({"both", block, kernel("(r[:, None] < W) & (c[None, :] < H)"), said, fix});
  checkSlip({"one", block, kernel("(r[:, None] < W) & (c[None, :] < W)"), said, fix});
}

TEST_CASE("no mask is offered where rows lie otherwise apart", "[app][slips]") {
  const std::string block = R"py(grid = ["cdiv(H, 32)", "cdiv(W, 32)"]
[sizes]
H = 100
W = 70
[args]
x = { dtype = "fp32", shape = ["H", "W"], init = "randn", seed = 3 }
y = { dtype = "fp32", shape = ["H", "W"], expected = "x * 2" })py";
  const app::LaunchRun run =
      runSlip(textOf({"", block,
                      "def k(x, y, H, W):\n    r = tl.program_id(0) * 32 + tl.arange(0, 32)\n"
                      "    c = tl.program_id(1) * 32 + tl.arange(0, 32)\n"
                      "    v = tl.load(x + r[:, None] * H + c[None, :])\n"
                      "    tl.store(y + r[:, None] * H + c[None, :], v * 2)\n",
                      "", ""}));
  for (const compiler::Diagnostic &finding : run.diagnostics)
    for (const compiler::DiagnosticFix &fix : finding.fixes)
      CHECK(fix.title.starts_with("write `W` for `H`"));
}
