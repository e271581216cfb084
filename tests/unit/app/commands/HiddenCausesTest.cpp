// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Causes that another fix, which mends what is seen, would hide.
#include "tests/unit/app/commands/Slips.h"

using namespace tilescope;
using namespace tilescope::tests;
using app::LaunchRun;
using compiler::Diagnostic;
using compiler::DiagnosticKind;

static constexpr const char *kPersistent = R"py(grid = ["NP"]
[sizes]
NP = 5
n = 1000
[args]
x = { dtype = "fp32", shape = ["n"], init = "randn" }
y = { dtype = "fp32", shape = ["n"], expected = "x * 2" }
[constexprs]
B = 64)py";

TEST_CASE("a loop that programs share has its step mended, not the grid", "[app][slips]") {
  checkSlip({"tiles", kPersistent, R"py(def k(x, y, n, B: tl.constexpr):
    pid = tl.program_id(0)
    for t in range(pid, tl.cdiv(n, B), B):
        i = t * B + tl.arange(0, B)
        tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)
)py",
             "a step of `tl.num_programs(0)` shares the turns out",
             "write `tl.num_programs(0)` for `B` in line 18"});
  checkSlip({"elements", kPersistent, R"py(def k(x, y, n, B: tl.constexpr):
    start = tl.program_id(0) * B
    for s in range(start, n, B * B):
        i = s + tl.arange(0, B)
        tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)
)py",
             "a step of `tl.num_programs(0) * B` shares the turns out",
             "write `tl.num_programs(0) * B` for `B * B` in line 18"});
}

TEST_CASE("a grid that is too small is still made larger", "[app][slips]") {
  checkSlip({"no loop", kPersistent, R"py(def k(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)
)py",
             "each writes 64: for 1000 it takes 16", "write `\"cdiv(n, B)\"`"});
}

TEST_CASE("a grid without programs is where nothing is written", "[app][slips]") {
  std::string block = kPersistent;
  block.replace(block.find("\"NP\""), 4, "\"n // 2000\"");
  const LaunchRun run = runSlip(textOf({"", block, R"py(def k(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)
)py",
                                        "", ""}));
  const Diagnostic *mismatch = findingOf(run, DiagnosticKind::RunMismatch);
  REQUIRE(mismatch);
  CHECK(mismatch->range.begin.line == 4);
  CHECK(says(*mismatch, "the grid has no programs: nothing runs"));
}

static constexpr const char *kPair = R"py(grid = [4]
[args]
x_ptr = { dtype = "fp32", shape = [256], init = "randn", seed = 1 }
y_ptr = { dtype = "fp32", shape = [256], init = "randn", seed = 2 }
o_ptr = { dtype = "fp32", shape = [256], expected = "x_ptr - 2 * y_ptr" })py";

TEST_CASE("an array that is not read while another is loaded twice is named", "[app][slips]") {
  checkSlip({"the second", kPair, R"py(def k(x_ptr, y_ptr, o_ptr):
    i = tl.program_id(0) * 64 + tl.arange(0, 64)
    x = tl.load(x_ptr + i)
    y = tl.load(x_ptr + i)
    tl.store(o_ptr + i, x - 2 * y)
)py",
             "`y_ptr` is never read, and `x_ptr` is loaded twice",
             "write `y_ptr` for `x_ptr` in line 15"});
  checkSlip({"the first", kPair, R"py(def k(x_ptr, y_ptr, o_ptr):
    i = tl.program_id(0) * 64 + tl.arange(0, 64)
    x = tl.load(y_ptr + i)
    y = tl.load(y_ptr + i)
    tl.store(o_ptr + i, x - 2 * y)
)py",
             "`x_ptr` is never read, and `y_ptr` is loaded twice",
             "write `x_ptr` for `y_ptr` in line 14"});
}

TEST_CASE("an array without a descriptor while another has two is named", "[app][slips]") {
  checkSlip({"descriptors", R"py(grid = [1]
[args]
a_ptr = { dtype = "fp32", shape = [16, 16], init = "randn", seed = 1 }
b_ptr = { dtype = "fp32", shape = [16, 16], init = "randn", seed = 2 }
o_ptr = { dtype = "fp32", shape = [16, 16], expected = "a_ptr - 2 * b_ptr" })py",
             R"py(def kernel(a_ptr, b_ptr, o_ptr):
    a = tl.make_tensor_descriptor(b_ptr, shape=[16, 16], strides=[16, 1], block_shape=[16, 16])
    b = tl.make_tensor_descriptor(b_ptr, shape=[16, 16], strides=[16, 1], block_shape=[16, 16])
    o = tl.make_tensor_descriptor(o_ptr, shape=[16, 16], strides=[16, 1], block_shape=[16, 16])
    o.store([0, 0], a.load([0, 0]) - 2 * b.load([0, 0]))
)py",
             "two descriptors are made of `b_ptr`, and `a_ptr` is never used",
             "write `a_ptr` for `b_ptr` in line 13"});
}

TEST_CASE("scores of elements that are not there are made -inf", "[app][slips]") {
  checkSlip({"attention", R"py(grid = [1]
[sizes]
n = 40
[args]
q = { dtype = "fp32", shape = [16, 16], init = "randn", seed = 1 }
k = { dtype = "fp32", shape = ["n", 16], init = "randn", seed = 2 }
y = { dtype = "fp32", shape = [16], expected = "sum(exp(q @ k.T - max(q @ k.T, axis=1, keepdims=True)), axis=1)" })py",
             R"py(def kernel(q, k, y, n):
    r = tl.arange(0, 16)
    c = tl.arange(0, 64)
    a = tl.load(q + r[:, None] * 16 + r[None, :])
    b = tl.load(k + c[:, None] * 16 + r[None, :], mask=c[:, None] < n, other=0.0)
    s = tl.dot(a, tl.trans(b), input_precision="ieee")
    p = tl.exp(s - tl.max(s, axis=1)[:, None])
    tl.store(y + r, tl.sum(p, axis=1))
)py",
             "where `c[None, :] < n` is false, `s` is a product with what the mask of the load "
             "leaves out",
             "add `s = tl.where(c[None, :] < n, s, float(\"-inf\"))`"});
}

static std::vector<std::string> fixesOf(const LaunchRun &run, DiagnosticKind kind) {
  std::vector<std::string> titles;
  const Diagnostic *finding = findingOf(run, kind);
  REQUIRE(finding);
  for (const compiler::DiagnosticFix &fix : finding->fixes)
    titles.push_back(fix.title);
  return titles;
}

TEST_CASE("no mask is offered where another fix makes the output right", "[app][slips]") {
  const LaunchRun turned = runSlip(textOf({"", R"py(grid = ["rows"]
[sizes]
rows = 20
cols = 100
[args]
x = { dtype = "fp32", shape = ["rows", "cols"], init = "randn" }
y = { dtype = "fp32", shape = ["rows"], expected = "sum(x, axis=1)" }
[constexprs]
B = 128)py",
                                           R"py(def k(x, y, rows, cols, B: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, B)
    v = tl.load(x + row + c * cols, mask=c < cols, other=0.0)
    tl.store(y + row, tl.sum(v, axis=0))
)py",
                                           "", ""}));
  const std::vector<std::string> exchanged{"write `row * cols + c`"};
  CHECK(fixesOf(turned, DiagnosticKind::RunAccessOutside) == exchanged);
  CHECK(fixesOf(turned, DiagnosticKind::RunMismatch) == exchanged);
  CHECK(says(*findingOf(turned, DiagnosticKind::RunAccessOutside), "`c` counts columns of `x`"));
  const LaunchRun product = runSlip(textOf({"", R"py(grid = ["cdiv(M, B)", "cdiv(N, B)"]
[sizes]
M = 60
N = 50
[args]
a = { dtype = "fp32", shape = ["M"], init = "randn", seed = 0 }
b = { dtype = "fp32", shape = ["N"], init = "randn", seed = 1 }
c = { dtype = "fp32", shape = ["M", "N"], expected = "a[:, None] * b" }
[constexprs]
B = 16)py",
                                            R"py(def k(a, b, c, M, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(a + i, mask=i < M)[:, None] * tl.load(b + j, mask=j < N)[None, :]
    tl.store(c + i[:, None] * M + j[None, :], v, mask=(i[:, None] < M) & (j[None, :] < N))
)py",
                                            "", ""}));
  CHECK(fixesOf(product, DiagnosticKind::RunAccessOutside) ==
        std::vector<std::string>{"write `N` for `M` in line 21"});
}

TEST_CASE("what mends an output is offered for the race behind it, too", "[app][slips]") {
  const LaunchRun run = runSlip(textOf({"", R"py(grid = ["rows"]
[sizes]
rows = 20
cols = 100
[args]
x = { dtype = "fp32", shape = ["rows", "cols"], init = "randn" }
y = { dtype = "fp32", shape = ["rows", "cols"], expected = "x * 2" }
[constexprs]
B = 128)py",
                                        R"py(def k(x, y, rows, cols, B: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, B)
    v = tl.load(x + row * cols + c, mask=c < cols)
    tl.store(y + row + c, v * 2, mask=c < cols)
)py",
                                        "", ""}));
  CHECK(fixesOf(run, DiagnosticKind::RunWriteRace) ==
        std::vector<std::string>{"write `row * cols`"});
  CHECK_FALSE(says(*findingOf(run, DiagnosticKind::RunWriteRace), "no fix is offered"));
}

TEST_CASE("what a reduction takes in is not said to be left out by the load's mask",
          "[app][slips]") {
  const auto undefined = [](const std::string &stored) {
    return runSlip(textOf({"", R"py(grid = ["cdiv(n, B)"]
[sizes]
n = 1000
[args]
x = { dtype = "fp32", shape = ["n"], init = "randn" }
y = { dtype = "fp32", shape = ["n"], expected = "x + 1" }
[constexprs]
B = 128)py",
                           "def k(x, y, n, B: tl.constexpr):\n"
                           "    i = tl.program_id(0) * B + tl.arange(0, B)\n"
                           "    v = tl.load(x + i, mask=i < n)\n"
                           "    tl.store(y + i, " +
                               stored + ", mask=i < n)\n",
                           "", ""}));
  };
  const LaunchRun reduced = undefined("tl.max(v, 0)");
  const Diagnostic *finding = findingOf(reduced, DiagnosticKind::RunUndefined);
  REQUIRE(finding);
  CHECK(says(*finding, "a reduction takes in elements that the load leaves out"));
  const LaunchRun mixed = undefined("tl.gather(v, B - 1 - tl.arange(0, B), 0)");
  finding = findingOf(mixed, DiagnosticKind::RunUndefined);
  REQUIRE(finding);
  CHECK(says(*finding, "the store has the load's mask"));
}

TEST_CASE("a store that lacks its mask gets that of the loads, not an `other`", "[app][slips]") {
  const LaunchRun run = runSlip(textOf({"", R"py(grid = ["M"]
[sizes]
M = 9
N = 300
[args]
X = { dtype = "fp32", shape = ["M", "N"], init = "randn", seed = 1 }
Y = { dtype = "fp32", shape = ["M", "N"], expected = "X * W" }
W = { dtype = "fp32", shape = ["N"], init = "randn", seed = 2 }
stride = "N"
[constexprs]
BLOCK = 128)py",
                                        R"py(def k(X, Y, W, M, N, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    X += row * stride
    Y += row * stride
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        mask = cols < N
        w = tl.load(W + cols, mask=mask)
        x = tl.load(X + cols, mask=mask, other=0.)
        tl.store(Y + cols, x * w)
)py",
                                        "", ""}));
  const std::vector<std::string> mask{"add `mask=mask`"};
  CHECK(fixesOf(run, DiagnosticKind::RunAccessOutside) == mask);
  CHECK(fixesOf(run, DiagnosticKind::RunUndefined) == mask);
  CHECK(findingOf(run, DiagnosticKind::RunAccessOutside)
            ->message.ends_with("; add `mask=mask`, as in line 26"));
}
