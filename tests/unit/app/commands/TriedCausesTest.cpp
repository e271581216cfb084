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

/// Programs that add to one of three rows behind a lock, which begins with `init`.
static std::string withLock(const std::string &init, const std::string &release) {
  return R"py(import triton
import triton.language as tl

# /// tilescope
# grid = [12]
# [args]
# x_ptr = { dtype = "fp32", shape = [12, 64], init = "randn", seed = 1 }
# o_ptr = { dtype = "fp32", shape = [3, 64], init = "zeros" }
# lock_ptr = { dtype = "i32", shape = [3], )py" +
         init + R"py( }
# ///
@triton.jit
def k(x_ptr, o_ptr, lock_ptr):
    r = tl.program_id(0)
    i = tl.arange(0, 64)
    place = o_ptr + r % 3 * 64 + i
    x = tl.load(x_ptr + r * 64 + i)
    while tl.atomic_cas(lock_ptr + r % 3, 0, 1) == 1:
        pass
    tl.store(place, tl.load(place) + x)
    tl.debug_barrier()
)py" + release;
}

TEST_CASE("A lock that does not begin at 0 is the cause of a race, and of programs that wait",
          "[app]") {
  const std::string released = "    tl.atomic_xchg(lock_ptr + r % 3, 0)\n";
  const LaunchRun random = runText(withLock("init = \"full\", value = 7", released));
  const Diagnostic *race = firstOf(random, DiagnosticKind::RunWriteRace);
  REQUIRE(race);
  CHECK(
      race->message.ends_with("which comes first is chance; `lock_ptr[0]` is 7 before the launch: "
                              "a lock begins at 0, as in `init = \"zeros\"`"));
  REQUIRE(race->fixes.size() == 1);
  CHECK(race->fixes.front().title == "let `lock_ptr` begin at 0: `init = \"zeros\"`");
  const LaunchRun taken = runText(withLock("init = \"ones\"", released));
  const Diagnostic *waiting = firstOf(taken, DiagnosticKind::RunStepLimit);
  REQUIRE(waiting);
  CHECK(waiting->message.find("; `lock_ptr[0]` is 1 before the launch") != std::string::npos);
  // A lock that is not released by an atomic operation is at fault itself.
  const LaunchRun stored =
      runText(withLock("init = \"full\", value = 7", "    tl.store(lock_ptr + r % 3, 0)\n"));
  if (const Diagnostic *other = firstOf(stored, DiagnosticKind::RunWriteRace))
    CHECK(other->message.find("before the launch") == std::string::npos);
  CHECK_FALSE(
      firstOf(runText(withLock("init = \"zeros\"", released)), DiagnosticKind::RunWriteRace));
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
