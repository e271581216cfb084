// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Causes that a run names since the kernel is right without them.
#include "app/commands/RunLaunch.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

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
