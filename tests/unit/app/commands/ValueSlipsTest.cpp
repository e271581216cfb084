// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Slips in what kernels do with what they have loaded: each is named, and the change that was tried makes the kernel right.
#include "tests/unit/app/commands/Slips.h"

#include <algorithm>
#include <catch2/catch.hpp>
using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

static const std::string kSquare = R"py(grid = ["cdiv(m, B)"]
[sizes]
m = 40
n = 50
[args]
a = { dtype = "fp32", shape = ["m", "n"], init = "randn", seed = 1 }
x = { dtype = "fp32", shape = ["n"], init = "randn", seed = 2 }
y = { dtype = "fp32", shape = ["m"], expected = "a @ x" }
m = "m"
n = "n"
[constexprs]
B = 64)py";

TEST_CASE("a vector that is laid along the wrong axis of a square block is named", "[app][slips]") {
  checkSlip({"matrix times vector", kSquare, R"py(def k(a, x, y, m, n, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.arange(0, B)
    mask = (r[:, None] < m) & (c[None, :] < n)
    block = tl.load(a + r[:, None] * n + c[None, :], mask=mask, other=0.0)
    v = tl.load(x + c, mask=c < n, other=0.0)
    tl.store(y + r, tl.sum(block * v[:, None], axis=1), mask=r < m)
)py",
             "`v[:, None]` has one number for each row of the block",
             "write `v[None, :]` for `v[:, None]` in line 25"});
}

TEST_CASE("operands of a product of square blocks in each other's place are named",
          "[app][slips]") {
  checkSlip({"product", R"py(grid = [1]
[args]
a = { dtype = "fp32", shape = [32, 32], init = "randn", seed = 1 }
b = { dtype = "fp32", shape = [32, 32], init = "randn", seed = 2 }
c = { dtype = "fp32", shape = [32, 32], expected = "(a + 1) @ b" })py",
             R"py(def k(a, b, c):
    i = tl.arange(0, 32)
    at = i[:, None] * 32 + i[None, :]
    p = tl.load(a + at) + 1
    q = tl.load(b + at)
    tl.store(c + at, tl.dot(q, p))
)py",
             "the rows of `q` become the rows of the product", "exchange `q` and `p` in line 17"});
}

static Slip sumWith(const std::string &expected, const std::string &code, const std::string &said,
                    const std::string &fix) {
  return {expected,
          R"py(grid = [1]
[args]
x = { dtype = "fp32", shape = [64], init = "randn", seed = 1 }
y = { dtype = "fp32", shape = [64], init = "randn", seed = 2 }
o = { dtype = "fp32", shape = [64], expected = ")py" +
              expected + R"py(" })py",
          R"py(def k(x, y, o):
    at = tl.arange(0, 64)
    p = tl.load(x + at)
    q = tl.load(y + at)
    v = 2 * q
    tl.store(o + at, )py" +
              code + ")\n",
          said, fix};
}

TEST_CASE("an operation that is its inverse, or has its operands exchanged, is named",
          "[app][slips]") {
  checkSlip(sumWith("x + y", "p - q", "`-` where `+` is expected", "write `+` for `-` in line 17"));
  checkSlip(sumWith("x - y", "p + q", "`+` where `-` is expected", "write `-` for `+` in line 17"));
  checkSlip(sumWith("x * y", "p / q", "`/` where `*` is expected", "write `*` for `/` in line 17"));
  checkSlip(sumWith("x - 2 * y", "v - p", "`v` and `p` stand in each other's place",
                    "write `p - v` for `v - p` in line 17"));
}

TEST_CASE("bytes that wrap around are computed with more bits and stop at their ends",
          "[app][slips]") {
  checkSlip({"brighter", R"py(grid = [1]
[args]
x = { dtype = "u8", shape = [256], init = "randint", low = 0, high = 256, seed = 0 }
y = { dtype = "u8", shape = [256], expected = "minimum(x + 50, 255)" })py",
             R"py(def k(x, y):
    at = tl.arange(0, 256)
    tl.store(y + at, 50 + tl.load(x + at))
)py",
             "arithmetic on it keeps the low bits of what lies beyond",
             "compute with 32 bits, and stop at the ends of `uint8`"});
}

TEST_CASE("a stride is mended in a kernel that leaves out what is no whole block", "[app][slips]") {
  const LaunchRun run = runSlip(textOf({"", R"py(grid = ["cdiv(m, B)", "cdiv(n, B)"]
[sizes]
m = 64
n = 96
k = 128
[args]
a = { dtype = "fp32", shape = ["m", "k"], init = "randn", seed = 1 }
b = { dtype = "fp32", shape = ["k", "n"], init = "randn", seed = 2 }
c = { dtype = "fp32", shape = ["m", "n"], expected = "a @ b" }
n = "n"
k = "k"
[constexprs]
B = 32)py",
                                        R"py(def mm(a, b, c, n, k, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros((B, B), dtype=tl.float32)
    for s in range(k // B):
        p = s * B + tl.arange(0, B)
        x = tl.load(a + i[:, None] * k + p[None, :])
        y = tl.load(b + p[:, None] * k + j[None, :])
        acc += tl.dot(x, y)
    tl.store(c + i[:, None] * n + j[None, :], acc)
)py",
                                        "", ""}));
  const compiler::Diagnostic *mismatch = findingOf(run, compiler::DiagnosticKind::RunMismatch);
  REQUIRE(mismatch);
  CHECK(says(*mismatch, "`k` is the number of rows of `b`, which lie `n` elements apart"));
  REQUIRE(mismatch->fixes.size() == 1);
  CHECK(mismatch->fixes.front().title == "write `n` for `k` in line 27");
}

TEST_CASE("a merge that divides by nothing is seen, whatever order elements come in",
          "[app][slips]") {
  const LaunchRun run = runSlip(textOf({"", R"py(grid = [10]
[args]
x = { dtype = "fp32", shape = [10, 100], init = "randn", seed = 1 }
y = { dtype = "fp32", shape = [10], expected = "mean(x, axis=1)" })py",
                                        R"py(def k(x, y):
    row = tl.program_id(0)
    i = tl.arange(0, 128)
    v = tl.load(x + row * 100 + i, mask=i < 100, other=0.0)
    m, n = tl.reduce((v, tl.where(i < 100, 1.0, 0.0)), 0, merge)
    tl.store(y + row, m)


@triton.jit
def merge(ma, na, mb, nb):
    n = na + nb
    return ma + (mb - ma) * (nb / n), n
)py",
                                        "", ""}));
  CHECK(findingOf(run, compiler::DiagnosticKind::RunMismatch));
}
