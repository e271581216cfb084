// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/sweep/SweepTasks.h"

#include <catch2/catch.hpp>

using namespace tilescope::profiler;

static SweepAxis axis(const std::string &name, std::vector<std::string> values) {
  SweepAxis axis{{name}, {}};
  for (std::string &value : values)
    axis.values.push_back({std::move(value)});
  return axis;
}

TEST_CASE("a task has points of one size, as the header says", "[sweep]") {
  Sweep sweep;
  sweep.axes = {axis("n", {"1", "2"}), axis("BLOCK", {"8", "16", "32"})};
  sweep.sizes = {"n"};
  CHECK(taskPoints(sweep, 0, 2) == std::vector<size_t>{0, 1, 2});
  CHECK(taskPoints(sweep, 1, 2) == std::vector<size_t>{3, 4, 5});
  std::swap(sweep.axes[0], sweep.axes[1]);
  CHECK(taskPoints(sweep, 0, 2) == std::vector<size_t>{0, 2, 4});
  for (const size_t point : taskPoints(sweep, 1, 2))
    CHECK(sweepPointAt(sweep.axes, point).values.at("n") == "2");
}

TEST_CASE("points by number are those of the product", "[sweep]") {
  const std::vector<SweepAxis> axes = {
      axis("a", {"1", "2"}), {{"b", "c"}, {{"3", "4"}, {"5", ""}}}, axis("d", {"6", "7", "8"})};
  const std::vector<SweepPoint> points = sweepPoints(axes);
  REQUIRE(points.size() == 12);
  for (size_t i = 0; i < points.size(); ++i)
    CHECK(sweepPointAt(axes, i) == points[i]);
}

TEST_CASE("every point has one task, whatever their numbers", "[sweep]") {
  Sweep sweep;
  sweep.axes = {axis("BLOCK", {"8", "16", "32"}), axis("n", {"1", "2", "3", "4", "5"}),
                axis("num_warps", {"4", "8"})};
  sweep.sizes = {"n"};
  for (const size_t numTasks : {1, 2, 7, 29, 30}) {
    std::vector<int> seen(30);
    for (size_t task = 0; task < numTasks; ++task) {
      const std::vector<size_t> points = taskPoints(sweep, task, numTasks);
      CHECK(points.size() == taskSize(30, task, numTasks));
      CHECK_FALSE(points.empty());
      for (const size_t point : points) {
        ++seen[point];
        CHECK(taskOfPoint(sweep, point, numTasks) == task);
      }
    }
    CHECK(seen == std::vector<int>(30, 1));
  }
}
