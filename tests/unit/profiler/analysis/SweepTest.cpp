// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Sweep.h"

#include "profiler/analysis/SweepLog.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::profiler;

/// Two sizes, two blocks, two numbers of warps.
static Sweep sample() {
  Sweep sweep;
  sweep.file = "k.py";
  sweep.kernel = "k";
  sweep.target = "cuda:90";
  sweep.sizes = {"n"};
  sweep.axes = {{{"n"}, {{"64"}, {"1024"}}},
                {{"BLOCK", "num_warps"}, {{"16", "1"}, {"32", "2"}, {"64", ""}}}};
  sweep.points = sweepPoints(sweep.axes);
  return sweep;
}

static void measure(Sweep &sweep, size_t index, double us, int64_t registers) {
  SweepPoint &point = sweep.points[index];
  point.status = SweepStatus::Measured;
  point.work = "n = " + point.values.at("n");
  point.medianUs = us;
  point.registers = registers;
}

TEST_CASE("the points of a sweep are the product of its axes", "[profiler]") {
  const Sweep sweep = sample();
  REQUIRE(sweep.points.size() == 6);
  CHECK(countPoints(sweep.axes, 100) == 6);
  CHECK(countPoints(sweep.axes, 5) == 6);
  CHECK(countPoints({{{"a"}, std::vector<std::vector<std::string>>(100'000, {"1"})},
                     {{"b"}, std::vector<std::vector<std::string>>(100'000, {"1"})}},
                    1000) == 1001);
  using Values = std::map<std::string, std::string>;
  CHECK(sweep.points[1].values == Values{{"n", "64"}, {"BLOCK", "32"}, {"num_warps", "2"}});
  // An empty value leaves the name as it is.
  CHECK(sweep.points[5].values == Values{{"n", "1024"}, {"BLOCK", "64"}});
  CHECK(configurationOf(sweep, sweep.points[5]) == Values{{"BLOCK", "64"}});
  CHECK(valuesText(sweep.points[1].values) == "BLOCK = 32, n = 64, num_warps = 2");
}

TEST_CASE("the winner is the best over all sizes", "[profiler]") {
  Sweep sweep = sample();
  CHECK_FALSE(sweepWinner(sweep));
  measure(sweep, 0, 1, 40);
  measure(sweep, 1, 1.1, 20);
  measure(sweep, 3, 20, 40);
  measure(sweep, 4, 10, 20);
  // The fastest of one size, and without a time for the other.
  measure(sweep, 2, 0.9, 60);
  sweep.points[5].status = SweepStatus::Failed;
  const auto groups = sweepGroups(sweep);
  REQUIRE(groups.size() == 2);
  CHECK(fastestOf(sweep, groups[0]) == 2);
  CHECK(fastestOf(sweep, groups[1]) == 4);
  const auto winner = sweepWinner(sweep);
  REQUIRE(winner);
  CHECK(winner->configuration.at("BLOCK") == "32");
  CHECK(winner->points == std::vector<size_t>{1, 4});
  CHECK(winner->slowdown == Approx(std::sqrt(1.1 / 0.9)));
}

TEST_CASE("the Pareto front has what no other point beats in both", "[profiler]") {
  Sweep sweep = sample();
  measure(sweep, 0, 3, 16);
  measure(sweep, 1, 2, 32);
  measure(sweep, 2, 2.5, 32);
  measure(sweep, 3, 1, 64);
  measure(sweep, 4, 4, 64);
  CHECK(paretoFront(sweep, {0, 1, 2, 3, 4, 5}) == std::vector<size_t>{0, 1, 3});
}

TEST_CASE("a log is read as it was written, up to a line that was cut off", "[profiler]") {
  Sweep sweep = sample();
  sweep.device = "NVIDIA H100";
  sweep.copyGbPerS = 2900;
  std::string text =
      sweepHeaderLine(sweep, "abc") + sweepPointLine(4, sweep.points[4]) + sweepDeviceLine(sweep);
  measure(sweep, 4, 12.5, 40);
  text += sweepPointLine(4, sweep.points[4], {{12.5, 12.75}, {12.25}});
  sweep.points[2].status = SweepStatus::Failed;
  sweep.points[2].reason = "it \"fails\"\n";
  text += sweepPointLine(2, sweep.points[2]);
  const size_t whole = text.size();
  text += sweepPointLine(0, sweep.points[0]).substr(0, 20);
  const auto log = readSweepLog(text);
  REQUIRE(log);
  CHECK(log->identity == "abc");
  CHECK(log->numBytes == whole);
  CHECK(log->sweep.axes == sweep.axes);
  CHECK(log->sweep.points == sweep.points);
  CHECK(log->sweep.device == "NVIDIA H100");
  CHECK(log->sweep.copyGbPerS == 2900);
}

TEST_CASE("models of GPUs are ranked apart, and a log keeps them apart", "[profiler]") {
  Sweep sweep = sample();
  sweep.models = {"H100", "A100"};
  sweep.points = sweepPoints(sweep.axes, sweep.models);
  REQUIRE(sweep.points.size() == 12);
  for (const size_t i : {0, 1, 3, 4})
    measure(sweep, i, 1 + double(i % 3), 40);
  // The other model has the other order.
  for (const size_t i : {6, 7, 9, 10})
    measure(sweep, i, 9 - double(i % 3), 40);
  sweep.points[7].place = "ssh://far/1";
  sweep.points[7].gpu = 1;
  sweep.points[7].uuid = "GPU-7";
  CHECK_FALSE(sweepWinner(sweep));
  CHECK(sweepGroups(sweep).size() == 4);
  const std::vector<Sweep> parts = sweepsByModel(sweep);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].device == "H100");
  CHECK(sweepWinner(parts[0])->configuration.at("BLOCK") == "16");
  CHECK(sweepWinner(parts[1])->configuration.at("BLOCK") == "32");

  std::string text = sweepHeaderLine(sweep, "abc");
  sweep.device = "A100";
  sweep.copyGbPerS = 1500;
  text += sweepDeviceLine(sweep) + sweepPointLine(7, sweep.points[7]);
  const auto log = readSweepLog(text);
  REQUIRE(log);
  CHECK(log->sweep.models == sweep.models);
  CHECK(log->sweep.points[7] == sweep.points[7]);
  CHECK(log->sweep.points[1].model == "H100");
  CHECK(log->sweep.copyByModel == std::map<std::string, double>{{"A100", 1500}});
  const auto wrong = readSweepLog(text + sweepPointLine(1, sweep.points[7]));
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message.find("of another GPU") != std::string::npos);
}

TEST_CASE("a log that is none is refused with its line", "[profiler]") {
  const Sweep sweep = sample();
  const std::string header = sweepHeaderLine(sweep, "abc");
  const auto refused = [](const std::string &text, const std::string &why) {
    const auto log = readSweepLog(text);
    REQUIRE_FALSE(log);
    INFO(log.error().message);
    CHECK(log.error().message.find(why) != std::string::npos);
  };
  refused("", "no first line");
  refused("{}", "no first line");
  refused("{}\n", "line 1");
  refused(header + "nonsense\n", "line 2");
  refused(header + "{\"point\": 6, \"status\": \"open\"}\n", "no point 6");
  refused(header + "{\"point\": 0, \"status\": \"lost\"}\n", "`lost`");
  refused(header + "{\"point\": 0, \"status\": \"open\", \"values\": {}}\n", "other values");
  refused("{\"sweep\": {\"version\": 2}}\n", "version 2");
}
