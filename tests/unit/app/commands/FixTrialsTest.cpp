// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Fixes that there was no time to try.
#include "app/commands/RunLaunch.h"
#include "compiler/artifacts/UntriedFixes.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using compiler::Diagnostic;
using compiler::DiagnosticKind;

/// Rows and columns are exchanged, so that `other` would only hide that.
static constexpr const char *kExchanged = R"py(import triton
import triton.language as tl

# /// tilescope
# grid = ["cdiv(h, B)", "cdiv(w, B)"]
# [sizes]
# h = 108
# w = 150
# [args]
# x = { dtype = "fp32", shape = ["h", "w"], init = "randn" }
# out = { dtype = "fp32", shape = ["w", "h"] }
# h = "h"
# w = "w"
# [constexprs]
# B = 64
# ///
@triton.jit
def transpose(x, out, h, w, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x + i[:, None] * w + j[None, :], mask=(i[:, None] < h) & (j[None, :] < w))
    tl.store(out + j[:, None] * h + i[None, :], v, mask=(j[:, None] < w) & (i[None, :] < h))
)py";

static Diagnostic findingAfter(std::chrono::milliseconds timeToTry) {
  compiler::WorkerClient worker(workerOptions());
  LaunchRequest request;
  request.input.path = "transpose.py";
  request.input.text = kExchanged;
  request.place.kind = RunPlace::Kind::Cpu;
  request.timeToTry = timeToTry;
  const LaunchRun run = runLaunch(worker, request);
  REQUIRE(run.measurement);
  const auto found =
      std::ranges::find(run.diagnostics, DiagnosticKind::RunUndefined, &Diagnostic::kind);
  REQUIRE(found != run.diagnostics.end());
  return *found;
}

TEST_CASE("a fix that there was no time to try is neither offered nor advised", "[app]") {
  const Diagnostic inTime = findingAfter(LaunchRequest().timeToTry);
  CHECK(inTime.fixes.empty());
  CHECK_FALSE(compiler::hasUntriedFixes(inTime));
  const Diagnostic untried = findingAfter(std::chrono::milliseconds(1));
  CHECK(untried.fixes.empty());
  CHECK(compiler::hasUntriedFixes(untried));
  // Both say what was found, and no more.
  CHECK(untried.message == inTime.message);
}
