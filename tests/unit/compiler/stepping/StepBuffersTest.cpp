// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What TTGIR keeps in shared memory, seen while it is stepped, and conditions in the IR's own names.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>

#include "SteppedFixture.h"

using namespace tilescope::compiler;
using Catch::Contains;
using Kernel = SteppedFixture::Kernel;

namespace {

/// Rows of 64 elements; a loop over the products of tiles of 32 × 16 and 16 × 32.
Kernel product() {
  return {"@triton.jit\n"
          "def k(a_ptr, b_ptr, out_ptr, n):\n"
          "    row = tl.arange(0, 32)\n"
          "    deep = tl.arange(0, 16)\n"
          "    acc = tl.zeros((32, 32), tl.float32)\n"
          "    for i in range(n):\n"
          "        a = tl.load(a_ptr + row[:, None] * 64 + (i * 16 + deep)[None, :])\n"
          "        b = tl.load(b_ptr + (i * 16 + deep)[:, None] * 64 + row[None, :])\n"
          "        acc = tl.dot(a, b, acc)\n"
          "    tl.store(out_ptr + row[:, None] * 64 + row[None, :], acc)\n",
          {{"a_ptr", "*fp32:16"}, {"b_ptr", "*fp32:16"}, {"out_ptr", "*fp32:16"}, {"n", "i32"}},
          {},
          {{"n", 4}},
          {1, 1, 1},
          StageId::Ttgir};
}

std::vector<StepValue> buffersOf(const StepState &state) {
  std::vector<StepValue> buffers;
  std::ranges::copy_if(state.values, std::back_inserter(buffers),
                       [](const StepValue &value) { return value.type.ends_with(" shared"); });
  return buffers;
}

/// Steps over the first copy, and names the buffer that it has filled.
std::string firstFilled(SteppedFixture &fixture) {
  StepState state = fixture.restart();
  while (!state.isAtEnd && !state.operation.starts_with("ttg.async_copy"))
    state = fixture.perform(StepAction::Over);
  REQUIRE_FALSE(state.isAtEnd);
  const std::vector<StepValue> buffers = buffersOf(fixture.perform(StepAction::Over));
  const auto filled = std::ranges::find_if(buffers, &StepValue::isChanged);
  REQUIRE(filled != buffers.end());
  return filled->ssa;
}

std::vector<float> floatsOf(const StepBlock &block) {
  std::vector<float> numbers(block.data.size() / sizeof(float));
  std::memcpy(numbers.data(), block.data.data(), block.data.size());
  return numbers;
}

} // namespace

TEST_CASE("buffers in shared memory are among the values of TTGIR", "[compiler][stepping]") {
  SteppedFixture fixture(product());
  fixture.command.byOperation = true;
  StepState state = fixture.restart();
  // In front of the first copy, nothing is there yet.
  CHECK(buffersOf(state).empty());
  while (!state.isAtEnd && !state.operation.starts_with("ttg.async_copy") &&
         state.operation != "ttg.local_store")
    state = fixture.perform(StepAction::Over);
  REQUIRE_FALSE(state.isAtEnd);
  REQUIRE_FALSE(buffersOf(state).empty());
  CHECK(buffersOf(state).front().preview == "all 0");
  CHECK(buffersOf(state).front().isBlock);
  const StepState before = state;
  state = fixture.perform(StepAction::Over);
  const std::vector<StepValue> after = buffersOf(state);
  const auto filled = std::ranges::find_if(after, &StepValue::isChanged);
  REQUIRE(filled != after.end());
  CHECK_THAT(filled->preview, Contains("[0, 0.125, 0.25, 0.375, …]"));
  CHECK(std::ranges::count_if(after, &StepValue::isChanged) == 1);
  // Undone, it is as it was.
  state = fixture.perform(StepAction::BackOver);
  CHECK(state.stageLine == before.stageLine);
  for (const StepValue &buffer : buffersOf(state))
    CHECK(buffer.preview == "all 0");
}

TEST_CASE("a buffer is shown as a picture, and has another version when it is filled again",
          "[compiler][stepping]") {
  SteppedFixture fixture(product());
  fixture.command.byOperation = true;
  fixture.command.sight.block = firstFilled(fixture);
  StepState state = fixture.perform(StepAction::Look);
  REQUIRE(state.block);
  const std::vector<int64_t> shape = state.block->shape;
  REQUIRE(shape.size() == 3);
  CHECK(shape[1] * shape[2] == 512);
  CHECK(state.block->dtype == "fp32");
  const std::vector<float> numbers = floatsOf(*state.block);
  REQUIRE(numbers.size() == static_cast<size_t>(shape[0]) * 512);
  // The first slot holds the first tile: rows of 64 elements, of which it has as many as are wide.
  for (int64_t r = 0; r < shape[1]; ++r)
    for (int64_t c = 0; c < shape[2]; ++c)
      CHECK(numbers[static_cast<size_t>(r * shape[2] + c)] ==
            static_cast<float>((r * 64 + c) % 97) / 8);
  CHECK(std::all_of(numbers.begin() + 512, numbers.end(), [](float n) { return n == 0; }));
  // Nothing is sent again while it stays.
  fixture.command.sight.blockVersion = state.block->version;
  state = fixture.perform(StepAction::Look);
  CHECK(state.block->data.empty());
  const uint64_t version = state.block->version;
  while (!state.isAtEnd && state.block->version == version)
    state = fixture.perform(StepAction::Over);
  REQUIRE_FALSE(state.isAtEnd);
  const std::vector<float> later = floatsOf(*state.block);
  CHECK(std::any_of(later.begin() + 512, later.end(), [](float n) { return n != 0; }));
}

TEST_CASE("buffers can be watched by their names in the IR", "[compiler][stepping]") {
  SteppedFixture fixture(product());
  fixture.command.byOperation = true;
  const std::string name = firstFilled(fixture);
  fixture.command.sight.watches = {"max(" + name + ")", "count(" + name + " > 0) % 2"};
  const StepState state = fixture.perform(StepAction::Look);
  REQUIRE(state.watches.size() == 2);
  CHECK_FALSE(state.watches[0].isError);
  CHECK(state.watches[0].text == "12");
  CHECK_FALSE(state.watches[1].isError);
}

TEST_CASE("a line of the IR stops where a condition over its values holds",
          "[compiler][stepping]") {
  for (const StageId stage : {StageId::Ttir, StageId::Ttgir}) {
    SteppedFixture fixture({"@triton.jit\n"
                            "def k(x_ptr, out_ptr, n):\n"
                            "    acc = tl.zeros((8,), tl.float32)\n"
                            "    for i in range(n):\n"
                            "        offs = i * 8 + tl.arange(0, 8)\n"
                            "        x = tl.load(x_ptr + offs)\n"
                            "        acc += x\n"
                            "    tl.store(out_ptr + tl.arange(0, 8), acc)\n",
                            {{"x_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"n", "i32"}},
                            {},
                            {{"n", 5}},
                            {1, 1, 1},
                            stage});
    fixture.command.byOperation = true;
    fixture.command.sight.allValues = true;
    StepState state = fixture.restart();
    while (!state.isAtEnd && state.operation != "tt.load")
      state = fixture.perform(StepAction::Over);
    REQUIRE_FALSE(state.isAtEnd);
    const auto offs = std::ranges::find(state.values, "offs", &StepValue::name);
    REQUIRE(offs != state.values.end());
    const std::string condition = "max(" + offs->ssa + ") % 100 >= 23";
    const auto line = static_cast<uint32_t>(state.stageLine);
    fixture.command.breakpoints = {{stage, line, condition}};
    state = fixture.perform(StepAction::Continue);
    CHECK(state.reason == "`" + condition + "` is true");
    CHECK(state.stageLine == static_cast<int32_t>(line));
    CHECK(SteppedFixture::preview(state, "i") == "2");
    // A name that the IR lacks is said to be none, where it would have stopped.
    fixture.command.breakpoints = {{stage, line, "any(%nothing)"}};
    state = fixture.perform(StepAction::Continue);
    CHECK(state.isFault);
    CHECK_THAT(state.reason, Contains("`%nothing` is not a value"));
  }
}
