// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where steps and breakpoints stop, and what is seen there.
#include <catch2/catch.hpp>

#include "SteppedFixture.h"

using namespace tilescope::compiler;
using Catch::Contains;
using Kernel = SteppedFixture::Kernel;

namespace {

/// Line numbers from 1, as in the text.
Kernel withHelper() {
  return {"@triton.jit\n"                                         // 1
          "def scaled(x, k):\n"                                   // 2
          "    y = x * k\n"                                       // 3
          "    return y + 1\n"                                    // 4
          "\n"                                                    // 5
          "@triton.jit\n"                                         // 6
          "def k(x_ptr, out_ptr, n):\n"                           // 7
          "    offs = tl.program_id(0) * 8 + tl.arange(0, 8)\n"   // 8
          "    mask = offs < n\n"                                 // 9
          "    x = tl.load(x_ptr + offs, mask=mask, other=0.0)\n" // 10
          "    z = scaled(x, 2.0)\n"                              // 11
          "    tl.store(out_ptr + offs, z, mask=mask)\n",         // 12
          {{"x_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"n", "i32"}},
          {},
          {{"n", 20}},
          {3, 1, 1},
          StageId::Ttir,
          size_t{64} << 20,
          "k"};
}

Kernel withLoop() {
  return {"@triton.jit\n"                                   // 1
          "def k(x_ptr, out_ptr, n):\n"                     // 2
          "    acc = tl.zeros((8,), tl.float32)\n"          // 3
          "    for i in range(n):\n"                        // 4
          "        offs = i * 8 + tl.arange(0, 8)\n"        // 5
          "        x = tl.load(x_ptr + offs)\n"             // 6
          "        acc += x\n"                              // 7
          "    tl.store(out_ptr + tl.arange(0, 8), acc)\n", // 8
          {{"x_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"n", "i32"}},
          {},
          {{"n", 5}},
          {2, 1, 1}};
}

/// The lines at which repeated steps stop, until the program ends.
std::vector<int> linesOf(SteppedFixture &fixture, StepAction action) {
  std::vector<int> lines;
  for (int i = 0; i < 100; ++i) {
    const StepState state = fixture.perform(action);
    if (state.isAtEnd || state.reason == "the program begins here")
      break;
    lines.push_back(fixture.line(state));
  }
  return lines;
}

} // namespace

TEST_CASE("step over goes from line to line of one function", "[compiler][stepping]") {
  SteppedFixture fixture(withHelper());
  const StepState first = fixture.restart();
  CHECK(fixture.line(first) == 8);
  CHECK(first.frames.front().function == "k");
  const std::vector<int> forward = linesOf(fixture, StepAction::Over);
  CHECK(forward == std::vector<int>{9, 10, 11, 12});
}

TEST_CASE("step into enters a called function, step out leaves it", "[compiler][stepping]") {
  SteppedFixture fixture(withHelper());
  fixture.restart();
  fixture.command.breakpoints = {breakAt(11)};
  StepState state = fixture.perform(StepAction::Continue);
  // In front of the call.
  CHECK(state.frames.size() == 1);
  CHECK(fixture.line(state) == 11);
  state = fixture.perform(StepAction::Into);
  CHECK(state.frames.size() == 2);
  CHECK(fixture.line(state) == 3);
  CHECK(fixture.line(state, 1) == 11);
  // Not the 2 that it is made of.
  CHECK(SteppedFixture::preview(state, "y") == "");
  CHECK(state.frames[0].function == "scaled");
  CHECK(state.frames[1].function == "k");
  state = fixture.perform(StepAction::Into);
  CHECK(fixture.line(state) == 4);
  CHECK(SteppedFixture::preview(state, "y") != "");
  // What was passed.
  CHECK_THAT(SteppedFixture::preview(state, "x"), Contains("[0, 0.125, 0.25, 0.375, …]"));
  CHECK(SteppedFixture::preview(state, "k") == "2.0");
  // Of the callee, the caller's variables are those of the outer function.
  CHECK(SteppedFixture::preview(state, "mask") == "");
  StepCommand outer = fixture.command;
  outer.sight.frame = 1;
  CHECK(SteppedFixture::preview(fixture.perform(outer), "mask") == "all true");
  state = fixture.perform(StepAction::Out);
  CHECK(fixture.line(state) == 12);
  // What the callee returns is the caller's variable; addresses and masks of its parts are not.
  CHECK_THAT(SteppedFixture::preview(state, "z"), Contains("[1, 1.25, 1.5, 1.75, …]"));
  CHECK_THAT(SteppedFixture::preview(state, "x"), Contains("[0, 0.125, 0.25, 0.375, …]"));
  CHECK(state.frames.size() == 1);
  state = fixture.perform(StepAction::BackInto);
  CHECK(fixture.line(state) == 4);
  state = fixture.perform(StepAction::BackOut);
  CHECK(state.frames.size() == 1);
  CHECK(fixture.line(state) == 11);
  CHECK(fixture.line(fixture.perform(StepAction::BackOver)) == 10);
}

TEST_CASE("steps back stop where steps forward did", "[compiler][stepping]") {
  for (const Kernel &kernel : {withHelper(), withLoop()})
    for (const auto &[forward, back] : {std::pair(StepAction::Over, StepAction::BackOver),
                                        std::pair(StepAction::Into, StepAction::BackInto)}) {
      SteppedFixture fixture(kernel);
      std::vector<int> lines{fixture.line(fixture.restart())};
      for (const int line : linesOf(fixture, forward))
        lines.push_back(line);
      std::vector<int> behind = linesOf(fixture, back);
      std::reverse(behind.begin(), behind.end());
      CHECK(behind == lines);
    }
}

TEST_CASE("a loop's line is reached in every iteration", "[compiler][stepping]") {
  SteppedFixture fixture(withLoop());
  fixture.restart();
  fixture.command.breakpoints = {breakAt(7)};
  for (int i = 0; i < 5; ++i) {
    const StepState state = fixture.perform(StepAction::Continue);
    CHECK(fixture.line(state) == 7);
    CHECK(SteppedFixture::preview(state, "i") == std::to_string(i));
  }
  CHECK(fixture.perform(StepAction::Continue).isAtEnd);
  for (int i = 4; i >= 0; --i) {
    const StepState state = fixture.perform(StepAction::ReverseContinue);
    CHECK(SteppedFixture::preview(state, "i") == std::to_string(i));
  }
  CHECK(fixture.perform(StepAction::ReverseContinue).reason == "the program begins here");
}

TEST_CASE("a breakpoint stops where its condition holds", "[compiler][stepping]") {
  SteppedFixture fixture(withLoop());
  fixture.restart();
  fixture.command.breakpoints = {breakAt(7, "i > 2")};
  StepState state = fixture.perform(StepAction::Continue);
  CHECK(SteppedFixture::preview(state, "i") == "3");
  CHECK(state.reason == "`i > 2` is true");
  fixture.command.breakpoints = {breakAt(7, "max(x) > 1000")};
  CHECK(fixture.perform(StepAction::Continue).isAtEnd);
  fixture.command.breakpoints = {breakAt(7, "unknown")};
  state = fixture.perform(StepAction::ReverseContinue);
  CHECK(state.isFault);
  CHECK_THAT(state.reason, Contains("`unknown` is not a value"));
}

TEST_CASE("a mask that is all false stops a program", "[compiler][stepping]") {
  Kernel kernel = withHelper();
  kernel.grid = {4, 1, 1};
  SteppedFixture fixture(kernel);
  fixture.command.breakpoints = {breakAt(10, "not any(mask)")};
  fixture.restart({2, 0, 0});
  CHECK(fixture.perform(StepAction::Continue).isAtEnd);
  fixture.restart({3, 0, 0});
  const StepState state = fixture.perform(StepAction::Continue);
  CHECK(fixture.line(state) == 10);
  CHECK(SteppedFixture::preview(state, "mask") == "all false");
}

TEST_CASE("a breakpoint on a line without code moves to the next one", "[compiler][stepping]") {
  SteppedFixture fixture(withHelper());
  fixture.command.breakpoints = {breakAt(7), breakAt(40)};
  const StepState state = fixture.restart();
  // Two lines of imports, counted from 0.
  CHECK(state.breakpointLines == std::vector<int32_t>{9, -1});
}

TEST_CASE("a breakpoint of one kernel does not stop another", "[compiler][stepping]") {
  SteppedFixture::Kernel kernel{"@triton.jit\n"
                                "def other(x_ptr):\n"
                                "    i = tl.arange(0, 8)\n"
                                "    # comment\n"
                                "    tl.store(x_ptr + i, 1.0)\n"
                                "\n"
                                "\n"
                                "@triton.jit\n"
                                "def k(x_ptr):\n"
                                "    # comment\n"
                                "    i = tl.arange(0, 8)\n"
                                "    tl.store(x_ptr + i, 2.0)\n",
                                {{"x_ptr", "*fp32"}}};
  kernel.kernel = "k";
  SteppedFixture fixture(kernel);
  fixture.command.breakpoints = {breakAt(4), breakAt(5), breakAt(10)};
  CHECK(fixture.restart().breakpointLines == std::vector<int32_t>{-1, -1, 12});
}

TEST_CASE("values are shown with their type and contents", "[compiler][stepping]") {
  SteppedFixture fixture(withHelper());
  fixture.command.breakpoints = {breakAt(11)};
  fixture.restart({2, 0, 0});
  fixture.command.sight.watches = {"max(offs)", "offs > n", "nothing"};
  fixture.command.sight.block = "offs";
  StepState state = fixture.perform(StepAction::Continue);
  CHECK(SteppedFixture::preview(state, "mask") == "4 of 8 true");
  CHECK(SteppedFixture::preview(state, "n") == "20");
  CHECK(SteppedFixture::preview(state, "x_ptr") == "x_ptr[0]");
  REQUIRE(state.watches.size() == 3);
  CHECK(state.watches[0].text == "23");
  CHECK_THAT(state.watches[1].text, Contains("0 … 1"));
  CHECK(state.watches[2].isError);
  REQUIRE(state.block);
  CHECK(state.block->type == "int32[8]");
  CHECK(state.block->shape == std::vector<int64_t>{8});
  CHECK(state.block->data.size() == 32);
  CHECK(state.block->data[0] == 16);
  // What the view has is not sent again.
  fixture.command.sight.blockVersion = state.block->version;
  state = fixture.perform(StepAction::Look);
  CHECK(state.block->data.empty());
}

TEST_CASE("a program stops in front of what goes wrong", "[compiler][stepping]") {
  Kernel kernel = withHelper();
  kernel.numElements = 12;
  SteppedFixture fixture(kernel);
  fixture.restart({1, 0, 0});
  StepState state = fixture.perform(StepAction::Continue);
  CHECK(state.isFault);
  CHECK_THAT(state.reason, Contains("`x_ptr[12…15]`"));
  CHECK(fixture.line(state) == 10);
  CHECK(state.operation == "tt.load");
  // It can be passed.
  state = fixture.perform(StepAction::Over);
  CHECK(state.frames.back().range.begin.line > 11);
  fixture.command.stopAtFindings = false;
  fixture.restart({1, 0, 0});
  CHECK(fixture.perform(StepAction::Continue).isAtEnd);
}

TEST_CASE("a program runs to where it writes an element", "[compiler][stepping]") {
  SteppedFixture fixture(withHelper());
  fixture.restart({1, 0, 0});
  StepCommand command;
  command.action = StepAction::RunToWrite;
  command.element = {"out_ptr", 10};
  StepState state = fixture.perform(command);
  CHECK(fixture.line(state) == 12);
  CHECK(state.operation == "tt.store");
  CHECK(state.reason == "this writes 3.5 to `out_ptr[10]`");
  CHECK(fixture.perform(StepAction::Look).reason == state.reason);
  // It has not been written yet.
  CHECK(fixture.arrays["out_ptr"][10] == 10.0f / 8);
  fixture.restart({1, 0, 0});
  command.element = {"out_ptr", 3};
  state = fixture.perform(command);
  CHECK(state.isAtEnd);
  CHECK_THAT(state.reason, Contains("does not write element 3"));
}

TEST_CASE("lines of TTIR and TTGIR stop programs, too", "[compiler][stepping]") {
  for (const StageId stage : {StageId::Ttir, StageId::Ttgir}) {
    Kernel kernel = withHelper();
    kernel.stage = stage;
    SteppedFixture fixture(kernel);
    StepState state = fixture.restart();
    CHECK(state.stage == stage);
    const int32_t begin = state.stageLine;
    fixture.command.byOperation = true;
    state = fixture.perform(StepAction::Over);
    CHECK(state.stageLine > begin);
    const int32_t second = state.stageLine;
    while (state.operation != "tt.store")
      state = fixture.perform(StepAction::Over);
    fixture.command.breakpoints = {{stage, static_cast<uint32_t>(second), ""}};
    state = fixture.perform(StepAction::ReverseContinue);
    CHECK(state.stageLine == second);
    state = fixture.perform(StepAction::Continue);
    CHECK(state.isAtEnd);
  }
}

TEST_CASE("programs that write one element race in any order", "[compiler][stepping]") {
  SteppedFixture fixture({"@triton.jit\n"
                          "def k(out_ptr):\n"
                          "    pid = tl.program_id(0)\n"
                          "    old = tl.load(out_ptr)\n"
                          "    tl.store(out_ptr, old + pid + 1)\n",
                          {{"out_ptr", "*fp32"}},
                          {},
                          {},
                          {2, 1, 1}});
  fixture.command.breakpoints = {breakAt(5)};
  fixture.restart();
  // Both have read before either writes.
  StepState state = fixture.perform(StepAction::Continue);
  CHECK(fixture.line(state) == 5);
  StepCommand other = fixture.command;
  other.action = StepAction::Choose;
  other.program = {1, 0, 0};
  fixture.perform(other);
  state = fixture.perform(StepAction::Continue);
  CHECK(state.program == std::array<int32_t, 3>{1, 0, 0});
  CHECK(state.underWay.size() == 2);
  CHECK(fixture.perform(StepAction::Continue).isAtEnd);
  CHECK(fixture.arrays["out_ptr"][0] == 2);
  other.program = {0, 0, 0};
  fixture.perform(other);
  state = fixture.perform(StepAction::Continue);
  CHECK(state.isFault);
  CHECK_THAT(state.reason, Contains("is written by program 0") && Contains("program 1"));
  fixture.perform(StepAction::Continue);
  CHECK(fixture.arrays["out_ptr"][0] == 1);
  // Back to before program 0 has read anything: what program 1 wrote is undone.
  fixture.command.breakpoints = {};
  fixture.perform(StepAction::ReverseContinue);
  CHECK(fixture.arrays["out_ptr"][0] == 0);
}

TEST_CASE("others run before a program as they are told to", "[compiler][stepping]") {
  SteppedFixture fixture({"@triton.jit\n"
                          "def k(out_ptr):\n"
                          "    old = tl.load(out_ptr)\n"
                          "    tl.store(out_ptr, old * 10 + tl.program_id(0))\n",
                          {{"out_ptr", "*fp32"}},
                          {},
                          {},
                          {4, 1, 1}});
  const auto before = [&](StepOrder order) {
    fixture.restart({2, 0, 0}, order);
    return fixture.arrays["out_ptr"][0];
  };
  CHECK(before(StepOrder::Alone) == 0);
  CHECK(before(StepOrder::Earlier) == 1);
  CHECK(before(StepOrder::Others) == 13);
  CHECK(before(StepOrder::OthersReversed) == 310);
}

TEST_CASE("a variable has a value only behind a line that assigns it", "[compiler][stepping]") {
  Kernel kernel = {"@triton.jit\n"                                        // 1
                   "def tile(ptr, r, n):\n"                               // 2
                   "    return tl.load(ptr + r, mask=r < n, other=0.0)\n" // 3
                   "\n"                                                   // 4
                   "@triton.jit\n"                                        // 5
                   "def k(x_ptr, out_ptr, n):\n"                          // 6
                   "    rm = tl.arange(0, 8)\n"                           // 7
                   "    acc = tl.zeros((8,), tl.float32)\n"               // 8
                   "    for i in range(n):\n"                             // 9
                   "        rk = i * 8 + rm\n"                            // 10
                   "        a = tile(x_ptr, rk, 20)\n"                    // 11
                   "        acc += a\n"                                   // 12
                   "    tl.store(out_ptr + rm, acc)\n",                   // 13
                   {{"x_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"n", "i32"}},
                   {},
                   {{"n", 5}},
                   {1, 1, 1},
                   StageId::Ttir,
                   size_t{64} << 20,
                   "k"};
  SteppedFixture fixture(kernel);
  StepState state = fixture.restart();
  CHECK(fixture.line(state) == 7);
  const auto preview = [&](const char *name) { return SteppedFixture::preview(state, name); };
  CHECK(preview("a").empty());
  CHECK(preview("acc").empty());
  // Also where a line has nothing to compute.
  state = fixture.perform(StepAction::Over);
  CHECK(fixture.line(state) == 8);
  CHECK(preview("acc").empty());
  state = fixture.perform(StepAction::Over);
  CHECK(fixture.line(state) == 9);
  CHECK(preview("acc") == "all 0");
  CHECK(preview("a").empty());
  const auto goTo = [&](int line) {
    for (int i = 0; i < 10 && fixture.line(state) != line; ++i)
      state = fixture.perform(StepAction::Over);
    REQUIRE(fixture.line(state) == line);
  };
  goTo(11);
  CHECK(preview("a").empty());
  CHECK_FALSE(preview("rk").empty());
  goTo(12);
  CHECK_THAT(preview("a"), Contains("0.125"));
  for (int i = 0; i < 20 && fixture.line(state) != 7; ++i)
    state = fixture.perform(StepAction::BackOver);
  CHECK(preview("a").empty());
  CHECK(preview("acc").empty());
}
