// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/sweep/MergedSweep.h"

#include "profiler/report/SweepReport.h"
#include "profiler/sweep/SweepTasks.h"
#include "profiler/sweep/TaskLog.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

using namespace tilescope;
using namespace tilescope::profiler;

static SweepAxis numbers(const std::string &name, size_t count) {
  SweepAxis axis{{name}, {}};
  for (size_t i = 0; i < count; ++i)
    axis.values.push_back({std::to_string(i + 1)});
  return axis;
}

static Sweep sampleSweep(size_t numA, size_t numB, size_t numSizes) {
  Sweep sweep;
  sweep.kernel = "k";
  sweep.target = "cuda:90";
  sweep.axes = {numbers("n", numSizes), numbers("A", numA), numbers("B", numB)};
  sweep.sizes = {"n"};
  return sweep;
}

/// A point as a task measures it: A = 3, B = 2 is the best.
static SweepPoint measured(const Sweep &sweep, size_t index, const std::string &model = "H100") {
  SweepPoint point = sweepPointAt(sweep.axes, index);
  const double a = std::stod(point.values.at("A")), b = std::stod(point.values.at("B"));
  point.status = SweepStatus::Measured;
  point.work = "n = " + point.values.at("n");
  point.medianUs = 100 * std::stod(point.values.at("n")) + std::abs(a - 3) + std::abs(b - 2);
  point.registers = 32 + int64_t(a) % 7;
  point.model = model;
  point.uuid = "GPU-" + model;
  point.gpu = 0;
  return point;
}

static std::string logOf(const Sweep &sweep, size_t task, size_t numTasks,
                         const std::string &model = "H100") {
  std::string log = taskBeginLine({task, numTasks, "id", "1_0", "node"});
  for (const size_t index : taskPoints(sweep, task, numTasks))
    log += sweepPointLine(index, measured(sweep, index, model));
  return log + taskDoneLine(task, 2.5);
}

TEST_CASE("logs of tasks become one sweep, as far as they are", "[sweep]") {
  const Sweep sweep = sampleSweep(4, 3, 2);
  MergedSweep merged(sweep, 4, "id");
  REQUIRE(merged.add(0, logOf(sweep, 0, 4)));
  REQUIRE(merged.add(1, logOf(sweep, 1, 4)));
  // Cut off in the middle of its last point.
  const std::string whole = logOf(sweep, 2, 4);
  REQUIRE(merged.add(2, whole.substr(0, whole.rfind("{\"done") - 20)));
  CHECK(merged.isDone(0));
  CHECK_FALSE(merged.isDone(2));
  CHECK_FALSE(merged.isDone(3));
  CHECK(merged.task(2).numDecided == 5);
  CHECK(merged.task(0).seconds == 2.5F);
  const Sweep all = reducedSweep(merged, 1000);
  CHECK(all.device == "H100");
  CHECK(all.models.empty());
  REQUIRE(all.points.size() == 24);
  CHECK(std::ranges::count(all.points, SweepStatus::Open, &SweepPoint::status) == 7);
  SweepPoint first = measured(sweep, 0);
  CHECK(all.points[0] == first);
}

TEST_CASE("a later run of a task counts, and one on another model stands beside", "[sweep]") {
  const Sweep sweep = sampleSweep(4, 3, 1);
  MergedSweep merged(sweep, 1, "id");
  std::string log = logOf(sweep, 0, 1);
  SweepPoint again = measured(sweep, 5);
  again.medianUs = 77;
  log += taskBeginLine({0, 1, "id"}) + sweepPointLine(5, again);
  // Compiled once more, before it is measured elsewhere.
  SweepPoint compiled = sweepPointAt(sweep.axes, 6);
  compiled.status = SweepStatus::Compiled;
  log += sweepPointLine(6, compiled) + sweepPointLine(6, measured(sweep, 6, "A100"));
  REQUIRE(merged.add(0, log));
  CHECK(merged.task(0).numBegun == 2);
  const Sweep all = reducedSweep(merged, 1000);
  REQUIRE(all.points.size() == 13);
  CHECK(all.points[5].medianUs == 77);
  CHECK(all.points[6].model == "H100");
  CHECK(all.points[7].model == "A100");
  CHECK(all.points[7].values == all.points[6].values);
  CHECK(std::set<std::string>(all.models.begin(), all.models.end()) ==
        std::set<std::string>{"A100", "H100"});
  CHECK_FALSE(sweepWinner(all));
  for (const Sweep &part : sweepsByModel(all))
    CHECK(part.points.size() == (part.device == "A100" ? 1 : 12));
}

TEST_CASE("logs of something else, and lines that are none, are refused", "[sweep]") {
  const Sweep sweep = sampleSweep(4, 3, 1);
  MergedSweep merged(sweep, 2, "id");
  const auto refused = [&](const std::string &log) {
    const Status status = merged.add(0, log);
    return status ? "" : status.error().message;
  };
  CHECK(refused(taskBeginLine({0, 2, "other"})).find("of another sweep") != std::string::npos);
  CHECK(refused(taskBeginLine({1, 2, "id"})).find("of another sweep") != std::string::npos);
  CHECK(refused("nonsense\n").starts_with("line 1: "));
  CHECK(refused(sweepPointLine(12, measured(sweep, 0))).find("no point 12") != std::string::npos);
  CHECK(refused(sweepPointLine(1, measured(sweep, 0))).find("other values") != std::string::npos);
  CHECK(refused("{\"point\": 0}\n").starts_with("line 1: "));
  CHECK(refused("{\"task\"").empty());
}

TEST_CASE("a report of very many points has the best, the pictures' and the winner's", "[sweep]") {
  const Sweep sweep = sampleSweep(60, 40, 10);
  constexpr size_t kTasks = 100;
  MergedSweep merged(sweep, kTasks, "id");
  for (size_t task = 0; task < kTasks; ++task)
    REQUIRE(merged.add(task, logOf(sweep, task, kTasks)));
  const Sweep all = reducedSweep(merged, 1'000'000), some = reducedSweep(merged, 2000);
  REQUIRE(all.points.size() == 24000);
  CHECK(some.points.size() < 20000);
  CHECK(some.leftOut.at("").byStatus.at(SweepStatus::Measured) == 24000 - some.points.size());
  REQUIRE(sweepWinner(all));
  REQUIRE(sweepWinner(some));
  CHECK(sweepWinner(some)->configuration == sweepWinner(all)->configuration);
  CHECK(sweepWinner(some)->configuration ==
        std::map<std::string, std::string>{{"A", "3"}, {"B", "2"}});
  CHECK(sweepWinner(some)->slowdown == Approx(sweepWinner(all)->slowdown));
  // Of the works that are drawn, every cell of the heat map and the whole front.
  const auto groups = sweepGroups(some), allGroups = sweepGroups(all);
  REQUIRE(groups.size() == 10);
  for (size_t g = 0; g < 8; ++g) {
    std::map<std::string, double> cells;
    for (const size_t i : groups[g])
      cells[some.points[i].values.at("A") + " " + some.points[i].values.at("B")] =
          *some.points[i].medianUs;
    CHECK(cells.size() == 2400);
    CHECK(paretoFront(some, groups[g]).size() == paretoFront(all, allGroups[g]).size());
  }
  CHECK(sweepText(some).find("24000 points, 24000 measured") != std::string::npos);
}

TEST_CASE("a table of merged points is that of the sweep", "[sweep]") {
  const Sweep sweep = sampleSweep(4, 3, 2);
  MergedSweep merged(sweep, 2, "id");
  REQUIRE(merged.add(0, logOf(sweep, 0, 2)));
  SweepPoint failed = sweepPointAt(sweep.axes, 20);
  failed.status = SweepStatus::Failed;
  failed.reason = "needs, more";
  REQUIRE(merged.add(1, taskBeginLine({1, 2, "id"}) + sweepPointLine(20, failed) +
                            taskFaultLine("no driver")));
  CHECK(merged.name(merged.task(1).fault) == "no driver");
  std::string csv;
  REQUIRE(writeMergedCsv(merged, [&](std::string_view piece) -> Status {
    csv += piece;
    return {};
  }));
  CHECK(csv == sweepCsv(reducedSweep(merged, 1000)));
  CHECK(csv.find("\"needs, more\"") != std::string::npos);
}
