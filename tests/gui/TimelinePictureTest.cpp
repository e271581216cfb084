// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/model/TimelinePicture.h"

#include <catch2/catch.hpp>

using namespace tilescope::views;

TEST_CASE("kernels that run beside each other are in lanes of their own", "[views][model]") {
  // The example of the header.
  const TimelinePicture picture({{0, 0, 8}, {1, 8, 7}, {3, 18, 11}, {2, 8, 11}});
  REQUIRE(picture.spans().size() == 4);
  CHECK(picture.numLanes() == 2);
  CHECK(picture.endUs() == 29);
  CHECK(picture.busyUs() == 29);
  std::vector<std::pair<int, int>> lanes;
  for (size_t i = 0; i < 4; ++i)
    lanes.emplace_back(picture.spans()[i].kernel, picture.lane(i));
  CHECK(lanes == std::vector<std::pair<int, int>>{{0, 0}, {1, 0}, {2, 1}, {3, 0}});
  CHECK(picture.spanAt(9, 1) == 2);
  CHECK(picture.spanAt(3, 1) == -1);
  CHECK(picture.spanOf(3) == 3);
  CHECK(picture.spanOf(7) == -1);
}

TEST_CASE("arrows go through a timeline by time and across its lanes", "[views][model]") {
  const TimelinePicture picture({{0, 0, 8}, {1, 8, 7}, {2, 8, 11}, {3, 18, 11}});
  CHECK(picture.beside(0, -1) == 0);
  CHECK(picture.beside(0, 1) == 1);
  CHECK(picture.beside(3, 1) == 3);
  CHECK(picture.acrossLanes(1, 1) == 2);
  CHECK(picture.acrossLanes(2, 1) == 2);
  CHECK(picture.acrossLanes(2, -1) == 1);
}

TEST_CASE("a time in which no kernel runs counts as none", "[views][model]") {
  const TimelinePicture picture({{0, 0, 2}, {1, 5, 1}, {2, 5.5, 0.2}});
  CHECK(picture.busyUs() == 3);
  CHECK(picture.endUs() == 6);
  CHECK(TimelinePicture().endUs() == 0);
  CHECK(TimelinePicture().numLanes() == 0);
}
