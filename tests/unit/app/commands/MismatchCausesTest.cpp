// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a run says of why outputs differ, with the fixes that it has tried.
#include "app/commands/RunLaunch.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using compiler::Diagnostic;
using compiler::DiagnosticKind;

/// A file with a launch block of one size, `N`, and a kernel `k(x_ptr, o_ptr, N, B)` of blocks of 128.
static std::string fileWith(const std::string &arguments, const std::string &body) {
  return "import triton\nimport triton.language as tl\n\n# /// tilescope\n"
         "# grid = [\"cdiv(N, B)\"]\n# [sizes]\n# N = 1000\n# [args]\n" +
         arguments + "# N = \"N\"\n# [constexprs]\n# B = \"128\"\n# ///\n" +
         "@triton.jit\ndef k(x_ptr, o_ptr, N, B: tl.constexpr):\n" + body;
}

static LaunchRun run(const std::string &text) {
  compiler::WorkerClient worker(workerOptions());
  LaunchRequest request;
  request.input.path = "k.py";
  request.input.text = text;
  request.place.kind = RunPlace::Kind::Cpu;
  LaunchRun done = runLaunch(worker, request);
  REQUIRE(done.measurement);
  return done;
}

static const Diagnostic *foundIn(const LaunchRun &run, DiagnosticKind kind) {
  const auto found = std::ranges::find(run.diagnostics, kind, &Diagnostic::kind);
  return found == run.diagnostics.end() ? nullptr : &*found;
}

static std::vector<std::string> titlesOf(const Diagnostic &finding) {
  std::vector<std::string> titles;
  for (const compiler::DiagnosticFix &fix : finding.fixes)
    titles.push_back(fix.title);
  return titles;
}

static bool hasLabel(const Diagnostic &finding, const std::string &message) {
  return std::ranges::find(finding.labels, message, &compiler::DiagnosticLabel::message) !=
         finding.labels.end();
}

static const std::string kFloats =
    "# x_ptr = { dtype = \"fp32\", shape = [\"N\"], init = \"randn\" }\n";

TEST_CASE("a product that wraps around is named, and widened", "[app]") {
  const LaunchRun wrapped = run(fileWith(
      kFloats +
          "# o_ptr = { dtype = \"fp32\", shape = [\"N\"], expected = \"arange(N) * 3000000.0\" }\n",
      "    o = tl.program_id(0) * B + tl.arange(0, B)\n"
      "    big = o * 3000000\n"
      "    tl.store(o_ptr + o, big.to(tl.float32), mask=o < N)\n"));
  const Diagnostic *mismatch = foundIn(wrapped, DiagnosticKind::RunMismatch);
  REQUIRE(mismatch);
  CHECK(hasLabel(*mismatch, "`o * 3000000` exceeds what 32 bits hold here, and wraps around"));
  CHECK(titlesOf(*mismatch) == std::vector<std::string>{"write `o.to(tl.int64)`"});
}

TEST_CASE("numbers too large for fp16 are named where they become infinite", "[app]") {
  const LaunchRun infinite = run(fileWith(
      kFloats + "# o_ptr = { dtype = \"fp32\", shape = [\"N\"], expected = \"x_ptr * 120000\" }\n",
      "    o = tl.program_id(0) * B + tl.arange(0, B)\n"
      "    x = tl.load(x_ptr + o, mask=o < N)\n"
      "    y = (x * 30000).to(tl.float16) * 4\n"
      "    tl.store(o_ptr + o, y, mask=o < N)\n"));
  const Diagnostic *mismatch = foundIn(infinite, DiagnosticKind::RunMismatch);
  REQUIRE(mismatch);
  CHECK(hasLabel(*mismatch, "numbers that are too large for `tl.float16` become infinite here"));
  CHECK(titlesOf(*mismatch) == std::vector<std::string>{"write `tl.float32`"});
}

TEST_CASE("values for which a histogram has no bin are named", "[app]") {
  const std::string values =
      "# x_ptr = { dtype = \"int32\", shape = [\"N\"], init = \"randint\", low = 0, high = 20 }\n";
  const std::string kernel = "    o = tl.program_id(0) * B + tl.arange(0, B)\n"
                             "    x = tl.load(x_ptr + o, mask=o < N, other=-1)\n"
                             "    h = tl.histogram(x, 16, mask=o < N)\n"
                             "    tl.atomic_add(o_ptr + tl.arange(0, 16), h)\n";
  const auto expecting = [&](const std::string &expected) {
    return run(fileWith(values +
                            "# o_ptr = { dtype = \"int32\", shape = [16], init = \"zeros\", "
                            "expected = \"" +
                            expected + "\" }\n",
                        kernel));
  };
  const LaunchRun clipped =
      expecting("sum(minimum(x_ptr, 15)[None, :] == arange(16)[:, None], axis=1)");
  const Diagnostic *mismatch = foundIn(clipped, DiagnosticKind::RunMismatch);
  REQUIRE(mismatch);
  CHECK(hasLabel(*mismatch, "`tl.histogram` does not count values for which it has no bin, and "
                            "there are such"));
  CHECK_FALSE(foundIn(expecting("sum(x_ptr[None, :] == arange(16)[:, None], axis=1)"),
                      DiagnosticKind::RunMismatch));
}

TEST_CASE("a hash that wraps around is not why something else differs", "[app]") {
  const LaunchRun hashed = run(fileWith(
      kFloats + "# o_ptr = { dtype = \"fp32\", shape = [\"N\"], expected = \"2 * x_ptr\" }\n",
      "    o = tl.program_id(0) * B + tl.arange(0, B)\n"
      "    h = (o * 747796405 + 1) & 0\n"
      "    x = tl.load(x_ptr + o, mask=o < N)\n"
      "    tl.store(o_ptr + o, 3 * x + h, mask=o < N)\n"));
  const Diagnostic *mismatch = foundIn(hashed, DiagnosticKind::RunMismatch);
  REQUIRE(mismatch);
  CHECK(mismatch->labels.empty());
  CHECK(mismatch->fixes.empty());
}

TEST_CASE("a fix is offered although what is expected is so of the launch's own sizes alone",
          "[app]") {
  const LaunchRun done = run(fileWith(
      kFloats + "# o_ptr = { dtype = \"fp32\", shape = [\"N\"], expected = \"x_ptr + 1000\" }\n",
      "    o = tl.program_id(0) * B + tl.arange(0, B)\n"
      "    x = tl.load(x_ptr + o, mask=o < N, other=0.0)\n"
      "    w = tl.load(x_ptr + o, mask=o < N)\n"
      "    tl.store(o_ptr + o, x + 0.0 * tl.sum(x * w) + N, mask=o < N)\n"));
  const Diagnostic *undefined = foundIn(done, DiagnosticKind::RunUndefined);
  REQUIRE(undefined);
  CHECK(titlesOf(*undefined) == std::vector<std::string>{"add `other=0.0` to the load of `w`"});
}

/// Rows of 32 by a block of 32 columns.
static std::string rowsWith(const std::string &divisor) {
  return R"py(import triton
import triton.language as tl

# /// tilescope
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [32, 32], init = "rand" }
# o_ptr = { dtype = "fp32", shape = [32, 32], expected = "x_ptr / sum(x_ptr, axis=1, keepdims=True)" }
# [constexprs]
# B = 32
# ///
@triton.jit
def k(x_ptr, o_ptr, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i[:, None] * B + i[None, :])
    s = tl.sum(x, axis=1)
    tl.store(o_ptr + i[:, None] * B + i[None, :], x / )py" +
         divisor + ")\n";
}

TEST_CASE("a number for each row that is combined along the columns gets its axis", "[app]") {
  for (const char *divisor : {"s", "tl.sum(x, axis=1)"}) {
    const LaunchRun done = run(rowsWith(divisor));
    const Diagnostic *mismatch = foundIn(done, DiagnosticKind::RunMismatch);
    REQUIRE(mismatch);
    CHECK(titlesOf(*mismatch) ==
          std::vector<std::string>{"write `" + std::string(divisor) + "[:, None]`"});
    CHECK(hasLabel(*mismatch, "`" + std::string(divisor) +
                                  "` has an element for each row, but is combined along the last "
                                  "axis, which happens to be as long"));
  }
  CHECK_FALSE(foundIn(run(rowsWith("s[:, None]")), DiagnosticKind::RunMismatch));
  // Another mistake.
  const LaunchRun other = run(rowsWith("(2 * s[:, None])"));
  REQUIRE(foundIn(other, DiagnosticKind::RunMismatch));
  CHECK(foundIn(other, DiagnosticKind::RunMismatch)->labels.empty());
}

TEST_CASE("a block that ends before the rows do is named", "[app]") {
  const LaunchRun done = run(R"py(import triton
import triton.language as tl

# /// tilescope
# grid = ["M"]
# [sizes]
# M = 5
# N = 48
# [args]
# x_ptr = { dtype = "fp32", shape = ["M", "N"], init = "rand" }
# o_ptr = { dtype = "fp32", shape = ["M", "N"], expected = "x_ptr / sum(x_ptr, axis=1, keepdims=True)" }
# N = "N"
# [constexprs]
# B = "32"
# ///
@triton.jit
def k(x_ptr, o_ptr, N, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + tl.program_id(0) * N + i, mask=i < N, other=0.0)
    tl.store(o_ptr + tl.program_id(0) * N + i, x / tl.sum(x), mask=i < N)
)py");
  const Diagnostic *mismatch = foundIn(done, DiagnosticKind::RunMismatch);
  REQUIRE(mismatch);
  CHECK(titlesOf(*mismatch) == std::vector<std::string>{"write `B = 64`"});
  CHECK(std::ranges::find(mismatch->notes,
                          "`B` is 32: a block ends there, and no program goes on behind it; for 48 "
                          "it takes 64") != mismatch->notes.end());
}

TEST_CASE("a descriptor with exchanged axes is named", "[app]") {
  const LaunchRun done = run(R"py(import triton
import triton.language as tl

# /// tilescope
# grid = ["cdiv(M, 16)"]
# [sizes]
# M = 48
# N = 32
# [args]
# x_ptr = { dtype = "fp32", shape = ["M", "N"], init = "rand" }
# o_ptr = { dtype = "fp32", shape = ["M", "N"], expected = "2 * x_ptr" }
# M = "M"
# N = "N"
# ///
@triton.jit
def k(x_ptr, o_ptr, M, N):
    x = tl.make_tensor_descriptor(x_ptr, shape=[N, M], strides=[N, 1], block_shape=[16, 32])
    o = tl.make_tensor_descriptor(o_ptr, shape=[M, N], strides=[N, 1], block_shape=[16, 32])
    i = tl.program_id(0) * 16
    o.store([i, 0], 2 * x.load([i, 0]))
)py");
  const Diagnostic *mismatch = foundIn(done, DiagnosticKind::RunMismatch);
  REQUIRE(mismatch);
  CHECK(titlesOf(*mismatch) == std::vector<std::string>{"write `M, N`"});
  CHECK(hasLabel(*mismatch, "`x_ptr` has the shape [48, 32] in the launch block, not [32, 48]"));
}
