// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Races of programs that wait for each other: what makes that fail, and which outputs it decides.
#include "tests/unit/app/commands/Slips.h"

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::Diagnostic;
using compiler::DiagnosticKind;

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
  const LaunchRun random = runSlip(withLock("init = \"full\", value = 7", released));
  const Diagnostic *race = findingOf(random, DiagnosticKind::RunWriteRace);
  REQUIRE(race);
  CHECK(
      race->message.ends_with("which comes first is chance; `lock_ptr[0]` is 7 before the launch: "
                              "a lock begins at 0, as in `init = \"zeros\"`"));
  REQUIRE(race->fixes.size() == 1);
  CHECK(race->fixes.front().title == "let `lock_ptr` begin at 0: `init = \"zeros\"`");
  const LaunchRun taken = runSlip(withLock("init = \"ones\"", released));
  const Diagnostic *waiting = findingOf(taken, DiagnosticKind::RunStepLimit);
  REQUIRE(waiting);
  CHECK(waiting->message.find("; `lock_ptr[0]` is 1 before the launch") != std::string::npos);
  CHECK_FALSE(
      findingOf(runSlip(withLock("init = \"zeros\"", released)), DiagnosticKind::RunWriteRace));
}

TEST_CASE("A loop that ends while another program holds the lock is the cause of a race",
          "[app][slips]") {
  const auto waiting = [](const std::string &test, const std::string &release) {
    std::string text = withLock("init = \"zeros\"", release);
    const std::string right = "tl.atomic_cas(lock_ptr + r % 3, 0, 1) == 1";
    return text.replace(text.find(right), right.size(), test);
  };
  const auto check = [&](const std::string &test, const std::string &why, const std::string &code) {
    INFO(test);
    const LaunchRun run = runSlip(waiting(test, "    tl.atomic_xchg(lock_ptr + r % 3, 0)\n"));
    const Diagnostic *race = findingOf(run, DiagnosticKind::RunWriteRace);
    REQUIRE(race);
    CHECK(race->message.find("which comes first is chance; the loop in line 17 " + why) !=
          std::string::npos);
    CHECK(race->message.find("atomic_xchg") == std::string::npos);
    REQUIRE(race->fixes.size() == 1);
    CHECK(race->fixes.front().title == "write `" + code + "`");
  };
  const std::string holds = "ends while another program holds the lock: `";
  const std::string takes = "does not take the lock: `";
  const std::string right = "tl.atomic_cas(lock_ptr + r % 3, 0, 1) == 1";
  check("tl.atomic_cas(lock_ptr + r % 3, 0, 1) == 0", holds, right);
  check("tl.atomic_cas(lock_ptr + r % 3, 0, 1) != 1", holds, right);
  check("not (tl.atomic_cas(lock_ptr + r % 3, 0, 1) == 1)", holds, right);
  check("tl.atomic_cas(lock_ptr + r % 3, 1, 0) == 1", takes, right);
  check("tl.atomic_cas(lock_ptr + r % 3, val=0, cmp=1) == 1", takes,
        "tl.atomic_cas(lock_ptr + r % 3, val=1, cmp=0) == 1");
  // With a lock that is never free again, no loop is right.
  const LaunchRun kept = runSlip(waiting("tl.atomic_cas(lock_ptr + r % 3, 0, 1) == 0",
                                         "    tl.atomic_xchg(lock_ptr + r % 3, 1)\n"));
  for (const Diagnostic &each : kept.diagnostics)
    for (const compiler::DiagnosticFix &fix : each.fixes)
      CHECK(fix.title.find("atomic_cas") == std::string::npos);
}

TEST_CASE("A flag that is set before the launch is the cause of a race", "[app][slips]") {
  const LaunchRun run = runSlip(R"py(import triton
import triton.language as tl

# /// tilescope
# grid = [12]
# [args]
# s_ptr = { dtype = "fp32", shape = [12], init = "zeros" }
# flag_ptr = { dtype = "i32", shape = [12], init = "ones" }
# ///
@triton.jit
def k(s_ptr, flag_ptr):
    r = tl.program_id(0)
    before = 0.0
    if r > 0:
        while tl.atomic_add(flag_ptr + r - 1, 0) == 0:
            pass
        before = tl.load(s_ptr + r - 1)
    tl.store(s_ptr + r, before + r + 1)
    tl.atomic_xchg(flag_ptr + r, 1)
)py");
  const Diagnostic *race = findingOf(run, DiagnosticKind::RunWriteRace);
  REQUIRE(race);
  CHECK(
      race->message.ends_with("which comes first is chance; `flag_ptr[0]` is 1 before the launch: "
                              "what programs wait for begins at 0, as in `init = \"zeros\"`"));
  REQUIRE(race->fixes.size() == 1);
  CHECK(race->fixes.front().title == "let `flag_ptr` begin at 0: `init = \"zeros\"`");
}

TEST_CASE("A lock that nothing fills is to begin at 0", "[app][slips]") {
  const LaunchRun run =
      runSlip(withLock("init = \"empty\"", "    tl.atomic_xchg(lock_ptr + r % 3, 0)\n"));
  const Diagnostic *race = findingOf(run, DiagnosticKind::RunWriteRace);
  REQUIRE(race);
  CHECK(race->message.ends_with("; nothing fills `lock_ptr` before the launch: a lock begins at 0, "
                                "as in `init = \"zeros\"`"));
  REQUIRE(race->fixes.size() == 1);
  CHECK(race->fixes.front().title == "let `lock_ptr` begin at 0: `init = \"zeros\"`");
}

TEST_CASE("What a program stores for itself in front of a lock is not left to chance",
          "[app][slips]") {
  const LaunchRun run = runSlip(R"py(import triton
import triton.language as tl

# /// tilescope
# grid = [12]
# [args]
# x_ptr = { dtype = "fp32", shape = [12, 64], init = "randn", seed = 1 }
# y_ptr = { dtype = "fp32", shape = [12, 64], expected = "2 * x_ptr" }
# o_ptr = { dtype = "fp32", shape = [64], init = "zeros", expected = "sum(x_ptr, axis=0)" }
# p_ptr = { dtype = "fp32", shape = [64], init = "zeros", expected = "2 * sum(x_ptr, axis=0)" }
# lock_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# ///
@triton.jit
def k(x_ptr, y_ptr, o_ptr, p_ptr, lock_ptr):
    r = tl.program_id(0)
    i = tl.arange(0, 64)
    x = tl.load(x_ptr + r * 64 + i)
    tl.store(y_ptr + r * 64 + i, 2 * x)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    tl.store(o_ptr + i, tl.load(o_ptr + i) + x)
    tl.store(p_ptr + i, tl.load(p_ptr + i) + 2 * x)
    tl.atomic_xchg(lock_ptr, 0)
)py");
  const Diagnostic *race = findingOf(run, DiagnosticKind::RunWriteRace);
  REQUIRE(race);
  CHECK(race->message.starts_with("one thread executes this operation"));
  REQUIRE(run.measurement);
  for (const profiler::OutputResult &output : run.measurement->outputs)
    if (output.comparison) {
      INFO(output.name);
      CHECK(output.comparison->doubt ==
            (output.name == "y_ptr" ? profiler::MatchDoubt::None : profiler::MatchDoubt::Races));
    }
}
