// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Regression.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::profiler;

/// Times around `us` that scatter by 1 %.
static BenchRecord record(double us) {
  BenchRecord record;
  record.file = "k.py";
  record.launch = "large";
  record.kernel = "k";
  record.work = "n = 4096";
  record.key = {"NVIDIA H100", "13.0", "tilescope 0.1, ptxas 13.0", 1980};
  for (int round = 0; round < 20; ++round) {
    record.rounds.emplace_back();
    for (int launch = 0; launch < 5; ++launch)
      record.rounds.back().push_back(us * (1 + ((round * 7 + launch * 3) % 21 - 10) / 1000.0));
  }
  return record;
}

static void check(const BenchRecord &now, BenchStatus status, const std::string &reason = "") {
  const BenchJudgment judgment = judge(now, {record(100)}, 0.05);
  CHECK(judgment.status == status);
  CHECK(judgment.reason == reason);
}

TEST_CASE("a launch regresses when the interval lies beyond the threshold", "[profiler]") {
  check(record(100), BenchStatus::Unchanged);
  check(record(104), BenchStatus::Unchanged);
  check(record(107), BenchStatus::Regressed);
  check(record(90), BenchStatus::Improved);
  const BenchJudgment judgment = judge(record(107), {record(100)}, 0.05);
  REQUIRE(judgment.comparison);
  CHECK(judgment.comparison->shift == Approx(0.07).margin(0.003));
  // Just above the threshold, and not sure to be.
  CHECK(judge(record(105.1), {record(100)}, 0.05).status == BenchStatus::Unchanged);
}

TEST_CASE("times of another key are not compared, and the reason is named", "[profiler]") {
  BenchRecord other = record(300);
  other.key.gpu = "NVIDIA H200";
  check(other, BenchStatus::NotComparable,
        "the GPU is `NVIDIA H200`, and the baseline's is `NVIDIA H100`");
  other = record(300);
  other.key.driver = "12.8";
  check(other, BenchStatus::NotComparable, "the driver is `12.8`, and the baseline's is `13.0`");
  other = record(300);
  other.key.compiler = "tilescope 0.2, ptxas 13.0";
  check(other, BenchStatus::NotComparable,
        "the compiler is `tilescope 0.2, ptxas 13.0`, and the baseline's is `tilescope 0.1, ptxas "
        "13.0`");
  other = record(300);
  other.work = "n = 8192";
  check(other, BenchStatus::NotComparable,
        "it computes `n = 8192`, and the baseline's is `n = 4096`");
  other = record(300);
  other.key.smClockMhz = 1410;
  check(other, BenchStatus::NotComparable,
        "the multiprocessors ran at 1410 MHz, and for the baseline at 1980 MHz");
  // Within 3 %, or not known: the same.
  other = record(100);
  other.key.smClockMhz = 1950;
  check(other, BenchStatus::Unchanged);
  other.key.smClockMhz.reset();
  check(other, BenchStatus::Unchanged);
}

TEST_CASE("what the baseline does not have is new", "[profiler]") {
  BenchRecord other = record(100);
  other.launch = "small";
  check(other, BenchStatus::New);
  BenchRecord few = record(300);
  few.rounds.resize(3);
  check(few, BenchStatus::NotComparable, "one of the two has too few launches");
}

TEST_CASE("a baseline is read as it was written, and others are refused", "[profiler]") {
  BenchRecord second = record(12.345678);
  second.launch = "\"quoted\"\n";
  second.key.smClockMhz.reset();
  const std::string text = baselineToText({record(100), second}, "2026-01-31 12:00 UTC");
  const auto read = baselineFromText(text);
  REQUIRE(read);
  REQUIRE(read->size() == 2);
  CHECK((*read)[0].key == record(100).key);
  CHECK((*read)[1].launch == second.launch);
  CHECK((*read)[1].rounds[3][2] == Approx(second.rounds[3][2]).margin(0.0006));
  const auto refused = [](const std::string &other, const std::string &why) {
    const auto result = baselineFromText(other);
    REQUIRE_FALSE(result);
    CHECK(result.error().message.find(why) != std::string::npos);
  };
  refused("", "not a baseline");
  refused("[]", "not a baseline");
  refused("{\"format\": \"other\"}", "`format`");
  refused("{\"format\": \"tilescope-bench\", \"version\": 9, \"records\": []}", "version 9");
  refused("{\"format\": \"tilescope-bench\", \"version\": 1, \"records\": [{}]}", "file");
  std::string cut = text;
  cut.resize(cut.size() / 2);
  refused(cut, "not a baseline");
}

TEST_CASE("work is what is computed, and not how", "[profiler]") {
  LaunchPlan plan;
  plan.sizes = {{"n", "4096"}};
  plan.constexprs = {{"BLOCK", "128"}};
  plan.args = {{"x_ptr", PlanTensor{Dtype::Fp16, {64, 32}, {}}}, {"n", PlanScalar{}}};
  CHECK(workText(plan) == "n = 4096; x_ptr fp16[64, 32]");
}
