// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Causes that a run names since the kernel is right without them.
#include "app/commands/RunLaunch.h"

#include <catch2/catch.hpp>
using namespace tilescope;
using namespace tilescope::app;
using compiler::Diagnostic;
using compiler::DiagnosticKind;

static LaunchRun runText(const std::string &text) {
  compiler::WorkerClient worker(workerOptions());
  LaunchRequest request;
  request.input.path = "k.py";
  request.input.text = text;
  request.place.kind = RunPlace::Kind::Cpu;
  return runLaunch(worker, request);
}

static const Diagnostic *firstOf(const LaunchRun &run, DiagnosticKind kind) {
  const auto found = std::ranges::find(run.diagnostics, kind, &Diagnostic::kind);
  return found == run.diagnostics.end() ? nullptr : &*found;
}

/// A file with a launch of an 80 by 80 matrix in blocks of 32, whose kernel ends with `lines`.
static std::string squareWith(const std::string &expected, const std::string &lines) {
  return R"py(import triton
import triton.language as tl

# /// tilescope
# grid = ["cdiv(n, B)", "cdiv(n, B)"]
# [sizes]
# n = 80
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn", seed = 1 }
# y_ptr = { dtype = "fp32", shape = ["n"], init = "randn", seed = 2 }
# o_ptr = { dtype = "fp32", shape = ["n", "n"], expected = ")py" +
         expected + R"py(" }
# n = "n"
# [constexprs]
# B = 32
# ///
@triton.jit
def k(x_ptr, y_ptr, o_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.program_id(1) * B + tl.arange(0, B)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.load(y_ptr + j, mask=j < n)
    mask = (i < n)[:, None] & (j < n)[None, :]
)py" + lines;
}

TEST_CASE("Rows that are combined where a matrix is stored get their axes", "[app]") {
  const std::string store = "    tl.store(o_ptr + i[:, None] * n + j[None, :], ";
  const LaunchRun run =
      runText(squareWith("x_ptr[:, None] * y_ptr[None, :]", store + "x * y, mask=mask)\n"));
  const Diagnostic *mismatch = firstOf(run, DiagnosticKind::RunMismatch);
  REQUIRE(mismatch);
  REQUIRE(mismatch->fixes.size() == 1);
  CHECK(mismatch->fixes.front().title == "write `x[:, None] * y[None, :]`");
  // What is undefined beyond the masks comes of the same.
  const Diagnostic *undefined = firstOf(run, DiagnosticKind::RunUndefined);
  REQUIRE(undefined);
  CHECK(undefined->fixes == mismatch->fixes);
  for (const std::string &note : undefined->notes)
    CHECK(note.find("the wrong axis") == std::string::npos);
  // One of them alone beside a matrix.
  const LaunchRun single =
      runText(squareWith("x_ptr[:, None] + 2 * y_ptr[None, :]",
                         "    two = 2 * y[None, :]\n" + store + "x + two, mask=mask)\n"));
  const Diagnostic *rows = firstOf(single, DiagnosticKind::RunMismatch);
  REQUIRE(rows);
  REQUIRE(rows->fixes.size() == 1);
  CHECK(rows->fixes.front().title == "write `x[:, None]`");
}

TEST_CASE("A wrong distance of rows is why a kernel reads outside, where it mends the result",
          "[app]") {
  const LaunchRun run = runText(R"py(import triton
import triton.language as tl

# /// tilescope
# grid = ["M"]
# [sizes]
# M = 40
# N = 25
# [args]
# x_ptr = { dtype = "fp32", shape = ["M", "N"], init = "randn", seed = 1 }
# o_ptr = { dtype = "fp32", shape = ["M", "N"], expected = "2 * x_ptr" }
# N = "N"
# [constexprs]
# B = 32
# ///
@triton.jit
def k(x_ptr, o_ptr, N, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    x = tl.load(x_ptr + row * B + i, mask=i < N, other=0.0)
    tl.store(o_ptr + row * N + i, 2 * x, mask=i < N)
)py");
  const Diagnostic *outside = firstOf(run, DiagnosticKind::RunAccessOutside);
  REQUIRE(outside);
  REQUIRE_FALSE(outside->fixes.empty());
  CHECK(outside->fixes.front().title == "write `N` for `B` in line 20");
  CHECK(outside->message.ends_with("; write `N` for `B` in line 20"));
  CHECK(std::ranges::find(outside->labels,
                          "rows of `x_ptr` lie `N` elements apart, which is 25, not 32",
                          &compiler::DiagnosticLabel::message) != outside->labels.end());
}

/// A product of matrices with a loop that begins with `head` and ends with `sum`.
static std::string productWith(const std::string &head, const std::string &sum) {
  return R"py(import triton
import triton.language as tl

# /// tilescope
# grid = ["cdiv(M, B)", "cdiv(N, B)"]
# [sizes]
# M = 40
# N = 70
# K = 50
# [args]
# a_ptr = { dtype = "fp32", shape = ["M", "K"], init = "randn", seed = 1 }
# b_ptr = { dtype = "fp32", shape = ["K", "N"], init = "randn", seed = 2 }
# c_ptr = { dtype = "fp32", shape = ["M", "N"], expected = "a_ptr @ b_ptr" }
# [constexprs]
# B = 32
# ///
@triton.jit
def k(a_ptr, b_ptr, c_ptr, M, N, K, B: tl.constexpr):
    m = tl.program_id(0) * B + tl.arange(0, B)
    n = tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros((B, B), dtype=tl.float32)
)py" + head +
         R"py(        r = k + tl.arange(0, B)
        a = tl.load(a_ptr + m[:, None] * K + r[None, :], mask=(m[:, None] < M) & (r[None, :] < K), other=0.0)
        b = tl.load(b_ptr + r[:, None] * N + n[None, :], mask=(r[:, None] < K) & (n[None, :] < N), other=0.0)
)py" + sum +
         R"py(    tl.store(c_ptr + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))
)py";
}

static std::string onlyFixOf(const LaunchRun &run) {
  const Diagnostic *mismatch = firstOf(run, DiagnosticKind::RunMismatch);
  if (!mismatch || mismatch->fixes.size() != 1 || mismatch->labels.empty())
    return "";
  return mismatch->fixes.front().title;
}

TEST_CASE("Slips in loops of products are named with what mends them", "[app]") {
  const std::string steps = "    for k in range(0, K, B):\n",
                    adds = "        acc += tl.dot(a, b)\n";
  CHECK(onlyFixOf(runText(productWith(steps, "        acc = tl.dot(a, b)\n"))) ==
        "write `acc += …`");
  CHECK(onlyFixOf(runText(productWith("    for k in range(K):\n", adds))) ==
        "write `range(0, K, B)`");
  CHECK(onlyFixOf(runText(productWith(steps, "        acc += a * b\n"))) == "write `tl.dot(a, b)`");
  // Of another mistake, none of it is said.
  const LaunchRun other = runText(productWith(steps, "        acc = tl.dot(a, b) + 1\n"));
  const Diagnostic *mismatch = firstOf(other, DiagnosticKind::RunMismatch);
  REQUIRE(mismatch);
  CHECK(mismatch->fixes.empty());
  CHECK(mismatch->labels.empty());
  CHECK_FALSE(firstOf(runText(productWith(steps, adds)), DiagnosticKind::RunMismatch));
}

TEST_CASE("A row that begins at its number, and not at a multiple of its length, is named",
          "[app]") {
  const LaunchRun run = runText(R"py(import triton
import triton.language as tl

# /// tilescope
# grid = ["n_rows"]
# [sizes]
# n_rows = 50
# n_cols = 100
# [args]
# x_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 1 }
# o_ptr = { dtype = "fp32", shape = ["n_rows"], expected = "sum(x_ptr, axis=1)" }
# n_cols = "n_cols"
# [constexprs]
# B = 128
# ///
@triton.jit
def k(x_ptr, o_ptr, n_cols, B: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, B)
    x = tl.load(x_ptr + row + cols, mask=cols < n_cols, other=0.0)
    tl.store(o_ptr + row, tl.sum(x, axis=0))
)py");
  CHECK(onlyFixOf(run) == "write `row * n_cols`");
}

/// Programs that add to one array in turns; each looks with `look` whether it is its turn.
static std::string inTurns(const std::string &look) {
  return R"py(import triton
import triton.language as tl

# /// tilescope
# grid = [4]
# [args]
# o_ptr = { dtype = "fp32", shape = [64], init = "zeros", expected = "10" }
# flag_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# ///
@triton.jit
def k(o_ptr, flag_ptr):
    p = tl.program_id(0)
    i = tl.arange(0, 64)
    x = i * 0.0 + p + 1
    while )py" +
         look + R"py( != p:
        pass
    if p > 0:
        x += tl.load(o_ptr + i)
    tl.store(o_ptr + i, x)
    tl.debug_barrier()
    tl.atomic_xchg(flag_ptr, p + 1)
)py";
}

TEST_CASE("What programs look at each other with is named where it orders nothing", "[app]") {
  const LaunchRun relaxed = runText(inTurns("tl.atomic_add(flag_ptr, 0, sem=\"relaxed\")"));
  const Diagnostic *race = firstOf(relaxed, DiagnosticKind::RunWriteRace);
  REQUIRE(race);
  for (const Diagnostic &each : relaxed.diagnostics)
    if (each.kind == DiagnosticKind::RunWriteRace)
      CHECK(each.message.find("orders nothing, with `sem=\"relaxed\"`") != std::string::npos);
  CHECK_FALSE(
      firstOf(runText(inTurns("tl.atomic_add(flag_ptr, 0)")), DiagnosticKind::RunWriteRace));
  // A volatile load orders as little, which many kernels get away with: a note, and no finding.
  const LaunchRun polled = runText(inTurns("tl.load(flag_ptr, volatile=True)"));
  REQUIRE(polled.measurement);
  CHECK(std::ranges::any_of(polled.measurement->notes, [](const std::string &note) {
    return note.starts_with("line 15: `volatile=True` orders nothing");
  }));
}

TEST_CASE("A sum that each turn of a loop rounds to bf16 matches with a note of what that costs",
          "[app]") {
  const std::string steps = "    for k in range(0, K, B):\n";
  const auto isNoted = [](const LaunchRun &run) {
    return run.measurement &&
           std::ranges::any_of(run.measurement->notes, [](const std::string &note) {
             return note.starts_with(
                 "`c_ptr` matches as far as sums in bf16 go; with sums in fp32");
           });
  };
  // Of factors that fp32 holds with all their bits.
  const auto ofBf16 = [&](const std::string &sum) {
    std::string text = productWith(steps, sum);
    for (const char *factor : {"a_ptr", "b_ptr"})
      text.replace(text.find("fp32", text.find(std::string("# ") + factor)), 4, "bf16");
    return text;
  };
  CHECK(
      isNoted(runText(ofBf16("        acc = tl.dot(a, b, acc).to(tl.bfloat16).to(tl.float32)\n"))));
  CHECK_FALSE(isNoted(runText(ofBf16("        acc = tl.dot(a, b, acc)\n"))));
}
