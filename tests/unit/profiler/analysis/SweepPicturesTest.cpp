// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/SweepPictures.h"

#include "profiler/analysis/SweepWords.h"
#include "tests/support/SampleSweep.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope::profiler;
using tilescope::tests::sampleSweep;

static const SweepMark *markOf(const SweepPicture &picture, size_t point) {
  const auto found = std::ranges::find(picture.marks, point, &SweepMark::point);
  return found == picture.marks.end() ? nullptr : &*found;
}

TEST_CASE("a rate over a size has a point for each size, and goes up with the rate", "[profiler]") {
  const Sweep sweep = sampleSweep("k.py", "k");
  const SweepPicture picture =
      sweepLinePicture(sweep, sweep.axes[0], {"GB/s", &SweepPoint::gbPerS, 3000, "copy"});
  CHECK(picture.title == "GB/s over n");
  // The fastest at each size, which one configuration is for both.
  REQUIRE(picture.marks.size() == 4);
  const SweepMark *small = markOf(picture, 2), *large = markOf(picture, 8);
  REQUIRE(small);
  REQUIRE(large);
  CHECK(sweep.points[8].values.at("BLOCK") == "256");
  CHECK(large->x > small->x);
  CHECK(large->y < small->y);
  const auto ceiling = std::ranges::find(picture.lines, SweepInk::Ceiling, &SweepLine::ink);
  REQUIRE(ceiling != picture.lines.end());
  CHECK(ceiling->spots[0].y < large->y);
  // No line over what is no number, or has one value.
  CHECK(
      sweepLinePicture(sweep, {{"MODE"}, {{"a"}, {"b"}}}, {"µs", &SweepPoint::medianUs}).isEmpty());
}

TEST_CASE("a heat map has the fastest of each pair, as a multiple of the fastest of all",
          "[profiler]") {
  const Sweep sweep = sampleSweep("k.py", "k");
  const auto groups = sweepGroups(sweep);
  REQUIRE(groups.size() == 2);
  const SweepPicture picture = sweepHeatPicture(sweep, groups[1], "num_warps", "BLOCK");
  // The one that failed is a dash.
  CHECK(picture.marks.size() == 5);
  const SweepMark *best = markOf(picture, 8), *wide = markOf(picture, 9);
  REQUIRE(best);
  REQUIRE(wide);
  CHECK(best->number == "1.00");
  CHECK(wide->number == "1.05");
  CHECK(best->strength > wide->strength);
  CHECK(wide->x > best->x);
  CHECK(wide->y == best->y);
  CHECK(std::ranges::count(picture.words, std::string("–"), &SweepWord::text) == 1);
}

TEST_CASE("time over registers has the Pareto front as a line", "[profiler]") {
  const Sweep sweep = sampleSweep("k.py", "k");
  const SweepPicture picture = sweepScatterPicture(sweep, sweepGroups(sweep)[1]);
  CHECK(picture.marks.size() == 5);
  const auto front = std::ranges::find(picture.lines, SweepInk::Front, &SweepLine::ink);
  REQUIRE(front != picture.lines.end());
  CHECK(front->spots.size() ==
        static_cast<size_t>(std::ranges::count(picture.marks, SweepInk::Best, &SweepMark::ink)));
  const SweepMark *best = markOf(picture, 8);
  REQUIRE(best);
  CHECK(best->ink == SweepInk::Best);
  for (const SweepMark &mark : picture.marks) {
    CHECK(mark.x >= 0);
    CHECK(mark.x <= picture.width);
    CHECK(mark.y <= best->y);
  }
}

TEST_CASE("pictures of a sweep come with sizes first, and none without times", "[profiler]") {
  Sweep sweep = sampleSweep("k.py", "k");
  const std::vector<SweepPicture> pictures = sweepPictures(sweep);
  std::vector<std::string> titles;
  for (const SweepPicture &picture : pictures)
    titles.push_back(picture.title + (picture.group.empty() ? "" : ", " + picture.group));
  CHECK(titles == std::vector<std::string>{
                      "GB/s over n", "µs over n", "time over registers, n = 4096",
                      "time over num_warps and BLOCK, n = 4096", "time over registers, n = 65536",
                      "time over num_warps and BLOCK, n = 65536"});
  for (SweepPoint &point : sweep.points)
    point.medianUs = point.gbPerS = std::nullopt;
  CHECK(sweepPictures(sweep).empty());
}

TEST_CASE("points without times are ordered by what is predicted", "[profiler]") {
  Sweep sweep = sampleSweep("k.py", "k");
  for (SweepPoint &point : sweep.points) {
    if (point.status == SweepStatus::Failed)
      continue;
    point.status = SweepStatus::Compiled;
    point.medianUs.reset();
  }
  std::vector<size_t> group = sweepGroups(sweep).front();
  std::erase_if(group, [&](size_t i) { return sweep.points[i].status == SweepStatus::Failed; });
  REQUIRE(group.size() >= 3);
  sweep.points[group[0]].predictedUs = 30;
  sweep.points[group[2]].predictedUs = 20;
  const std::vector<size_t> order = tableOrder(sweep);
  REQUIRE(order.size() == sweep.points.size());
  CHECK(order[0] == group[2]);
  CHECK(order[1] == group[0]);
  // A measured time comes before all that is predicted.
  sweep.points[group[1]].medianUs = 40;
  CHECK(tableOrder(sweep).front() == group[1]);
}

TEST_CASE("the table of a sweep begins with the fastest, and ends with what failed", "[profiler]") {
  const Sweep sweep = sampleSweep("k.py", "k");
  const std::vector<size_t> order = tableOrder(sweep);
  REQUIRE(order.size() == sweep.points.size());
  CHECK(order.front() == 2);
  CHECK(sweep.points[order.back()].status == SweepStatus::Failed);
  CHECK(sweepCountsText(sweep) == "12 points, 10 measured, 2 failed");
  CHECK(pointText(sweep.points[2]) ==
        "BLOCK = 256, n = 4096, num_warps = 4: 2.50 µs, 32 registers");
}
