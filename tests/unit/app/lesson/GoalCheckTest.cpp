// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/GoalCheck.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using compiler::AccessFacts;
using compiler::Diagnostic;
using compiler::DiagnosticKind;
using compiler::MemoryAction;
using compiler::Severity;

static LaunchOutcome compiledKernel() {
  LaunchOutcome outcome;
  outcome.isCompiled = true;
  outcome.text = "import triton\nimport triton.language as tl\n@triton.jit\ndef k(p):\n"
                 "  x = tl.load(p)\n  tl.store(p, tl.dot(x, x))\n  # tl.sum(x)\n"
                 "  z = \"tl.max(x)\"\n";
  outcome.grid = {4, 2, 1};
  outcome.memory.emplace();
  outcome.outputs.emplace();
  return outcome;
}

static Goal goalOf(GoalKind kind, std::string name = {}) {
  Goal goal;
  goal.kind = kind;
  goal.name = std::move(name);
  return goal;
}

static Goal atMost(GoalKind kind, double bound) {
  Goal goal = goalOf(kind);
  goal.atMost = bound;
  return goal;
}

static Goal atLeast(GoalKind kind, double bound) {
  Goal goal = goalOf(kind);
  goal.atLeast = bound;
  return goal;
}

static AccessFacts access(MemoryAction action, std::string argument, uint64_t requests,
                          uint64_t sectors) {
  AccessFacts facts;
  facts.action = action;
  facts.argument = std::move(argument);
  facts.vectorBytes = 4;
  facts.range = {{6, 2}, {6, 9}};
  facts.counts.requests = requests;
  facts.counts.sectors = sectors;
  facts.counts.bytesFetched = 32 * sectors;
  facts.counts.bytesUsed = 128 * requests;
  return facts;
}

TEST_CASE("A kernel that does not compile meets no goal, and the first error says why") {
  LaunchOutcome outcome = compiledKernel();
  outcome.isCompiled = false;
  Diagnostic error;
  error.kind = DiagnosticKind::UndefinedName;
  error.message = "`q` is not defined";
  error.range = {{3, 1}, {3, 2}};
  outcome.diagnostics = {error};
  const GoalState state = checkGoal(goalOf(GoalKind::Compiles), outcome);
  CHECK(state.verdict == GoalVerdict::NotMet);
  CHECK(state.evidence == "`q` is not defined");
  CHECK(state.place == error.range);
  CHECK(checkGoal(goalOf(GoalKind::DiagnosticAppears, "undefined-name"), outcome).verdict ==
        GoalVerdict::Met);
  CHECK(checkGoal(goalOf(GoalKind::DiagnosticGone, "undefined-name"), outcome).verdict ==
        GoalVerdict::NotMet);
}

TEST_CASE("What is wrong with the kernel is told before what is wrong with its launch") {
  LaunchOutcome outcome = compiledKernel();
  outcome.isCompiled = false;
  Diagnostic launch, syntax;
  launch.kind = DiagnosticKind::LaunchBlockInvalid;
  launch.message = "the launch block has no `grid`";
  outcome.diagnostics = {launch};
  CHECK(checkGoal(goalOf(GoalKind::Outputs), outcome).evidence == launch.message);
  syntax.message = "`(` was never closed";
  outcome.diagnostics.push_back(syntax);
  CHECK(checkGoal(goalOf(GoalKind::Outputs), outcome).evidence == syntax.message);
  CHECK(compileFault(outcome) == syntax.message);
  // A deleted text has no launch block either.
  outcome.text = "\n";
  outcome.diagnostics = {launch};
  CHECK(compileFault(outcome) == "the file is empty; \"Start over\" brings back the lesson's text");
  CHECK(checkGoal(goalOf(GoalKind::Compiles), outcome).evidence == compileFault(outcome));
}

TEST_CASE("What the programs of a wave read is counted once") {
  LaunchOutcome outcome = compiledKernel();
  Goal goal = atMost(GoalKind::WaveBytes, 1024);
  goal.programs = 2;
  CHECK(checkGoal(goal, outcome).verdict == GoalVerdict::NotMet);
  compiler::TouchTrace trace;
  trace.grid = {4, 1, 1};
  trace.programs = {0, 2, 1};
  trace.accesses = {{{}, "tt.load", true, false, false, 4}};
  trace.arguments = {{"x_ptr", 4096, {4, 64}, 4}};
  // Both programs read the first row, and one of them the second.
  for (const auto &[program, row] : {std::pair(0u, 0), std::pair(1u, 0), std::pair(1u, 1)})
    trace.runs.push_back({program, 0, 0, 1, 4096 + 256 * row, 0, {{64, 4}}});
  outcome.touches = trace;
  const GoalState state = checkGoal(goal, outcome);
  CHECK(state.verdict == GoalVerdict::Met);
  CHECK(state.evidence ==
        "2 programs read 768 B; 512 B of it is different: each byte is read 1.5 times");
  goal.atMost = 511;
  CHECK(checkGoal(goal, outcome).verdict == GoalVerdict::NotMet);
}

TEST_CASE("What the environment lacks leaves a goal unknown") {
  LaunchOutcome outcome = compiledKernel();
  CHECK(checkGoal(atMost(GoalKind::Registers, 32), outcome).verdict == GoalVerdict::Unknown);
  CHECK(checkGoal(atLeast(GoalKind::Occupancy, 0.5), outcome).verdict == GoalVerdict::Unknown);
  outcome.resources.registers = 40;
  CHECK(checkGoal(atMost(GoalKind::Registers, 32), outcome).verdict == GoalVerdict::NotMet);
  CHECK(checkGoal(atMost(GoalKind::Registers, 40), outcome).verdict == GoalVerdict::Met);
  outcome.failure = "the worker was stopped";
  CHECK(checkGoal(goalOf(GoalKind::Compiles), outcome) ==
        GoalState{GoalVerdict::Unknown, "the worker was stopped", {}});
}

TEST_CASE("Outputs are right, wrong, unwritten or not checked") {
  LaunchOutcome outcome = compiledKernel();
  const Goal goal = goalOf(GoalKind::Outputs);
  CHECK(checkGoal(goal, outcome).verdict == GoalVerdict::Unknown);
  profiler::OutputResult output;
  output.name = "out_ptr";
  output.comparison.emplace();
  outcome.outputs = {output};
  CHECK(checkGoal(goal, outcome).verdict == GoalVerdict::Met);
  output.comparison->mismatches = 3;
  output.comparison->firstMismatch = {1, 5};
  output.comparison->firstActual = 2;
  output.comparison->firstExpected = 2.5;
  outcome.outputs = {output};
  CHECK(checkGoal(goal, outcome).evidence ==
        "3 elements of `out_ptr` are wrong, the first at [1, 5]: 2 instead of 2.5");
  output.comparison->mismatches = 1;
  outcome.outputs = {output};
  CHECK(checkGoal(goal, outcome).evidence ==
        "one element of `out_ptr` is wrong, at [1, 5]: 2 instead of 2.5");
  output.neverWritten = 7;
  output.firstNeverWritten = {1, 5};
  outcome.outputs = {output};
  CHECK(checkGoal(goal, outcome).evidence ==
        "the kernel never writes 7 elements of `out_ptr`, the first at [1, 5]");
  outcome.outputs.reset();
  CHECK(checkGoal(goal, outcome).verdict == GoalVerdict::NotMet);
}

TEST_CASE("Wrong outputs name what the run found first, which is why") {
  LaunchOutcome outcome = compiledKernel();
  profiler::OutputResult output;
  output.name = "out_ptr";
  output.comparison.emplace();
  output.comparison->mismatches = 3;
  output.comparison->firstMismatch = {1, 5};
  output.comparison->firstActual = 2;
  output.comparison->firstExpected = 2.5;
  outcome.outputs = {output};
  Diagnostic outside;
  outside.kind = DiagnosticKind::RunAccessOutside;
  outside.message = "program 3 reads `x_ptr[1000]`, past its last element 999";
  outside.range = {{6, 2}, {6, 9}};
  outcome.diagnostics = {outside};
  const GoalState state = checkGoal(goalOf(GoalKind::Outputs), outcome);
  CHECK(state.verdict == GoalVerdict::NotMet);
  CHECK(state.evidence == "program 3 reads `x_ptr[1000]`, past its last element 999; 3 elements of "
                          "`out_ptr` are wrong, the first at [1, 5]: 2 instead of 2.5");
  CHECK(state.place == outside.range);
}

TEST_CASE("Results are not right with a fault of the run, unless another goal tells it") {
  LaunchOutcome outcome = compiledKernel();
  profiler::OutputResult output;
  output.name = "out_ptr";
  output.comparison.emplace();
  outcome.outputs = {output};
  Diagnostic outside;
  outside.kind = DiagnosticKind::RunAccessOutside;
  outside.message = "program 3 reads past the end";
  outcome.diagnostics = {outside};
  Goal goal = goalOf(GoalKind::Outputs);
  const GoalState state = checkGoal(goal, outcome);
  CHECK(state.verdict == GoalVerdict::NotMet);
  CHECK(state.evidence == "program 3 reads past the end");
  CHECK(state.isFaulty);
  goal.areFaultsToldApart = true;
  CHECK(checkGoal(goal, outcome).verdict == GoalVerdict::Met);
  CHECK(checkGoal(goalOf(GoalKind::NoFaults), outcome).isFaulty);
  // What was read there is part of the result.
  outcome.diagnostics[0].cause.outputs = {"out_ptr"};
  const GoalState chance = checkGoal(goal, outcome);
  CHECK(chance.verdict == GoalVerdict::NotMet);
  CHECK(chance.evidence == "`out_ptr` is as expected by chance: program 3 reads past the end");
}

TEST_CASE("A fault of the run is told, a difference in results is not one") {
  LaunchOutcome outcome = compiledKernel();
  Diagnostic mismatch;
  mismatch.kind = DiagnosticKind::RunMismatch;
  outcome.diagnostics = {mismatch};
  CHECK(checkGoal(goalOf(GoalKind::NoFaults), outcome).verdict == GoalVerdict::Met);
  Diagnostic outside;
  outside.kind = DiagnosticKind::RunAccessOutside;
  outside.message = "program 3 reads past the end";
  outcome.diagnostics.push_back(outside);
  CHECK(checkGoal(goalOf(GoalKind::NoFaults), outcome).evidence == "program 3 reads past the end");
}

TEST_CASE("Calls are found in code, not in comments or strings") {
  const LaunchOutcome outcome = compiledKernel();
  const GoalState dot = checkGoal(goalOf(GoalKind::Calls, "tl.dot"), outcome);
  CHECK(dot.verdict == GoalVerdict::Met);
  CHECK(dot.evidence == "line 6 calls `tl.dot`");
  CHECK(checkGoal(goalOf(GoalKind::Calls, "tl.sum"), outcome).verdict == GoalVerdict::NotMet);
  CHECK(checkGoal(goalOf(GoalKind::Avoids, "tl.max"), outcome).verdict == GoalVerdict::Met);
  CHECK(checkGoal(goalOf(GoalKind::Avoids, "tl.load"), outcome).verdict == GoalVerdict::NotMet);
  LaunchOutcome method = outcome;
  method.text += "  y = x.max()\n";
  CHECK(checkGoal(goalOf(GoalKind::Avoids, "tl.max"), method).verdict == GoalVerdict::NotMet);
  LaunchOutcome outside = outcome;
  outside.text += "\nprint(tl.sum(1))\n";
  CHECK(checkGoal(goalOf(GoalKind::Calls, "tl.sum"), outside).verdict == GoalVerdict::NotMet);
}

TEST_CASE("A call counts where the launched kernel makes something of it") {
  const std::string begin = "import triton\nimport triton.language as tl\n\n\n";
  const auto calls = [&](const std::string &text, const char *kernel = "k") {
    LaunchOutcome outcome = compiledKernel();
    outcome.text = begin + text;
    outcome.kernel = kernel;
    return checkGoal(goalOf(GoalKind::Calls, "tl.sum"), outcome).verdict == GoalVerdict::Met;
  };
  const std::string kernel = "@triton.jit\ndef k(p, q):\n    x = tl.load(p + tl.arange(0, 64))\n";
  CHECK(calls(kernel + "    tl.atomic_add(q, tl.sum(x))\n"));
  CHECK(calls(kernel + "    s = tl.sum(x)\n    t = s * 2\n    tl.store(q, t)\n"));
  CHECK(calls(kernel + "    t = 0.0\n    for i in range(4):\n        t += tl.sum(x)\n"
                       "    tl.store(q, t)\n"));
  CHECK(calls(kernel + "    if tl.sum(x) > 0:\n        tl.store(q, 1)\n"));
  // The same as a method.
  CHECK(calls(kernel + "    tl.atomic_add(q, x.sum())\n"));
  CHECK(calls(kernel + "    tl.atomic_add(q, (x * x).sum(axis=0))\n"));
  CHECK_FALSE(calls(kernel + "    tl.atomic_add(q, triton.sum(x))\n"));
  // Nothing is made of it.
  CHECK_FALSE(calls(kernel + "    unused = tl.sum(x)\n    tl.atomic_add(q, x)\n"));
  CHECK_FALSE(calls(kernel + "    tl.sum(x)\n    tl.atomic_add(q, x)\n"));
  CHECK_FALSE(calls(kernel + "    a = tl.sum(x)\n    b = a + 1\n    a = b\n    tl.store(p, x)\n"));
  // A function that the kernel calls, and one that it does not.
  const std::string helper = "@triton.jit\ndef total(x):\n    return tl.sum(x, axis=0)\n\n\n";
  CHECK(calls(helper + kernel + "    tl.store(q, total(x))\n"));
  CHECK_FALSE(calls(helper + kernel + "    tl.atomic_add(q, x)\n"));
  CHECK_FALSE(calls(helper + kernel + "    y = total(x)\n    tl.atomic_add(q, x)\n"));
  // Another kernel of the file is not the one that is launched.
  CHECK_FALSE(calls(kernel + "    tl.store(q, tl.sum(x))\n", "other"));
  LaunchOutcome unused = compiledKernel();
  unused.text = begin + kernel + "    s = tl.sum(x)\n    tl.atomic_add(q, x)\n";
  CHECK(checkGoal(goalOf(GoalKind::Calls, "tl.sum"), unused).evidence ==
        "line 8 calls `tl.sum`, but the kernel stores nothing of it");
}

TEST_CASE("The worst of the meant accesses decides") {
  LaunchOutcome outcome = compiledKernel();
  outcome.memory->accesses = {access(MemoryAction::GlobalLoad, "x_ptr", 10, 40),
                              access(MemoryAction::GlobalLoad, "x_ptr", 10, 320),
                              access(MemoryAction::GlobalStore, "y_ptr", 10, 160),
                              access(MemoryAction::SharedLoad, "", 10, 0)};
  Goal goal = atMost(GoalKind::SectorsPerRequest, 16);
  GoalState state = checkGoal(goal, outcome);
  CHECK(state.verdict == GoalVerdict::NotMet);
  CHECK(state.evidence == "the load of `x_ptr` in line 7 touches 32 sectors a request");
  CHECK(state.place == SourceRange{{6, 2}, {6, 9}});
  goal.accesses = {"", GoalAccesses::Direction::Store};
  CHECK(checkGoal(goal, outcome).verdict == GoalVerdict::Met);
  goal.accesses = {"z_ptr", GoalAccesses::Direction::Any};
  CHECK(checkGoal(goal, outcome).evidence == "the kernel does not access `z_ptr` in this way");
  Goal used = atLeast(GoalKind::BytesUsed, 0.5);
  CHECK(checkGoal(used, outcome).evidence ==
        "the load of `x_ptr` in line 7 uses 12.5 % of the sectors that it touches");
  CHECK(checkGoal(atMost(GoalKind::BytesMoved, 32 * 520), outcome).verdict == GoalVerdict::Met);
  CHECK(checkGoal(atMost(GoalKind::BytesMoved, 32 * 519), outcome).verdict == GoalVerdict::NotMet);
}

TEST_CASE("Conversions, conflicts and pipelines are counted") {
  LaunchOutcome outcome = compiledKernel();
  CHECK(checkGoal(atMost(GoalKind::Conversions, 0), outcome).verdict == GoalVerdict::Met);
  compiler::ConversionFacts conversion;
  conversion.wavefronts = 64;
  conversion.minimumWavefronts = 8;
  outcome.memory->conversions = {conversion};
  // What it moves is among the accesses, too.
  compiler::AccessFacts store;
  store.action = compiler::MemoryAction::SharedStore;
  store.counts.wavefronts = 64;
  store.counts.minimumWavefronts = 8;
  outcome.memory->accesses.push_back(store);
  CHECK(checkGoal(atMost(GoalKind::Conversions, 0), outcome).evidence == "1 layout conversion");
  Goal inLoops = atMost(GoalKind::Conversions, 0);
  inLoops.onlyInLoops = true;
  CHECK(checkGoal(inLoops, outcome).verdict == GoalVerdict::Met);
  CHECK(checkGoal(atMost(GoalKind::SharedConflicts, 1), outcome).evidence ==
        "64 wavefronts in shared memory, 8 would do");
  CHECK(checkGoal(atLeast(GoalKind::Pipelined, 2), outcome).evidence == "no loop is pipelined");
  compiler::PipelineFacts loop;
  loop.stages = 3;
  outcome.memory->pipelines = {loop};
  CHECK(checkGoal(atLeast(GoalKind::Pipelined, 3), outcome).verdict == GoalVerdict::Met);
}

TEST_CASE("Programs, tensor cores and hints are looked up") {
  LaunchOutcome outcome = compiledKernel();
  CHECK(checkGoal(atLeast(GoalKind::Programs, 8), outcome).verdict == GoalVerdict::Met);
  CHECK(checkGoal(atLeast(GoalKind::Programs, 9), outcome).evidence == "8 programs");
  CHECK(checkGoal(goalOf(GoalKind::TensorCores), outcome).verdict == GoalVerdict::NotMet);
  outcome.ptx = "  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {…}";
  CHECK(checkGoal(goalOf(GoalKind::TensorCores), outcome).evidence == "PTX has `mma.sync`");
  compiler::Hint hint;
  hint.kind = compiler::HintKind::NarrowAccess;
  hint.message = "this load moves 4 bytes";
  outcome.hints = {hint};
  CHECK(checkGoal(goalOf(GoalKind::HintGone, "narrow-access"), outcome).evidence ==
        "this load moves 4 bytes");
  CHECK(checkGoal(goalOf(GoalKind::HintGone, "bank-conflicts"), outcome).verdict ==
        GoalVerdict::Met);
}

TEST_CASE("A goal about time says whether it was measured or is the model's estimate") {
  LaunchOutcome outcome = compiledKernel();
  Goal goal = atMost(GoalKind::Time, 0.5);
  goal.baseline = 1;
  CHECK(checkGoal(goal, outcome).verdict == GoalVerdict::Unknown);
  TimedAgainst time;
  time.baseline = "`start.py`";
  time.missing = "not predicted: nothing says how often the loop goes round";
  outcome.times[1] = time;
  GoalState state = checkGoal(goal, outcome);
  CHECK(state.verdict == GoalVerdict::Unknown);
  CHECK(state.evidence == time.missing);

  time.missing.clear();
  time.device = "H100 SXM";
  time.us = 5.2;
  time.baselineUs = 12;
  time.share = 5.2 / 12;
  outcome.times[1] = time;
  state = checkGoal(goal, outcome);
  CHECK(state.verdict == GoalVerdict::Met);
  CHECK(state.evidence == "not measured; the model's estimate for the H100 SXM: 5.2 µs, which is "
                          "0.43 of the 12 µs of `start.py`");
  outcome.times[1].isFromPtx = true;
  outcome.times[1].missing = "it could not be measured: no device";
  CHECK(
      checkGoal(goal, outcome).evidence ==
      "not measured; the model's estimate from PTX for the H100 SXM: 5.2 µs, which is 0.43 of the "
      "12 µs of `start.py`; it could not be measured: no device");

  // The share is that of the measurement, which compares launches of the same round.
  outcome.times[1] = {"`start.py`", "NVIDIA H200", true, false, 6, 12, 0.51, {}};
  state = checkGoal(goal, outcome);
  CHECK(state.verdict == GoalVerdict::NotMet);
  CHECK(state.evidence ==
        "measured on the NVIDIA H200: 6.0 µs, which is 0.51 of the 12 µs of `start.py`");
  // Another goal has another baseline.
  goal.baseline = 0;
  CHECK(checkGoal(goal, outcome).verdict == GoalVerdict::Unknown);
}
