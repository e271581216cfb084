// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Programs that do not come to their ends: faults, endless loops, and grids that are stopped.
#include "tests/support/Sanitized.h"
#include "tests/unit/compiler/native/RunNative.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <thread>

using namespace tilescope;
using namespace tilescope::tests;

/// Program 5 stores to the address that it gets as a number.
static constexpr const char *kWild = R"(
tt.func public @k(%out: !tt.ptr<f32>, %where: i64) {
  %id = tt.get_program_id x : i32
  %five = arith.constant 5 : i32
  %one = arith.constant 1.0 : f32
  %isFive = arith.cmpi eq, %id, %five : i32
  scf.if %isFive {
    %wild = tt.int_to_ptr %where : i64 -> !tt.ptr<f32>
    tt.store %wild, %one : !tt.ptr<f32> loc("k.py":7:5)
  }
  %at = tt.addptr %out, %id : !tt.ptr<f32>, i32
  tt.store %at, %one : !tt.ptr<f32> loc("k.py":8:5)
  tt.return
}
)";

static constexpr const char *kEndless = R"(
tt.func public @k(%out: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  scf.while : () -> () {
    %seen = tt.load %out : !tt.ptr<i32>
    %goesOn = arith.cmpi eq, %seen, %zero : i32
    scf.condition(%goesOn)
  } do {
    tt.store %out, %zero : !tt.ptr<i32>
    scf.yield
  }
  tt.return
}
)";

TEST_CASE("a fault in native code names its program and its place", "[compiler][native]") {
  std::vector<float> out(64);
  const NativeRun run = runNative(kWild, {64, 1, 1}, {word(out), 8});
  REQUIRE(run.errors == "");
  CHECK_FALSE(run.completed);
  REQUIRE(run.fault);
  CHECK(run.fault->programId == std::array<int32_t, 3>{5, 0, 0});
  CHECK(run.fault->signal == SIGSEGV);
  REQUIRE_FALSE(run.fault->places.empty());
  CHECK(run.fault->places.front() == native::CodePlace{"k.py", 7, 5});

  // The next grid is as good as any.
  const NativeRun again = runNative(kWild, {64, 1, 1}, {word(out), word(out)});
  CHECK(again.completed);
  CHECK_FALSE(again.fault);
  CHECK(out == std::vector<float>(64, 1));
}

TEST_CASE("a program of several dimensions is named by all", "[compiler][native]") {
  std::vector<float> out(64);
  const NativeRun run = runNative(kWild, {6, 2, 2}, {word(out), 8}, {}, {.numThreads = 1});
  REQUIRE(run.fault);
  CHECK(run.fault->programId == std::array<int32_t, 3>{5, 0, 0});
}

TEST_CASE("a program that takes too long is stopped", "[compiler][native]") {
  if (tests::kDefersSignals)
    return;
  std::vector<int32_t> out(1);
  const NativeRun run = runNative(kEndless, {4, 1, 1}, {word(out)}, {},
                                  {.maxProgramDuration = std::chrono::milliseconds(100)});
  REQUIRE(run.errors == "");
  CHECK_FALSE(run.completed);
  REQUIRE(run.fault);
  CHECK(run.fault->signal == 0);
}

TEST_CASE("a grid is stopped inside its programs", "[compiler][native]") {
  if (tests::kDefersSignals)
    return;
  std::vector<int32_t> out(1);
  std::stop_source stop;
  std::jthread stopping([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.request_stop();
  });
  const NativeRun run = runNative(kEndless, {4, 1, 1}, {word(out)}, {}, {.stop = stop.get_token()});
  CHECK_FALSE(run.completed);
  CHECK_FALSE(run.fault);
}

/// Elements have to be smaller than the argument; programs mark that they came to their ends.
static constexpr const char *kAsserting = R"(
tt.func public @k(%out: !tt.ptr<i32>, %bound: i32) {
  %id = tt.get_program_id x : i32
  %two = arith.constant 2 : i32
  %isFirst = arith.cmpi ult, %id, %two : i32
  tt.assert %isFirst, "few programs" : i1
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %bounds = tt.splat %bound : i32 -> tensor<64xi32>
  %isSmall = arith.cmpi slt, %range, %bounds : tensor<64xi32>
  tt.assert %isSmall, "small" : tensor<64xi1>
  %at = tt.addptr %out, %id : !tt.ptr<i32>, i32
  %one = arith.constant 1 : i32
  tt.store %at, %one : !tt.ptr<i32>
  tt.return
}
)";

TEST_CASE("an assertion that does not hold ends its program, and no other", "[compiler][native]") {
  std::vector<int32_t> out(8);
  const NativeRun run = runNative(kAsserting, {8, 1, 1}, {word(out), 64});
  REQUIRE(run.errors == "");
  CHECK_FALSE(run.completed);
  CHECK_FALSE(run.fault);
  REQUIRE(run.assertions.size() == 1);
  CHECK(run.assertions[0].number == 0);
  CHECK(run.assertions[0].programId == std::array<int32_t, 3>{2, 0, 0});
  CHECK(run.assertions[0].numPrograms == 6);
  CHECK(out == std::vector<int32_t>{1, 1, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("the first element at which an assertion does not hold is told", "[compiler][native]") {
  for (const unsigned vectorBytes : {0U, 16U, 32U})
    for (const uint64_t bound : {0, 1, 31, 37, 63}) {
      std::vector<int32_t> out(2);
      const NativeRun run =
          runNative(kAsserting, {2, 1, 1}, {word(out), bound}, {.vectorBytes = vectorBytes});
      REQUIRE(run.assertions.size() == 1);
      CHECK(run.assertions[0].number == 1);
      CHECK(run.assertions[0].element == static_cast<int64_t>(bound));
      CHECK(run.assertions[0].programId == std::array<int32_t, 3>{0, 0, 0});
      CHECK(run.assertions[0].numPrograms == 2);
      CHECK(out == std::vector<int32_t>{0, 0});
    }
}
