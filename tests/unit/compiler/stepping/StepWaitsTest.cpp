// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Programs that wait for others: the others work meanwhile, or it is said that none can help.
#include <algorithm>
#include <catch2/catch.hpp>

#include "SteppedFixture.h"

using namespace tilescope::compiler;
using Kernel = SteppedFixture::Kernel;

/// A barrier over the grid, in lines 6 and 7, behind which a program reads what its neighbor has left.
static const std::string kBarrier = R"(@triton.jit
def k(data_ptr, count_ptr, out_ptr):
    pid = tl.program_id(0)
    tl.store(data_ptr + pid, pid + 0.5)
    tl.atomic_add(count_ptr, 1.0)
    while tl.atomic_add(count_ptr, 0.0) < 4.0:
        pass
    x = tl.load(data_ptr + (pid + 1) % 4)
    tl.store(out_ptr + pid, x)
)";

static Kernel kernelOf(const std::string &text) {
  return {text,
          {{"data_ptr", "*fp32"}, {"count_ptr", "*fp32"}, {"out_ptr", "*fp32"}},
          {},
          {},
          {4, 1, 1}};
}

/// Presses until it is at another line.
static StepState leaveLine(SteppedFixture &fixture, StepAction action, int mostPresses) {
  StepState state = fixture.perform(StepAction::Look);
  const int line = fixture.line(state);
  for (int i = 0; i < mostPresses && !state.isAtEnd && fixture.line(state) == line; ++i)
    state = fixture.perform(action);
  return state;
}

static StepState stepTo(SteppedFixture &fixture, int line) {
  StepState state = fixture.perform(StepAction::Look);
  while (!state.isAtEnd && fixture.line(state) < line)
    state = fixture.perform(StepAction::Over);
  return state;
}

TEST_CASE("the others work while a program waits at a barrier over the grid",
          "[compiler][stepping]") {
  for (const int32_t program : {0, 2}) {
    SteppedFixture fixture(kernelOf(kBarrier));
    fixture.restart({program, 0, 0});
    REQUIRE(fixture.line(stepTo(fixture, 6)) == 6);
    const std::string before = fixture.digest();
    // Once around the loop, and once more.
    StepState state = leaveLine(fixture, StepAction::Over, 2);
    CHECK(fixture.line(state) == 8);
    CHECK_FALSE(state.isFault);
    CHECK(state.reason == "program " + std::to_string(program) +
                              " waited in line 8: meanwhile 3 other programs, from program " +
                              (program == 0 ? "1" : "0") +
                              " to program 3, have worked until it went on; a step back undoes "
                              "that, too");
    CHECK(state.program == std::array<int32_t, 3>{program, 0, 0});
    CHECK(fixture.arrays["count_ptr"].front() == 4);
    // Neither the looks nor the programs in between are in the way back.
    state = fixture.perform(StepAction::BackOver);
    CHECK(fixture.line(state) == 6);
    state = leaveLine(fixture, StepAction::BackOver, 2);
    CHECK(fixture.line(state) == 5);
    CHECK(fixture.arrays["count_ptr"].front() == 0);
    stepTo(fixture, 6);
    CHECK(fixture.digest() == before);
  }
}

TEST_CASE("a program runs on through a barrier, to its end or to a breakpoint",
          "[compiler][stepping]") {
  SteppedFixture fixture(kernelOf(kBarrier));
  fixture.restart({1, 0, 0});
  CHECK(fixture.perform(StepAction::Continue).isAtEnd);
  CHECK(fixture.arrays["out_ptr"][1] == 2.5);
  fixture.command.breakpoints = {breakAt(8)};
  fixture.restart({1, 0, 0});
  const StepState state = fixture.perform(StepAction::Continue);
  CHECK(fixture.line(state) == 8);
  CHECK(state.reason == "breakpoint in line 10");
}

TEST_CASE("a program that counts its looks waits, too", "[compiler][stepping]") {
  std::string text = kBarrier;
  text.replace(text.find("    while"), 5, "    i = 0\n    w");
  text.replace(text.find("        pass"), 12, "        i += 1");
  SteppedFixture fixture(kernelOf(text));
  fixture.restart({3, 0, 0});
  CHECK(fixture.perform(StepAction::Continue).isAtEnd);
  CHECK(fixture.arrays["out_ptr"][3] == 0.5);
}

TEST_CASE("that nobody writes what a program waits for is said", "[compiler][stepping]") {
  // Also where the others wait for the same, or for the program that waits.
  for (const std::string &who : {"pid == 1", "pid > 0", "pid >= 0"}) {
    std::string text = kBarrier;
    text.replace(text.find("    while"), 0, "    if " + who + ":\n");
    text.replace(text.find("    while"), 9, "        while");
    text.replace(text.find("        pass"), 12, "            pass");
    text.replace(text.find("< 4.0"), 5, "< 5.0");
    SteppedFixture fixture(kernelOf(text));
    fixture.restart({1, 0, 0});
    const StepState state = fixture.perform(StepAction::Continue);
    INFO(who);
    CHECK(fixture.line(state) == 7);
    CHECK(state.isFault);
    CHECK(state.reason.starts_with("program 1 waits in line 9 for a value that no other program "
                                   "writes: all of them have ended, or wait, too"));
  }
}

TEST_CASE("what a program loads again and again is not a wait if its own values change",
          "[compiler][stepping]") {
  // Others would store to what it loads.
  SteppedFixture fixture(kernelOf(R"(@triton.jit
def k(data_ptr, count_ptr, out_ptr):
    pid = tl.program_id(0)
    x = 0.0
    for i in range(200):
        x += tl.load(data_ptr + 1)
    tl.store(data_ptr + pid, x)
)"));
  fixture.restart({2, 0, 0});
  CHECK(fixture.perform(StepAction::Continue).isAtEnd);
  CHECK(fixture.arrays["data_ptr"][1] == 0.125);
  CHECK(fixture.arrays["data_ptr"][2] == 25);
}

TEST_CASE("after all others, those that wait for the chosen program are held, and help it",
          "[compiler][stepping]") {
  std::string text = kBarrier;
  text += R"(    tl.atomic_add(count_ptr, 1.0)
    while tl.atomic_add(count_ptr, 0.0) < 8.0:
        pass
    tl.store(out_ptr + 4 + pid, tl.load(out_ptr + (pid + 1) % 4))
)";
  for (const StepOrder order : {StepOrder::Others, StepOrder::OthersReversed, StepOrder::Earlier}) {
    SteppedFixture fixture(kernelOf(text));
    StepState state = fixture.restart({3, 0, 0}, order);
    CHECK(state.findings.empty());
    CHECK(fixture.line(state) == 3);
    CHECK(state.underWay.size() == 4);
    CHECK(fixture.arrays["count_ptr"].front() == 3);
    const std::string before = fixture.digest();
    // Nobody runs twice.
    state = fixture.perform(StepAction::Continue);
    CHECK(state.isAtEnd);
    CHECK_FALSE(state.isFault);
    CHECK(fixture.arrays["count_ptr"].front() == 8);
    CHECK(fixture.arrays["out_ptr"][3] == 0.5);
    CHECK(fixture.arrays["out_ptr"][7] == 1.5);
    // Back to where the others wait.
    while (fixture.line(state) > 3 && !state.reason.starts_with("the program begins"))
      state = fixture.perform(StepAction::BackOver);
    CHECK(fixture.line(state) == 3);
    CHECK(fixture.digest() == before);
    // What they have computed can be looked at.
    StepCommand choose = fixture.command;
    choose.action = StepAction::Choose;
    choose.program = {1, 0, 0};
    state = fixture.perform(choose);
    CHECK(fixture.preview(state, "pid") == "1");
    CHECK(fixture.line(state) >= 6);
    CHECK(fixture.line(state) <= 7);
  }
}

TEST_CASE("before the chosen program, others go on when what they wait for was done",
          "[compiler][stepping]") {
  // Each waits for the one before it.
  SteppedFixture fixture(kernelOf(R"(@triton.jit
def k(data_ptr, count_ptr, out_ptr):
    pid = tl.program_id(0)
    while tl.atomic_add(count_ptr, 0.0) < pid:
        pass
    tl.store(out_ptr + pid, pid + 0.5)
    tl.atomic_add(count_ptr, 1.0)
)"));
  StepState state = fixture.restart({3, 0, 0}, StepOrder::OthersReversed);
  CHECK(state.findings.empty());
  CHECK(state.underWay.size() == 1);
  CHECK(fixture.arrays["count_ptr"].front() == 3);
  CHECK(fixture.perform(StepAction::Continue).isAtEnd);
  CHECK(fixture.arrays["out_ptr"][3] == 3.5);
  state = fixture.restart({1, 0, 0}, StepOrder::Others);
  CHECK(state.findings.empty());
  CHECK(state.underWay.size() == 3);
  CHECK(fixture.arrays["count_ptr"].front() == 1);
  CHECK(fixture.perform(StepAction::Continue).isAtEnd);
  CHECK(fixture.arrays["count_ptr"].front() == 2);
}
