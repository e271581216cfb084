// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Integers that are unsigned in the source: their types, values, watches and conditions.
#include <catch2/catch.hpp>

#include "SteppedFixture.h"

using namespace tilescope::compiler;
using Kernel = SteppedFixture::Kernel;

namespace {

/// The first four bytes of the array are 0. Line numbers from 1, as in the text.
Kernel withBytes(StageId stage) {
  Kernel kernel{"from helpers import raised\n"                       // 1
                "@triton.jit\n"                                      // 2
                "def k(x_ptr, out_ptr, n):\n"                        // 3
                "    p = x_ptr + tl.arange(0, 4)\n"                  // 4
                "    x = tl.load(p)\n"                               // 5
                "    y = x + 200\n"                                  // 6
                "    wide = y.to(tl.int32) - 300\n"                  // 7
                "    half = y >> 1\n"                                // 8
                "    total = tl.sum(y, axis=0)\n"                    // 9
                "    acc = y\n"                                      // 10
                "    for i in range(n):\n"                           // 11
                "        acc += 10\n"                                // 12
                "    z = raised(y)\n"                                // 13
                "    tl.store(out_ptr + tl.arange(0, 4), z + acc)\n" // 14
                "    tl.store(out_ptr + tl.arange(0, 4), wide + half + total)\n",
                {{"x_ptr", "*u8"}, {"out_ptr", "*i32"}, {"n", "i32"}},
                {},
                {{"n", 3}},
                {1, 1, 1},
                stage};
  kernel.kernel = "k";
  kernel.others = {{"helpers.py", "@triton.jit\n"
                                  "def raised(v):\n"
                                  "    w = v + 30\n"
                                  "    u = w * 3\n"
                                  "    return u\n"}};
  return kernel;
}

std::string typeOf(const StepState &state, const std::string &name) {
  for (const StepValue &value : state.values)
    if (value.name == name)
      return value.type;
  return {};
}

} // namespace

TEST_CASE("values are unsigned where those of the source are", "[compiler][stepping]") {
  for (const StageId stage : {StageId::Ttir, StageId::Ttgir}) {
    INFO(stageName(stage));
    SteppedFixture fixture(withBytes(stage));
    fixture.restart();
    fixture.command.breakpoints = {breakAt(14)};
    fixture.command.sight.watches = {"max(y)", "y >> 4", "min(half)"};
    fixture.command.sight.block = "y";
    const StepState state = fixture.perform(StepAction::Continue);
    REQUIRE(fixture.line(state) == 14);
    const auto check = [&](const char *name, const char *type, const char *preview) {
      INFO(name);
      CHECK(typeOf(state, name) == type);
      CHECK(SteppedFixture::preview(state, name) == preview);
    };
    check("x", "uint8[4]", "all 0");
    check("y", "uint8[4]", "all 200");
    check("wide", "int32[4]", "all -100");
    check("half", "uint8[4]", "all 100");
    check("total", "uint32", "800");
    check("acc", "uint8[4]", "all 230");
    check("z", "uint8[4]", "all 178");
    CHECK(typeOf(state, "p") == "pointer<uint8>[4]");
    CHECK(typeOf(state, "x_ptr") == "pointer<uint8>");
    CHECK(typeOf(state, "n") == "int32");
    CHECK(state.watches[0].text == "200");
    CHECK(state.watches[1].text == "all 12");
    CHECK(state.watches[2].text == "100");
    REQUIRE(state.block);
    CHECK(state.block->dtype == "u8");
    CHECK(state.block->type == "uint8[4]");
  }
}

TEST_CASE("conditions and called functions see unsigned values", "[compiler][stepping]") {
  SteppedFixture fixture(withBytes(StageId::Ttir));
  fixture.restart();
  fixture.command.breakpoints = {breakAt(12, "any(acc > 215)")};
  StepState state = fixture.perform(StepAction::Continue);
  CHECK(fixture.line(state) == 12);
  CHECK(SteppedFixture::preview(state, "acc") == "all 220");
  fixture.command.breakpoints = {breakAt(13)};
  fixture.perform(StepAction::Continue);
  fixture.perform(StepAction::Into);
  state = fixture.perform(StepAction::Over);
  REQUIRE(state.frames.front().function == "raised");
  CHECK(typeOf(state, "v") == "uint8[4]");
  CHECK(typeOf(state, "w") == "uint8[4]");
  CHECK(SteppedFixture::preview(state, "w") == "all 230");
}

TEST_CASE("stepping to the cursor's line says so", "[compiler][stepping]") {
  SteppedFixture fixture(withBytes(StageId::Ttir));
  fixture.restart();
  StepCommand command = fixture.command;
  command.action = StepAction::RunTo;
  command.line = breakAt(6);
  CHECK(fixture.perform(command).reason == "cursor in line 8");
  command.action = StepAction::Restart;
  fixture.perform(command);
  fixture.command.breakpoints = {breakAt(6)};
  CHECK(fixture.perform(StepAction::Continue).reason == "breakpoint in line 8");
}
