// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A name is what the source has bound it to, whatever the IR makes of it.
#include <catch2/catch.hpp>

#include "SteppedFixture.h"

using namespace tilescope::compiler;
using Catch::Contains;
using Kernel = SteppedFixture::Kernel;

namespace {

Kernel named(std::string text, uint64_t n, std::map<std::string, std::string> constexprs = {}) {
  return {std::move(text),
          {{"x_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"n", "i32"}},
          std::move(constexprs),
          {{"n", n}},
          {1, 1, 1},
          StageId::Ttir,
          size_t{64} << 20,
          "k"};
}

/// Line and preview of a name at each stop from the beginning on, such as `4: 0`.
std::vector<std::string> followed(SteppedFixture &fixture, const std::string &name,
                                  StepAction action = StepAction::Over) {
  std::vector<std::string> seen;
  StepState state = fixture.restart();
  for (int i = 0; i < 100 && !state.isAtEnd; ++i) {
    seen.push_back(std::to_string(fixture.line(state)) + ": " +
                   SteppedFixture::preview(state, name));
    state = fixture.perform(action);
  }
  return seen;
}

} // namespace

TEST_CASE("a constant is a name's value from its line on", "[compiler][stepping]") {
  SteppedFixture fixture(named("@triton.jit\n"                   // 1
                               "def k(x_ptr, out_ptr, n):\n"     // 2
                               "    s = tl.load(x_ptr)\n"        // 3
                               "    for i in range(n):\n"        // 4
                               "        s += 1.0\n"              // 5
                               "    i = 0\n"                     // 6
                               "    while i < n:\n"              // 7
                               "        i = i + 1\n"             // 8
                               "    i = 7\n"                     // 9
                               "    tl.store(out_ptr, s + i)\n", // 10
                               2));
  CHECK(followed(fixture, "i") == std::vector<std::string>{"3: ", "4: ", "5: 0", "4: 0", "5: 1",
                                                           "4: 1", "6: 1", "7: 0", "8: 0", "7: 1",
                                                           "8: 1", "7: 2", "9: 2", "10: 7"});
}

TEST_CASE("names that are swapped, or are another's value, show it", "[compiler][stepping]") {
  SteppedFixture fixture(named("@triton.jit\n"                              // 1
                               "def k(x_ptr, out_ptr, n):\n"                // 2
                               "    i = tl.arange(0, 4)\n"                  // 3
                               "    x = tl.load(x_ptr + i)\n"               // 4
                               "    y = x + 1\n"                            // 5
                               "    a = x\n"                                // 6
                               "    x, y = y, x\n"                          // 7
                               "    a = y\n"                                // 8
                               "    d = x - y\n"                            // 9
                               "    flag = 0\n"                             // 10
                               "    if n > 3:\n"                            // 11
                               "        flag = 1\n"                         // 12
                               "    tl.store(out_ptr + i, d + a + flag)\n", // 13
                               5));
  fixture.command.sight.watches = {"max(x - y)", "a"};
  fixture.command.breakpoints = {breakAt(7)};
  fixture.restart();
  StepState state = fixture.perform(StepAction::Continue);
  CHECK(fixture.line(state) == 7);
  CHECK(state.watches[0].text == "-1");
  CHECK_THAT(SteppedFixture::preview(state, "a"), Contains("[0, 0.125, 0.25, 0.375]"));
  fixture.command.breakpoints = {};
  state = fixture.perform(StepAction::Over);
  CHECK(fixture.line(state) == 8);
  CHECK_THAT(SteppedFixture::preview(state, "x"), Contains("[1, 1.125, 1.25, 1.375]"));
  CHECK_THAT(SteppedFixture::preview(state, "y"), Contains("[0, 0.125, 0.25, 0.375]"));
  CHECK(state.watches[0].text == "1");
  CHECK_THAT(state.watches[1].text, Contains("[0, 0.125"));
  CHECK(followed(fixture, "flag") ==
        std::vector<std::string>{"3: ", "4: ", "5: ", "6: ", "7: ", "8: ", "9: ", "10: ", "11: 0",
                                 "12: 0", "13: 1"});
  // Conditions mean the same.
  fixture.command.breakpoints = {breakAt(13, "flag == 1")};
  fixture.restart();
  CHECK(fixture.perform(StepAction::Continue).reason == "`flag == 1` is true");
}

TEST_CASE("a name keeps its value when what it was is computed again", "[compiler][stepping]") {
  SteppedFixture fixture(named("@triton.jit\n"                        // 1
                               "def k(x_ptr, out_ptr, n):\n"          // 2
                               "    last = 0.0\n"                     // 3
                               "    s = 0.0\n"                        // 4
                               "    for i in range(n):\n"             // 5
                               "        x = tl.load(x_ptr + 8 * i)\n" // 6
                               "        s += last\n"                  // 7
                               "        last = x\n"                   // 8
                               "    tl.store(out_ptr, s)\n",          // 9
                               3));
  CHECK(followed(fixture, "last") ==
        std::vector<std::string>{"3: ", "4: 0", "5: 0", "6: 0", "7: 0", "8: 0", "5: 0", "6: 0",
                                 "7: 0", "8: 0", "5: 1", "6: 1", "7: 1", "8: 1", "5: 2", "9: 2"});
}

TEST_CASE("a call binds its parameters, and its names are those of this call",
          "[compiler][stepping]") {
  SteppedFixture fixture(named("@triton.jit\n"                             // 1
                               "def scaled(x, factor, K: tl.constexpr):\n" // 2
                               "    y = x * factor\n"                      // 3
                               "    z = y + K\n"                           // 4
                               "    return z\n"                            // 5
                               "\n"                                        // 6
                               "@triton.jit\n"                             // 7
                               "def k(x_ptr, out_ptr, n):\n"               // 8
                               "    s = tl.load(x_ptr + 8)\n"              // 9
                               "    for i in range(n):\n"                  // 10
                               "        s = scaled(s + i, 2.0, 3)\n"       // 11
                               "    tl.store(out_ptr, s)\n",               // 12
                               2));
  fixture.command.breakpoints = {breakAt(3)};
  fixture.restart();
  StepState state = fixture.perform(StepAction::Continue);
  // An expression that the caller has no name for.
  CHECK(SteppedFixture::preview(state, "x") == "1");
  CHECK(SteppedFixture::preview(state, "factor") == "2.0");
  CHECK(SteppedFixture::preview(state, "K") == "3");
  CHECK(SteppedFixture::preview(state, "y") == "");
  state = fixture.perform(StepAction::Over);
  CHECK(SteppedFixture::preview(state, "y") == "2");
  state = fixture.perform(StepAction::Continue);
  CHECK(fixture.line(state) == 3);
  CHECK(SteppedFixture::preview(state, "x") == "6");
  CHECK(SteppedFixture::preview(state, "y") == "");
  CHECK(SteppedFixture::preview(state, "z") == "");
}

TEST_CASE("what the compiler would drop is stepped through as it is written",
          "[compiler][stepping]") {
  SteppedFixture fixture(named("@triton.jit\n"               // 1
                               "def k(x_ptr, out_ptr, n):\n" // 2
                               "    s = tl.load(x_ptr)\n"    // 3
                               "    i = 0\n"                 // 4
                               "    while i < n:\n"          // 5
                               "        s = s * 1.0\n"       // 6
                               "        i += 1\n"            // 7
                               "    unused = s + 1\n"        // 8
                               "    tl.store(out_ptr, s)\n", // 9
                               1));
  CHECK(followed(fixture, "i") ==
        std::vector<std::string>{"3: ", "4: ", "5: 0", "6: 0", "7: 0", "5: 1", "8: 1", "9: 1"});
}

TEST_CASE("steps by operation are those of the text that is shown", "[compiler][stepping]") {
  SteppedFixture fixture(named("@triton.jit\n"
                               "def k(x_ptr, out_ptr, n):\n"
                               "    x = tl.load(x_ptr)\n"
                               "    a = x\n"
                               "    b = 3\n"
                               "    tl.store(out_ptr, a + b)\n",
                               1));
  fixture.command.byOperation = true;
  StepState state = fixture.restart();
  std::vector<std::string> operations;
  for (int i = 0; i < 20 && !state.isAtEnd; ++i) {
    operations.push_back(state.operation);
    CHECK(state.stageLine >= 0);
    state = fixture.perform(StepAction::Over);
  }
  CHECK(operations == std::vector<std::string>{"tt.load", "arith.addf", "tt.store"});
}

TEST_CASE("in TTGIR, a name that may have another value shows none", "[compiler][stepping]") {
  Kernel kernel = named("@triton.jit\n"                    // 1
                        "def k(x_ptr, out_ptr, n):\n"      // 2
                        "    i = tl.arange(0, 128)\n"      // 3
                        "    x = tl.load(x_ptr + i)\n"     // 4
                        "    y = tl.load(x_ptr + i + 1)\n" // 5
                        "    x, y = y, x\n"                // 6
                        "    d = x - y\n"                  // 7
                        "    tl.store(out_ptr + i, d)\n",  // 8
                        1);
  kernel.stage = StageId::Ttgir;
  SteppedFixture fixture(kernel);
  fixture.command.breakpoints = {breakAt(8)};
  fixture.restart();
  const StepState state = fixture.perform(StepAction::Continue);
  CHECK(SteppedFixture::preview(state, "x") == "");
  CHECK(SteppedFixture::preview(state, "y") == "");
  CHECK_THAT(SteppedFixture::preview(state, "d"), Contains("[0.125, 0.125, 0.125, 0.125, …]"));
}

TEST_CASE("names of compile time show what they are", "[compiler][stepping]") {
  SteppedFixture fixture(named("@triton.jit\n"                                    // 1
                               "def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):\n" // 2
                               "    HALF: tl.constexpr = BLOCK // 2\n"            // 3
                               "    pair = (n, 2)\n"                              // 4
                               "    i = tl.arange(0, HALF)\n"                     // 5
                               "    tl.store(out_ptr + i, i + pair[0])\n",        // 6
                               1, {{"BLOCK", "8"}}));
  fixture.command.breakpoints = {breakAt(6)};
  fixture.command.sight.watches = {"HALF + 1", "pair"};
  fixture.restart();
  const StepState state = fixture.perform(StepAction::Continue);
  CHECK(SteppedFixture::preview(state, "HALF") == "4");
  CHECK(state.watches[0].text == "5");
  CHECK(state.watches[1].isError);
  CHECK_THAT(state.watches[1].text, Contains("`pair` is not a number, but tuple"));
}

TEST_CASE("a variable that a loop hands on is called in the IR what holds it there",
          "[compiler][stepping]") {
  SteppedFixture fixture(named("@triton.jit\n"                            // 1
                               "def k(x_ptr, out_ptr, n):\n"              // 2
                               "    i = tl.arange(0, 4)\n"                // 3
                               "    m = tl.full([4], -1.0, tl.float32)\n" // 4
                               "    acc = tl.zeros([4], tl.float32)\n"    // 5
                               "    for j in range(n):\n"                 // 6
                               "        x = tl.load(x_ptr + i + j * 4)\n" // 7
                               "        m2 = tl.maximum(m, x)\n"          // 8
                               "        acc = acc + (m2 - m)\n"           // 9
                               "        m = m2\n"                         // 10
                               "    tl.store(out_ptr + i, acc + m)\n",    // 11
                               3));
  fixture.command.breakpoints = {breakAt(9)};
  fixture.restart();
  fixture.perform(StepAction::Continue);
  const StepState state = fixture.perform(StepAction::Continue);
  REQUIRE(fixture.line(state) == 9);
  const auto ssaOf = [&](const char *name) {
    const auto found = std::ranges::find(state.values, name, &StepValue::name);
    REQUIRE(found != state.values.end());
    return found->ssa;
  };
  CHECK_THAT(SteppedFixture::preview(state, "m"), Contains("[0, 0.125, 0.25, 0.375]"));
  CHECK_THAT(SteppedFixture::preview(state, "m2"), Contains("[0.5, 0.625, 0.75, 0.875]"));
  CHECK(ssaOf("m") == "%m");
  CHECK_THAT(ssaOf("m2"), Catch::StartsWith("%m2"));
  CHECK(ssaOf("m2") != ssaOf("m"));
}
