// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Slips in kernels that run to their end: what is said of each, and the change that was tried. With the change the kernel
// is right, and nothing is said.
#include "compiler/artifacts/AppliedFix.h"
#include "tests/unit/app/commands/Slips.h"

#include <algorithm>
#include <catch2/catch.hpp>
using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::Diagnostic;
using compiler::DiagnosticKind;

static const std::string kRows = R"py(grid = ["m"]
[sizes]
m = 12
n = 200
[args]
x = { dtype = "fp32", shape = ["m", "n"], init = "randn", seed = 1 }
)py";

TEST_CASE("a loop that leaves out turns is the cause of what they would do", "[app][slips]") {
  const std::string sums =
      kRows + R"py(y = { dtype = "fp32", shape = ["m", "n"], expected = "2 * x" }
n = "n"
[constexprs]
B = 64)py";
  const std::string body = R"py(
        c = s + tl.arange(0, B)
        tl.store(y + row * n + c, 2 * tl.load(x + row * n + c, mask=c < n), mask=c < n)
)py";
  const std::string head = "def k(x, y, n, B: tl.constexpr):\n    row = tl.program_id(0)\n";
  checkSlip({"too early", sums, head + "    for s in range(0, n - B, B):" + body,
             "the loop ends `B` in front of `n`: the last turns are left out",
             "write `n` for `n - B` in line 19"});
  checkSlip({"too late", sums, head + "    for s in range(B, n, B):" + body,
             "the loop begins at `B`: the turns from 0 on are left out",
             "write `0` for `B` in line 19"});
  checkSlip({"rounded down", sums, head + "    for s in range(0, n // B * B, B):" + body,
             "the loop ends behind the last whole `B` of `n`: the rest is left out",
             "write `n` for `n // B * B` in line 19"});
  // Of two loops that end alike only one is wrong.
  const LaunchRun two =
      runSlip(textOf({"", sums,
                      head +
                          "    for s in range(0, n - B, B):\n        tl.debug_barrier()\n    for "
                          "s in range(0, n - B, B):" +
                          body,
                      "", ""}));
  const Diagnostic *second = findingOf(two, DiagnosticKind::RunMismatch);
  REQUIRE(second);
  const auto early = std::ranges::find(
      second->labels, "the loop ends `B` in front of `n`: the last turns are left out",
      &compiler::DiagnosticLabel::message);
  // What may be the reason where none is known is not said.
  CHECK_FALSE(says(*second, "no program stores the others"));
  REQUIRE(early != second->labels.end());
  CHECK(early->range.begin.line == 20);
  CHECK(std::ranges::count(second->labels, early->message, &compiler::DiagnosticLabel::message) ==
        1);
  checkSlip({"whole parts", sums, head + "    for i in range(0, n // B):\n        s = i * B" + body,
             "the rest is left out", "write `tl.cdiv(n, B)` for `n // B` in line 19"});
}

TEST_CASE("programs that share out rows do not lack others where a loop ends too early",
          "[app][slips]") {
  const Slip shared{"rows by turns",
                    R"py(grid = [4]
[sizes]
m = 37
[args]
x = { dtype = "fp32", shape = ["m", 32], init = "randn", seed = 1 }
y = { dtype = "fp32", shape = ["m", 32], expected = "2 * x" }
m = "m")py",
                    R"py(def k(x, y, m):
    for r in range(tl.program_id(0), m - 1, tl.num_programs(0)):
        at = r * 32 + tl.arange(0, 32)
        tl.store(y + at, 2 * tl.load(x + at))
)py",
                    "the loop ends `1` in front of `m`", "write `m` for `m - 1` in line 15"};
  checkSlip(shared);
  const LaunchRun run = runSlip(textOf(shared));
  CHECK(findingOf(run, DiagnosticKind::RunMismatch)->range.begin.line == 16);
}

TEST_CASE("a reduction along the wrong axis of a square block is named", "[app][slips]") {
  checkSlip({"mean", R"py(grid = ["cdiv(m, B)"]
[sizes]
m = 40
n = 50
[args]
x = { dtype = "fp32", shape = ["m", "n"], init = "randn" }
y = { dtype = "fp32", shape = ["m"], expected = "mean(x, axis=1)" }
m = "m"
n = "n"
[constexprs]
B = 64)py",
             R"py(def k(x, y, m, n, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.arange(0, B)
    k = (r[:, None] < m) & (c[None, :] < n)
    v = tl.load(x + r[:, None] * n + c[None, :], mask=k, other=0.0)
    tl.store(y + r, tl.sum(v, axis=0) / n, mask=r < m)
)py",
             "axis 0 goes down the columns of the block, axis 1 along its rows",
             "take axis 1 in line 23"});
}

static const std::string kPlane = R"py([sizes]
m = 70
n = 90
[args]
x = { dtype = "fp32", shape = ["m", "n"], init = "randn" }
y = { dtype = "fp32", shape = ["m", "n"], expected = "2 * x" }
m = "m"
n = "n"
[constexprs]
BM = 16
BN = 32)py";

static std::string planeWith(const std::string &columns) {
  return R"py(def k(x, y, m, n, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = )py" +
         columns + R"py(
    k = (r[:, None] < m) & (c[None, :] < n)
    at = r[:, None] * n + c[None, :]
    tl.store(y + at, 2 * tl.load(x + at, mask=k), mask=k)
)py";
}

TEST_CASE("a vector that goes along the wrong axis of a square block is named", "[app][slips]") {
  checkSlip({"bias",
             R"py(grid = ["cdiv(m, B)", "cdiv(n, B)"]
[sizes]
m = 70
n = 90
[args]
x = { dtype = "fp32", shape = ["m", "n"], init = "randn" }
b = { dtype = "fp32", shape = ["n"], init = "randn", seed = 1 }
y = { dtype = "fp32", shape = ["m", "n"], expected = "x + b" }
m = "m"
n = "n"
[constexprs]
B = 32)py",
             R"py(def k(x, b, y, m, n, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.program_id(1) * B + tl.arange(0, B)
    k = (r[:, None] < m) & (c[None, :] < n)
    at = r[:, None] * n + c[None, :]
    v = tl.load(x + at, mask=k) + tl.load(b + c, mask=c < n, other=0.0)[:, None]
    tl.store(y + r[:, None] * n + c[None, :], v, mask=k)
)py",
             "this goes down the block that is stored, where what it is loaded by has `[None, :]`",
             "write `[None, :]` in line 24"});
}

TEST_CASE("blocks that begin where those of the other axis would are named", "[app][slips]") {
  checkSlip({"BM for BN", "grid = [\"cdiv(m, BM)\", \"cdiv(n, BN)\"]\n" + kPlane,
             planeWith("tl.program_id(1) * BM + tl.arange(0, BN)"),
             "blocks of `BN` = 32 begin `BM` = 16 apart: they overlap, and end too early",
             "write `BN` for `BM` in line 21"});
}

TEST_CASE("a grid with too few programs says along which axes, and what it takes", "[app][slips]") {
  const std::string right = planeWith("tl.program_id(1) * BN + tl.arange(0, BN)");
  checkSlip({"both", "grid = [\"m // BM\", \"n // BN\"]\n" + kPlane, right,
             "2 programs along axis 1 of the grid, each with `BN` = 32, reach 64 of 90: it takes 3",
             "write `\"cdiv(m, BM)\", \"cdiv(n, BN)\"`"});
  checkSlip({"exchanged", "grid = [\"cdiv(n, BN)\", \"cdiv(m, BM)\"]\n" + kPlane, right,
             "reach 48 of 70, and axis 1 has 5: the axes are exchanged, in `grid` or in the kernel",
             "write `\"cdiv(m, BM)\", \"cdiv(n, BN)\"`"});
}

TEST_CASE("a grid with too few programs hides no mask that is wrong in the last one",
          "[app][slips]") {
  const LaunchRun run = runSlip(textOf({"", R"py(grid = ["n // B"]
[sizes]
n = 500
[args]
x = { dtype = "fp32", shape = ["n"], init = "randn" }
y = { dtype = "fp32", shape = ["n"], expected = "-x" }
n = "n"
[constexprs]
B = 128)py",
                                        R"py(def k(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, -tl.load(x + i, mask=i <= n), mask=i < n)
)py",
                                        "", ""}));
  const Diagnostic *mismatch = findingOf(run, DiagnosticKind::RunMismatch);
  REQUIRE(mismatch);
  CHECK(says(*mismatch, "each writes 128: for 500 it takes 4"));
  REQUIRE(mismatch->fixes.size() == 1);
  CHECK(mismatch->fixes.front().title == "write `\"cdiv(n, B)\"`");
}

TEST_CASE("numbers in the place of a row's length are named", "[app][slips]") {
  const std::string groups = R"py(grid = ["m"]
[sizes]
m = 16
n = 208
[args]
s = { dtype = "fp32", shape = ["m", "cdiv(n, G)"], init = "rand" }
y = { dtype = "fp32", shape = ["m", "n"], expected = "repeat(s, G, axis=1)" }
n = "n"
[constexprs]
G = 8
B = 256)py";
  checkSlip({"a stride", groups, R"py(def k(s, y, n, G: tl.constexpr, B: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, B)
    v = tl.load(s + row * G + c // G, mask=c < n)
    tl.store(y + row * n + c, v, mask=c < n)
)py",
             "rows of `s` lie `tl.cdiv(n, G)` = 26 elements apart, not `G` = 8",
             "write `tl.cdiv(n, G)` for `G` in line 21"});
  checkSlip({"a division", R"py(grid = ["m", "cdiv(OH * OW, B)"]
[sizes]
m = 2
OH = 29
OW = 37
[args]
x = { dtype = "fp32", shape = ["m", "OW", "OH"], init = "randn" }
y = { dtype = "fp32", shape = ["m", "OH", "OW"], expected = "transpose(x, (0, 2, 1))" }
OH = "OH"
OW = "OW"
[constexprs]
B = 128)py",
             R"py(def k(x, y, OH, OW, B: tl.constexpr):
    base = tl.program_id(0) * OH * OW
    o = tl.program_id(1) * B + tl.arange(0, B)
    r = o // OH
    c = o % OH
    at = tl.minimum(c * OH + r, OH * OW - 1)
    tl.store(y + base + o, tl.load(x + base + at), mask=o < OH * OW)
)py",
             "a row of `y` has `OW` elements, and `OH` is how many rows there are",
             "divide by `OW` in the place of `OH`"});
}

TEST_CASE("arrays that stand in each other's place are named", "[app][slips]") {
  checkSlip({"a gate", R"py(grid = [4]
[args]
gate = { dtype = "fp32", shape = [256], init = "randn", seed = 1 }
up = { dtype = "fp32", shape = [256], init = "randn", seed = 2 }
y = { dtype = "fp32", shape = [256], expected = "gate / (1 + exp(-gate)) * up" })py",
             R"py(def k(gate, up, y):
    i = tl.program_id(0) * 64 + tl.arange(0, 64)
    g = tl.load(up + i)
    u = tl.load(gate + i)
    tl.store(y + i, g * tl.sigmoid(g) * u)
)py",
             "`up` and `gate` stand in each other's place", "exchange `up` and `gate`"});
}

TEST_CASE("random numbers that are the same in each program are noted", "[app][slips]") {
  const auto drawn = [&](const std::string &offsets) {
    const LaunchRun run = runSlip(textOf({"",
                                          "grid = [4]\n[args]\ny = { dtype = \"fp32\", shape = "
                                          "[256] }\nseed = 3",
                                          "def k(y, seed):\n    i = tl.arange(0, 64)\n    at = "
                                          "tl.program_id(0) * 64 + i\n    tl.store(y + at, "
                                          "tl.rand(seed, " +
                                              offsets + "))\n",
                                          "", ""}));
    const Diagnostic *note = findingOf(run, DiagnosticKind::RunLaunchUnfit);
    return note ? note->message : std::string();
  };
  CHECK(drawn("i") == "`tl.rand` gives all 4 programs the same numbers: neither its seed nor its "
                      "offsets depend on the program");
  CHECK(drawn("at").empty());
}

TEST_CASE("a store behind a return is named as such", "[app][slips]") {
  const LaunchRun run = runSlip(textOf({"",
                                        "grid = [1]\n[args]\ny = { dtype = \"fp32\", shape = "
                                        "[64], expected = \"1 + 0 * arange(64)\" }",
                                        "def k(y):\n    i = tl.arange(0, 64)\n    return\n    "
                                        "tl.store(y + i, 1.0)\n",
                                        "", ""}));
  const Diagnostic *idle = findingOf(run, DiagnosticKind::RunUndefined);
  REQUIRE(idle);
  CHECK(says(*idle, "the kernel always ends here, in front of its store in line 13"));
  const Diagnostic *mismatch = findingOf(run, DiagnosticKind::RunMismatch);
  REQUIRE(mismatch);
  CHECK(says(*mismatch, "the kernel's store stands behind a `return`"));
}

TEST_CASE("of an axis that a grid has not, the one that nobody reads is offered", "[app][slips]") {
  const std::string text = textOf({"", "grid = [\"cdiv(m, BM)\", \"cdiv(n, BN)\"]\n" + kPlane,
                                   planeWith("tl.program_id(2) * BN + tl.arange(0, BN)"), "", ""});
  const LaunchRun run = runSlip(text);
  const auto note = std::ranges::find_if(run.diagnostics, [](const Diagnostic &each) {
    return each.message == "`tl.program_id(2)` is 0 in every program: the grid of this launch has "
                           "two axes";
  });
  REQUIRE(note != run.diagnostics.end());
  REQUIRE(note->fixes.size() == 1);
  CHECK(note->fixes.front().title == "read axis 1 in line 21");
  CHECK(runSlip(compiler::fixedText(text, note->fixes.front())).ok());
}

TEST_CASE("a new guess of shapes that leaves as much wrong is not offered", "[app][slips]") {
  // The kernel divides by the number of rows, and would read inside of a matrix that is transposed.
  const LaunchRun run =
      runSlip(textOf({"", R"py(grid = ["m", "cdiv(OH * OW, B)"]
[sizes]
m = 2
OH = 29
OW = 37
[args]
x = { dtype = "fp32", shape = ["m", "KS * OH", "KS * OW"], init = "randn", guessed = true }
y = { dtype = "fp32", shape = ["m", "OH", "OW"], expected = "mean(mean(reshape(x, (m, OH, KS, OW, KS)), axis=4), axis=2)" }
H = "KS * OH"
W = "KS * OW"
OH = "OH"
OW = "OW"
[constexprs]
B = 1024
KS = 3)py",
                      R"py(def k(x, y, H, W, OH, OW, KS: tl.constexpr, B: tl.constexpr):
    ch = tl.program_id(0)
    o = tl.program_id(1) * B + tl.arange(0, B)
    oh = o // OH
    ow = o % OH
    m = o < OH * OW
    acc = tl.zeros((B,), tl.float32)
    for i in range(KS):
        for j in range(KS):
            acc += tl.load(x + ch * H * W + (oh * KS + i) * W + ow * KS + j, mask=m, other=0.0)
    tl.store(y + ch * OH * OW + o, acc / (KS * KS), mask=m)
)py",
                      "", ""}));
  REQUIRE(findingOf(run, DiagnosticKind::RunMismatch));
  for (const Diagnostic &each : run.diagnostics)
    for (const compiler::DiagnosticFix &fix : each.fixes)
      CHECK(fix.title == "divide by `OW` in the place of `OH`");
}
