// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a stopped program shows of elements that masked-off loads leave undefined.
#include <catch2/catch.hpp>

#include "SteppedFixture.h"

using namespace tilescope::compiler;
using Catch::EndsWith;

TEST_CASE("elements that a masked load leaves undefined are told apart", "[compiler][stepping]") {
  SteppedFixture fixture({R"(
@triton.jit
def k(x_ptr, out_ptr, n):
    offs = tl.program_id(0) * 8 + tl.arange(0, 8)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    z = x * 2.0
    tl.store(out_ptr + offs, z, mask=mask)
)",
                          {{"x_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"n", "i32"}},
                          {},
                          {{"n", 20}},
                          {3, 1, 1}});
  fixture.command.breakpoints = {breakAt(7)};
  fixture.command.sight = {0, false, {"x[5]", "x[2] - x[2]", "sum(x)", "x", "x > 1e9"}, "x", 0};
  fixture.restart({2, 0, 0});
  const StepState state = fixture.perform(StepAction::Continue);
  REQUIRE(state.block);
  CHECK(state.block->defined == std::string("\1\1\1\1\0\0\0\0", 8));
  // In lists, ranges and watches, too.
  CHECK_THAT(SteppedFixture::preview(state, "x"), EndsWith(", 4 undefined"));
  REQUIRE(state.watches.size() == 5);
  CHECK(state.watches[0].text == "undefined");
  CHECK(state.watches[1].text == "0");
  CHECK(state.watches[2].text == "undefined");
  CHECK(state.watches[3].text == SteppedFixture::preview(state, "x"));
  CHECK_THAT(state.watches[4].text, EndsWith("0 … 0, 4 undefined"));
}

TEST_CASE("a sum over undefined elements is undefined", "[compiler][stepping]") {
  SteppedFixture fixture({R"(
@triton.jit
def total(x_ptr, out_ptr, n):
    i = tl.arange(0, 8)
    v = tl.load(x_ptr + i, mask=i < n)
    w = v * v
    s = tl.sum(w)
    m = w > s
    tl.store(out_ptr, s)
)",
                          {{"x_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"n", "i32"}},
                          {},
                          {{"n", 5}}});
  fixture.command.breakpoints = {breakAt(9)};
  fixture.command.sight.watches = {"w[7]", "w[4] >= 0", "s", "count(w >= 0)"};
  fixture.restart();
  const StepState state = fixture.perform(StepAction::Continue);
  CHECK_THAT(SteppedFixture::preview(state, "w"), EndsWith(", 3 undefined"));
  CHECK(SteppedFixture::preview(state, "s") == "undefined");
  CHECK(SteppedFixture::preview(state, "m") == "all undefined");
  REQUIRE(state.watches.size() == 4);
  CHECK(state.watches[0].text == "undefined");
  CHECK(state.watches[1].text == "1");
  CHECK(state.watches[2].text == "undefined");
  CHECK(state.watches[3].text == "undefined");
}

TEST_CASE("watches of pointers tell what lies there", "[compiler][stepping]") {
  SteppedFixture fixture({R"(
@triton.jit
def k(x_ptr, out_ptr, n):
    offs = tl.program_id(0) * 8 + tl.arange(0, 8)
    p = x_ptr + offs
    x = tl.load(p, mask=offs < n)
    tl.store(out_ptr + offs, x, mask=offs < n)
)",
                          {{"x_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"n", "i32"}},
                          {},
                          {{"n", 8}}});
  fixture.command.breakpoints = {breakAt(7)};
  fixture.command.sight.watches = {"x_ptr[3]",
                                   "x_ptr + 3",
                                   "p",
                                   "x_ptr + 4096",
                                   "sum(tl.load(p))",
                                   "x_ptr[4096]",
                                   "tl.where(offs < n, x, 0.0)[2]"};
  fixture.restart();
  const StepState state = fixture.perform(StepAction::Continue);
  REQUIRE(state.watches.size() == 7);
  CHECK(state.watches[0].text == "0.375");
  CHECK(state.watches[1].text == "x_ptr[3] = 0.375");
  CHECK(state.watches[2].text ==
        "x_ptr [0, 1, 2, 3, …]  0 … 7  =  [0, 0.125, 0.25, 0.375, …]  0 … 0.875");
  CHECK(state.watches[3].text == "x_ptr[4096] is outside: `x_ptr` has 4096 elements");
  CHECK(state.watches[4].text == "3.5");
  CHECK(state.watches[5].isError);
  CHECK(state.watches[6].text == "0.25");
}
