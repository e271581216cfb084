// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/CollectExecutions.h"

#include "tests/unit/profiler/collect/FakeCudaDriver.h"
#include "tests/unit/profiler/collect/FakeProfilers.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::profiler;
using namespace tilescope::profiler::test;

/// In an order of their own, as CUPTI's.
static std::vector<InstructionRecord> recorded() {
  return {{"scale", 32, "smsp__sass_inst_executed", 40},
          {"scale", 16, "smsp__sass_thread_inst_executed", 1280},
          {"scale", 16, "smsp__sass_sectors_mem_global", 320},
          {"other", 16, "smsp__sass_inst_executed", 7},
          {"scale", 16, "smsp__sass_inst_executed", 40},
          {"scale", 16, "smsp__sass_thread_inst_executed_pred_on", 960},
          {"scale", 16, "smsp__sass_sectors_mem_global_ideal", 160},
          {"scale", 32, "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", 80},
          {"scale", 32, "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal", 0},
          {"scale", 32, "smsp__sass_of_a_later_version", 5}};
}

TEST_CASE("records are summed by instruction of the kernel", "[profiler]") {
  const ExecutionData data = sumExecutions(recorded(), "scale");
  REQUIRE(data.instructions.size() == 2);
  CHECK(data.instructions[0] ==
        InstructionExecutions{16, {40, 1280, 960, 320, 160, std::nullopt, std::nullopt}});
  CHECK(data.instructions[1] ==
        InstructionExecutions{32, {40, 0, 0, std::nullopt, std::nullopt, 80, 0}});
  CHECK(data.instructions[0].counts.shareOff() == Approx(0.25));
  CHECK(sumExecutions(recorded(), "none").instructions.empty());
}

TEST_CASE("one launch on fresh data is counted, and nothing besides it", "[profiler]") {
  FakeCudaDriver driver;
  FakeInstructionCounter counter;
  counter.records = recorded();
  const auto collected = collectExecutions(driver, counter, profiledPackage(), RunOptions());
  REQUIRE(collected);
  REQUIRE(*collected);
  CHECK((**collected).instructions.size() == 2);
  CHECK(counter.refusals.log == std::vector<std::string>{"open", "start", "take", "close"});
  CHECK(driver.launches.size() == 1);
  CHECK(counter.asked.size() == 7);
  // No cache needs to be cold for counts.
  CHECK(driver.flushes == 0);
}

TEST_CASE("whatever call of the counter refuses, its reason is returned", "[profiler]") {
  for (const char *call : {"open", "start", "take"})
    for (const RefusalKind kind : {RefusalKind::NotPermitted, RefusalKind::DeviceUnsupported,
                                   RefusalKind::OutOfMemory, RefusalKind::Busy}) {
      FakeCudaDriver driver;
      FakeInstructionCounter counter;
      counter.records = recorded();
      counter.refusals.byCall[call] = {1, {kind, "cuptiSassX failed: words"}};
      const auto collected = collectExecutions(driver, counter, profiledPackage(), RunOptions());
      INFO(call);
      REQUIRE(collected);
      REQUIRE_FALSE(*collected);
      CHECK(collected->refusal().kind == kind);
      CHECK(collected->refusal().words == "cuptiSassX failed: words");
    }
}

TEST_CASE("counts of none of the kernel's instructions are refused, not shown as zero",
          "[profiler]") {
  FakeCudaDriver driver;
  FakeInstructionCounter counter;
  counter.records = {{"other", 16, "smsp__sass_inst_executed", 7}};
  const auto collected = collectExecutions(driver, counter, profiledPackage(), RunOptions());
  REQUIRE(collected);
  REQUIRE_FALSE(*collected);
  CHECK(collected->refusal().words == "CUPTI counted no instruction of the kernel");
}

TEST_CASE("a fault of the counted launch is an error that names the kernel", "[profiler]") {
  FakeCudaDriver driver;
  driver.faults[1] = {ErrorCode::InvalidInput, "cuCtxSynchronize failed: X", ""};
  FakeInstructionCounter counter;
  const auto collected = collectExecutions(driver, counter, profiledPackage(), RunOptions());
  REQUIRE_FALSE(collected);
  CHECK(collected.error().message == "kernel `scale`: cuCtxSynchronize failed: X");
}
